import { once } from 'node:events';
import { Worker as Thread } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { Crash, Door, Trouble, type AnalysedLines, type EngineCalls } from '../../../src/wasm/door';
import { Engine, type Worklike } from '../../../src/wasm/engine';
import type { FromWorker, ToWorker } from '../../../src/wasm/protocol';
import { serve } from '../../../src/wasm/serve';
import { areBuilt, bytes, compiled } from './built';

/** A search in a busy test run takes its time. */
vi.setConfig({ testTimeout: 60_000 });

const KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';

function engine(name: string, host: ConstructorParameters<typeof Door>[1] = {}): Door<EngineCalls> {
  const door = new Door<EngineCalls>(compiled(name), host);
  door.load(bytes('riga.net'), 1);
  return door;
}

describe.skipIf(!areBuilt)('the engine module', () => {
  test('with and without SIMD it searches the same nodes, with a kernel that is exact', () => {
    const [plain, simd] = ['engine.wasm', 'engine-simd.wasm'].map((name) => engine(name).call('bench', { depth: 4 }));
    expect(simd?.nodes).toBe(plain?.nodes);
    expect([plain?.exact, simd?.exact]).toEqual([true, true]);
    expect(engine('engine-simd.wasm').call('configure', {}).kernel).toBe('SIMD128');
  });

  test('a deep search has room on the stack', () => {
    // Nothing can be captured and no pawn can move.
    const fen = '4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1';
    const { thoughts } = engine('engine-simd.wasm').call('analyse', { position: { fen }, limits: { nodes: 1_000_000 } });
    expect(thoughts.lines[0]?.depth).toBeGreaterThan(40);
  });

  test('a flag set by another thread stops it within 50 ms', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(8));
    const times = new Float64Array(new SharedArrayBuffer(8));
    const depths: number[] = [];
    const door = engine('engine-simd.wasm', {
      stopped: () => Atomics.load(flag, 0) === 1,
      report: (told) => depths.push((told as AnalysedLines).lines[0]?.depth ?? 0),
    });
    const code = `const { flag, times } = require('node:worker_threads').workerData;
      Atomics.store(flag, 1, 1); Atomics.notify(flag, 1);
      setTimeout(() => { times[0] = Date.now(); Atomics.store(flag, 0, 1); }, 300);`;
    const thread = new Thread(code, { eval: true, workerData: { flag, times } });
    Atomics.wait(flag, 1, 0, 10_000);
    const { thoughts } = door.call('analyse', { position: { fen: KIWIPETE } });
    const latency = Date.now() - (times[0] ?? 0);
    await once(thread, 'exit');
    expect(latency).toBeLessThan(50);
    expect(thoughts.done).toBe(true);
    expect(depths.length).toBeGreaterThan(3);
  });

  test('it plays every level', () => {
    const door = engine('engine-simd.wasm');
    for (let level = 1; level <= 10; level++) {
      const question = { position: { fen: KIWIPETE }, level, seed: 7, limits: { time: 50 } };
      const { best } = door.call('analyse', question);
      expect(best).toMatch(/^[a-h][1-8][a-h][1-8]$/);
    }
  });

  test('more hash than there is room for is refused, and the old one stays', () => {
    const door = engine('engine-simd.wasm');
    expect(door.call('configure', { hash: 64 }).hash).toBe(64);
    const about = door.call('configure', { hash: 100_000 });
    expect(about.hash).toBe(64);
    expect(about.messages[0]).toContain('no memory');
    expect(door.call('analyse', { position: {}, limits: { depth: 5 } }).thoughts.lines).toHaveLength(1);
  });
});

/** A worker in the same thread, which may be slow or crash. */
class Fake implements Worklike {
  onmessage: Worklike['onmessage'] = null;
  onerror: Worklike['onerror'] = null;
  terminated = false;
  readonly heard: ToWorker[] = [];
  readonly #handle = serve((message) => this.tell(message));

  constructor(private readonly mute = false) {}

