// A real server and a real browser for the tests of one file. Any error in a page fails the test.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
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

/** A free port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export class Riga {
  /** Where the server listens. */
  url = '';
  #server: ChildProcess | undefined;
  #browser: Browser | undefined;
  #folder = '';
  #contexts: BrowserContext[] = [];
  #wires: Wire[] = [];
  #faults: string[] = [];
  #expected: RegExp[] = [];

  constructor(private readonly options: (origin: string) => string[]) {}

  async begin(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'riga-browser-'));
    this.#browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    await this.serve();
  }

  /** Starts the server, unless it runs: on a free port, or on the one it had before. */
  async serve(): Promise<void> {
    if (this.#server?.exitCode === null && this.#server.signalCode === null) return;
    const binary = process.env['RIGA'] ?? '../target/debug/riga';
    const port = this.url ? new URL(this.url).port : String(await freePort());
    const server = spawn(binary, ['serve', '--port', port, '--database', join(this.#folder, 'riga.db'), ...this.options(`http://127.0.0.1:${port}`)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#server = server;
    this.url = await new Promise((resolve, reject) => {
      let heard = '';
      server.stdout.on('data', (data: Buffer) => {
        heard += data.toString();
        const address = /Riga listens on (http:\S+)/.exec(heard)?.[1];
        if (address) resolve(address);
      });
      // An unread pipe would eventually block the server.
      server.stderr.on('data', (data: Buffer) => (heard += data.toString()));
      server.on('error', reject);
      server.on('exit', (code) => reject(new Error(`${binary} ended with ${code}: ${heard}`)));
    });
  }

  async end(): Promise<void> {
    await this.#browser?.close();
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Stops the server; it keeps its games. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    const late = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(late);
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

/** One server and one browser for all tests in a file. */
export function useRiga(options: (origin: string) => string[] = () => []): Riga {
  const riga = new Riga(options);
  beforeAll(() => riga.begin());
  afterEach(() => riga.settle());
  afterAll(() => riga.end());
  return riga;
}
