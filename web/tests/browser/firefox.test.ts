// The board in Firefox: what depends on the browser most. Playwright can't drive the Firefox that people have, so this is
// Puppeteer, over WebDriver BiDi.

import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Server } from './server';

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

const server = new Server();
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  await server.start();
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'dom.events.testing.asyncClipboard': true },
  });
});

afterAll(async () => {
  await browser.close();
  await server.end();
});

beforeEach(async () => {
  faults = [];
  await server.start();
  page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.setViewport({ width: 1280, height: 900 });
});

afterEach(async () => {
  await page.close();
  expect(faults, 'errors in the page').toEqual([]);
});

async function open(path: string): Promise<void> {
  await page.goto(server.url + path);
  await page.waitForSelector('cg-board piece');
}

/** Clicks a piece and then its destination. */
async function move(from: string, to: string): Promise<void> {
  for (const name of [from, to]) {
    const box = await (await page.waitForSelector(`[data-square="${name}"]`))?.boundingBox();
    if (!box) throw new Error(`${name} is not on the page`);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
}

async function control(key: 'c' | 'v'): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press(key);
  await page.keyboard.up('Control');
}

const played = () => page.$$eval('ol.moves [data-ply]', (moves) => moves.length);

test('a game against the engine on the server', async () => {
  await open('/');
  await (await page.waitForSelector('::-p-aria([name="Start"][role="button"])'))?.click();
  await page.waitForFunction(() => location.pathname.startsWith('/play/'));
  await page.waitForSelector('cg-board piece');
  // With Black the engine begins; with White we do.
  const white = await page.$('cg-container .orientation-white, .cg-wrap.orientation-white');
  if (white) await move('e2', 'e4');
  await expect.poll(played).toBeGreaterThan(white ? 1 : 0);
});

test('the engine runs in the browser, and its memory is shared', async () => {
  await open('/analysis');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await page.waitForSelector('ol.lines li:not([aria-hidden="true"])');
  await move('e2', 'e4');
  await page.waitForFunction(() => document.querySelector('ol.lines li:not([aria-hidden="true"])')?.textContent.includes('1… '));
});

test('what is pasted is shown, and saved the same', async () => {
  await open('/analysis');
  const pgn = '[White "Ä"]\n\n1. e4 $1 { [%clk 0:05:00] } 1... e5 (1... c5 { [%csl Gd4] } 2. Nf3) 2. Nf3 *';
  await page.evaluate((text) => navigator.clipboard.writeText(text), pgn);
  await control('v');
  await page.waitForFunction(() => document.querySelectorAll('.move').length === 5);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await control('c');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).replace(/\s+/g, ' ')).toContain(pgn.split('\n\n')[1]);
});

// Without the toolchain for WebAssembly there is nothing to work with.
test.skipIf(!existsSync('src/wasm/built/engine.wasm'))('after one visit it works without the server', async () => {
  await open('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.stop();
  await page.goto(`${server.url}/analysis`);
  await page.waitForSelector('cg-board piece');
  await page.waitForSelector('ol.lines li:not([aria-hidden="true"])');
  await move('d2', 'd4');
  await page.waitForFunction(() => document.querySelector('.move[aria-current]')?.textContent.includes('d4'));
});