  postMessage(message: ToWorker): void {
    this.heard.push(message);
    if (!this.mute) queueMicrotask(() => !this.terminated && this.#handle(message));
  }

  terminate(): void {
    this.terminated = true;
  }

  tell(message: FromWorker): void {
    queueMicrotask(() => this.onmessage?.({ data: message }));
  }
}

const LINES = { fen: '', done: false, lines: [{ moves: ['e2e4'], san: ['e4'], depth: 9 }] } as unknown as AnalysedLines;

describe.skipIf(!areBuilt)('the engine of a page', () => {
  const parts = () => ({ module: compiled('engine-simd.wasm'), net: bytes('riga.net') });

  test('it answers one question after another', async () => {
    const engine = new Engine({ ...parts(), start: () => new Fake(), isolated: false });
    const report = vi.fn();
    const [searched, about] = await Promise.all([
      engine.analyse({ position: {}, limits: { depth: 4 }, lines: 2 }, report),
      engine.configure({ hash: 2 }),
    ]);
    expect(searched?.thoughts.lines).toHaveLength(2);
    expect(report).toHaveBeenCalled();
    expect(about.hash).toBe(2);
    await expect(engine.analyse({ position: { fen: 'nonsense' } })).rejects.toThrow(Trouble);
    await expect(engine.analyse({ position: {}, limits: { depth: 1 } })).resolves.toBeDefined();
  });

  test('where memory is not shared, stop replaces the worker and answers with what was found', async () => {
    const workers: Fake[] = [];
    const start = () => {
      const worker = new Fake(workers.length === 0);
      workers.push(worker);
      return worker;
    };
    const engine = new Engine({ ...parts(), start, isolated: false });
    const report = vi.fn();
    const search = engine.analyse({ position: {} }, report);
    workers[0]?.tell({ type: 'report', id: 1, told: LINES });
    await vi.waitFor(() => expect(report).toHaveBeenCalled());
    engine.stop();
    expect(await search).toMatchObject({ best: 'e2e4', san: 'e4', thoughts: { done: true } });
    expect(workers[0]?.terminated).toBe(true);
    await expect(engine.analyse({ position: {}, limits: { depth: 1 } })).resolves.toBeDefined();
    expect(workers).toHaveLength(2);
  });

  test('a review tells its moves, and has no report if it is stopped', async () => {
    const workers: Fake[] = [];
    const start = () => {
      const worker = new Fake(workers.length > 0);
      workers.push(worker);
      return worker;
    };
    const engine = new Engine({ ...parts(), start, isolated: false });
    const ask = { pgn: '1. f3 e5 2. g4 Qh4# 0-1', nodes: 1_000 };
    const step = vi.fn();
    const report = await engine.review(ask, step);
    expect(report?.moves.map(({ played }) => played.san)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
    expect(step).toHaveBeenCalledTimes(4);
    const tried = await engine.tryMove({ position: { moves: ['f3', 'e5'] }, best: 'e4', tried: 'g4', nodes: 2_000 });
    expect(tried).toMatchObject({ solved: false, points: 0 });
    // The next worker doesn't answer.
    engine.close();
    const stopped = engine.review(ask);
    const judged = engine.tryMove({ position: {}, best: 'e4', tried: 'd4', nodes: 2_000 });
    engine.stop();
    expect(await stopped).toBeUndefined();
    await expect(judged).rejects.toThrow('stopped');
  });

  test('where memory is shared, stop sets a flag', async () => {
    const worker = new Fake(true);
    const engine = new Engine({ ...parts(), start: () => worker, isolated: true });
    void engine.analyse({ position: {} });
    const [load] = worker.heard;
    const flag = load?.type === 'load' ? load.flag : undefined;
    expect(flag?.[0]).toBe(0);
    engine.stop();
    expect(flag?.[0]).toBe(1);
    expect(worker.terminated).toBe(false);
    await Promise.resolve();
  });

  test('a crash is reported, fails its question, and the others are asked again', async () => {
    const workers: Fake[] = [];
    const start = () => {
      const worker = new Fake(workers.length === 0);
      workers.push(worker);
      return worker;
    };
    const engine = new Engine({ ...parts(), start, isolated: false });
    engine.crashed = vi.fn();
    const [first, second] = [engine.analyse({ position: {} }), engine.analyse({ position: {}, limits: { depth: 2 } })];
    workers[0]?.tell({ type: 'crashed', text: 'it broke' });
    await expect(first).rejects.toThrow(Crash);
    expect((await second)?.best).toBeDefined();
    expect(engine.crashed).toHaveBeenCalledWith('it broke');
    expect(workers).toHaveLength(2);
  });
});
