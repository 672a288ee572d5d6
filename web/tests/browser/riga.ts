// A real server for the tests of one file, and a real browser for all of them. Any error in a page fails the test.

import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Server } from './server';
import { Wire } from './wire';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Browser | undefined;

/** In the page, before anything else: weak levels move at once, unless the test has set something else. */
function hurry(): void {
  if (location.protocol === 'http:') localStorage['riga-settings'] ??= '{"unhurried":false}';
}

/** The browser: one for all files, since each test has contexts of its own. It ends with the process of the tests. */
async function browser(): Promise<Browser> {
  if (!launched?.isConnected()) launched = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return launched;
}

export class Riga {
  readonly #server: Server;
  #browser: Browser | undefined;
  #contexts: BrowserContext[] = [];
  #wires: Wire[] = [];
  #faults: string[] = [];
  #expected: RegExp[] = [];

  constructor(options: (origin: string) => string[]) {
    this.#server = new Server(options);
  }

  /** Where the server listens. */
  get url(): string {
    return this.#server.url;
  }

  async begin(): Promise<void> {
    [this.#browser] = await Promise.all([browser(), this.serve()]);
  }

  /** Starts the server again. */
  serve(): Promise<void> {
    return this.#server.start();
  }

  /** Stops the server; it keeps its games. */
  stop(): Promise<void> {
    return this.#server.stop();
  }

  async end(): Promise<void> {
    await this.#server.end();
  }

  /** A visitor with a separate browser context. */
  async visitor(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (!this.#browser) throw new Error('the browser has not been started');
    const context = await this.#browser.newContext({
      baseURL: this.url,
      locale: 'en-GB',
      viewport: { width: 1280, height: 900 },
      colorScheme: 'light',
      // It would fetch everything for each visitor.
      serviceWorkers: 'block',
      ...options,
    });
    context.setDefaultTimeout(8_000);
    await context.addInitScript(hurry);
    this.#contexts.push(context);
    context.on('page', (page) => this.#watch(page));
    return context;
  }

  /** A new visitor's first page. */
  async open(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await this.visitor(options)).newPage();
    await page.goto(path);
    return page;
  }

  /** A proxy to the server that can be cut. */
  async wire(): Promise<Wire> {
    const wire = await Wire.to(this.url);
    this.#wires.push(wire);
    return wire;
  }

  /** Declares a browser error that the test expects. */
  expectFault(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Ends a test; fails on unexpected errors in any page. */
  async settle(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
    for (const wire of this.#wires) wire.close();
    const faults = this.#faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
    this.#contexts = [];
    this.#wires = [];
    this.#faults = [];
    this.#expected = [];
    expect(faults, 'errors in the browser').toEqual([]);
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#faults.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#faults.push(`page: ${error.message}`));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      const ours = hostname === '127.0.0.1' || protocol === 'data:' || protocol === 'blob:';
      if (!ours) this.#faults.push(`foreign request: ${request.url()}`);
    });
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).hostname !== '127.0.0.1') this.#faults.push(`foreign socket: ${socket.url()}`);
    });
  }
}

/** One server for all tests in a file. */
export function useRiga(options: (origin: string) => string[] = () => []): Riga {
  const riga = new Riga(options);
  beforeAll(() => riga.begin());
  afterEach(() => riga.settle());
  afterAll(() => riga.end());
  return riga;
}
