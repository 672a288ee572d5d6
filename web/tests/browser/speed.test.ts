// Latency.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { begin, click, expectMoves } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

declare global {
  interface Window {
    readyAt?: number;
    lineAt?: number;
    drawnAfter: number[];
  }
}

test('the board is ready within a second of navigation', async () => {
  const page = await riga.open();
  const address = await begin(page);
  const visitor = await riga.visitor({ storageState: await page.context().storageState() });
  const fresh = await visitor.newPage();
  await fresh.addInitScript(() => {
    const look = () => {
      if (document.querySelectorAll('cg-board piece').length === 32 && document.querySelector('[data-square="e2"]')) {
        window.readyAt = performance.now();
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  });
  await fresh.goto(address);
  await fresh.waitForFunction(() => window.readyAt !== undefined);
  const ready = await fresh.evaluate(() => window.readyAt ?? Infinity);
  console.info(`the board was ready after ${ready.toFixed(0)} ms`);
  expect(ready).toBeLessThan(1_000);
});

test('the analysis board is ready within a second, and the engine has a line within two', async () => {
  const fresh = await (await riga.visitor()).newPage();
  await fresh.addInitScript(() => {
    const look = () => {
      const board = document.querySelectorAll('cg-board piece').length === 32 && document.querySelector('[data-square="e2"]');
      if (board) window.readyAt ??= performance.now();
      if (document.querySelector('ol.lines li:not([aria-hidden="true"])')) window.lineAt = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  });
  await fresh.goto('/analysis');
  await fresh.waitForFunction(() => window.lineAt !== undefined);
  const [ready = Infinity, line = Infinity] = await fresh.evaluate(() => [window.readyAt, window.lineAt]);
  console.info(`the analysis board was ready after ${ready.toFixed(0)} ms, the first line came after ${line.toFixed(0)} ms`);
  expect(ready).toBeLessThan(1_000);
  expect(line).toBeLessThan(2_000);
});

test('a move is drawn within 50 ms of the click', async () => {
  const page = await riga.open();
  await begin(page);
  await page.evaluate(() => {
    window.drawnAfter = [];
    const drawn = () =>
      [...document.querySelectorAll<HTMLElement & { cgKey?: string }>('cg-board piece')].map((man) => man.cgKey).sort().join();
    addEventListener(
      'pointerdown',
      (event) => {
        const before = drawn();
        const since = () => performance.now() - event.timeStamp;
        const look = () => {
          // A task after the frame runs when it has been painted.
          if (drawn() !== before) setTimeout(() => window.drawnAfter.push(since()));
          else if (since() < 1_000) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true },
    );
  });
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'g8f6', 'd2d3'];
  for (const [at, move] of moves.entries()) {
    await click(page, move.slice(0, 2));
    // Selecting the piece paints nothing new; ignore it.
    await page.waitForTimeout(1_100);
    await click(page, move.slice(2, 4));
    await expect.poll(() => page.locator('ol.moves [data-ply]').count()).toBe(at + 1);
  }
  await expectMoves(page, 'e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Nf6', 'd3');
  const times = await page.evaluate(() => window.drawnAfter);
  console.info(`moves were drawn after ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  expect(times).toHaveLength(moves.length);
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  expect(median).toBeLessThan(50);
});

test('the first load needs at most 120 kB of JavaScript, on every page', async () => {
  const page = await riga.open();
  const game = await begin(page);
  for (const path of ['/', game, game.replace('play', 'analysis')]) {
    const fresh = await (await riga.visitor()).newPage();
    // The scripts are noted by address and fetched again afterwards: the browser doesn't keep every body until it is asked.
    const scripts = new Set<string>();
    fresh.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/assets/') && pathname.endsWith('.js')) scripts.add(response.url());
    });
    await fresh.goto(path);
    await fresh.locator('cg-board piece').first().waitFor();
    const sizes = await Promise.all(
      [...scripts].map(async (script) => gzipSync(await (await fetch(script)).arrayBuffer()).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`first load of ${path.slice(0, 9)}: ${total} bytes of JavaScript in ${sizes.length} files`);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThanOrEqual(120_000);
  }
});
