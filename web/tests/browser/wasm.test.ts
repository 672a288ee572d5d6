// The engine's module and worker in the browser itself, as the analysis page loads them.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FromWorker, ToWorker } from '../../src/wasm/protocol';
import { useRiga } from './riga';

const riga = useRiga();

/** What the page has fetched for the engine. */
interface Fetched {
  worker: string;
  engine: string;
  net: string;
}

/** Opens the analysis board, and waits until its engine has been fetched. */
async function open() {
  const context = await riga.visitor();
  const fetched: Partial<Fetched> = {};
  context.on('request', (request) => {
    const url = request.url();
    if (/worker[^/]*\.js$/.test(url)) fetched.worker = url;
    if (/engine[^/]*\.wasm$/.test(url)) fetched.engine = url;
    if (/\.net$/.test(url)) fetched.net = url;
  });
  const page = await context.newPage();
  await page.goto('/analysis');
  await expect.poll(() => Object.keys(fetched).sort()).toEqual(['engine', 'net', 'worker']);
  // The board's own engine would take time from the one that is measured.
  await page.goto('/help');
  return { page, fetched: fetched as Fetched };
}

// Without the toolchain for WebAssembly there are no modules.
describe.skipIf(!existsSync('src/wasm/built/engine.wasm'))('the engine in the browser', () => {
  test('searches the same nodes as the binary', { timeout: 120_000 }, async () => {
    const { page, fetched } = await open();
    const found = await page.evaluate(async ({ worker, engine, net }) => {
      const module = await WebAssembly.compileStreaming(fetch(engine));
      const bytes = new Uint8Array(await (await fetch(net)).arrayBuffer());
      const thread = new Worker(worker, { type: 'module' });
      const tell = (message: ToWorker) => thread.postMessage(message);
      const answer = new Promise<FromWorker>((resolve, reject) => {
        thread.onerror = ({ message }) => reject(new Error(message));
        thread.onmessage = ({ data }: MessageEvent<FromWorker>) => data.type !== 'ready' && resolve(data);
      });
      tell({ type: 'load', module, net: bytes, seed: 1, flag: undefined });
      tell({ type: 'call', id: 1, name: 'bench', question: {} });
      return answer;
    }, fetched);
    const native = execFileSync(process.env['RIGA'] ?? '../target/debug/riga', ['bench']).toString();
    const nodes = Number(/^(\d+) nodes/m.exec(native)?.[1]);
    expect(nodes).toBeGreaterThan(1_000_000);
    expect(found).toMatchObject({ type: 'answer', answer: { nodes, exact: true } });
  });

  test('stops within 50 ms', async () => {
    const { page, fetched } = await open();
    const times = await page.evaluate(async ({ worker, engine, net }) => {
      const module = await WebAssembly.compileStreaming(fetch(engine));
      const bytes = new Uint8Array(await (await fetch(net)).arrayBuffer());
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const thread = new Worker(worker, { type: 'module' });
      const tell = (message: ToWorker) => thread.postMessage(message);
      const hear = (type: FromWorker['type']) =>
        new Promise<void>((resolve) => {
          thread.onmessage = ({ data }: MessageEvent<FromWorker>) => data.type === type && resolve();
        });
      tell({ type: 'load', module, net: bytes, seed: 1, flag });
      await hear('ready');
      const took: number[] = [];
      for (let id = 1; id <= 9; id++) {
        tell({ type: 'call', id, name: 'analyse', question: { position: {} } });
        await hear('report');
        await new Promise((resolve) => setTimeout(resolve, 200));
        const start = performance.now();
        Atomics.store(flag, 0, id);
        await hear('answer');
        took.push(performance.now() - start);
      }
      return took;
    }, fetched);
    console.info(`stopped after ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
    expect(times.toSorted((a, b) => a - b)[4]).toBeLessThan(50);
  });
});
