// The engine in this browser: a worker that is started when it is needed, stopped at once, and replaced if it crashes.

import { Crash, Trouble, type AnalysedLines, type EngineCalls, type ReviewStep, type Told } from './door';
import { compile, engineAddress, netAddress } from './modules';
import type { About, Ask, FromWorker, GameReport, ReviewAsk, Searched, ToWorker, Tried, TryMove } from './protocol';

/** What is needed of a `Worker`. */
export interface Worklike {
  postMessage: (message: ToWorker) => void;
  terminate: () => void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
}

export interface Parts {
  module: WebAssembly.Module;
  net: Uint8Array;
  start: () => Worklike;
  /** Whether memory can be shared with the worker. */
  isolated: boolean;
}

interface Call {
  id: number;
  name: keyof EngineCalls;
  question: EngineCalls[keyof EngineCalls]['question'];
  report: ((told: never) => void) | undefined;
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
  last?: Told;
}

export class Engine {
  /** Called when the worker has crashed and another one takes its place. */
  crashed: ((text: string) => void) | undefined;

  readonly #parts: Parts;
  readonly #flag: Int32Array | undefined;
  #worker: Worklike | undefined;
  #queue: Call[] = [];
  #id = 0;
  /** Set again in each new worker. */
  #hash: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    if (parts.isolated) this.#flag = new Int32Array(new SharedArrayBuffer(4));
  }

  /**
   * Searches after the calls before it. Lines are reported on the way. The answer is undefined if the search was
   * stopped before it had found anything.
   */
  analyse(ask: Ask, report?: (thoughts: AnalysedLines) => void): Promise<Searched | undefined> {
    return this.#call('analyse', ask, report);
  }

  /** Reviews a game; the label of each move is reported on the way. The report is undefined if it was stopped. */
  async review(ask: ReviewAsk, report?: (step: ReviewStep) => void): Promise<GameReport | undefined> {
    return (await this.#call('review', ask, report)).report ?? undefined;
  }

  /** Judges a move that is tried instead of a mistake. */
  tryMove(ask: TryMove): Promise<Tried> {
    return this.#call('try_move', ask);
  }

  /** Sets the size of the hash table in MiB, or clears everything for another game. */
  async configure(question: EngineCalls['configure']['question']): Promise<About> {
    const about = await this.#call('configure', question);
    if (question.hash != null) this.#hash = about.hash;
    return about;
  }

  bench(depth?: number): Promise<EngineCalls['bench']['answer']> {
    return this.#call('bench', depth === undefined ? {} : { depth });
  }

  /** Stops all searches; they are answered with what they have found. */
  stop(): void {
    if (this.#queue.length === 0) return;
    if (this.#flag) {
      Atomics.store(this.#flag, 0, this.#id);
      return;
    }
    // The worker can't hear anything while it searches. Another one is there sooner than a search could be cut into
    // pieces; it only lacks what the old one had in its hash table.
    const stopped = this.#queue;
    this.#queue = [];
    this.#end();
    for (const call of stopped) {
      if (call.name === 'analyse') call.resolve(found(call.last as AnalysedLines | undefined) as never);
      else if (call.name === 'review') call.resolve({ report: null } as never);
      else if (call.name === 'try_move') call.reject(new Error('the engine was stopped'));
      else this.#put(call);
    }
    this.#start();
  }

  /** Ends the worker. The next call starts another one. */
  close(): void {
    const left = this.#queue;
    this.#queue = [];
    this.#end();
    for (const call of left) call.reject(new Error('the engine was closed'));
  }

  #call<N extends keyof EngineCalls>(
    name: N,
    question: EngineCalls[N]['question'],
    report?: (told: never) => void,
  ): Promise<EngineCalls[N]['answer']> {
    return new Promise((resolve, reject) => this.#put({ id: ++this.#id, name, question, report, resolve, reject }));
  }

  #put(call: Call): void {
    this.#queue.push(call);
    if (!this.#worker) this.#start();
    else this.#send(call);
  }

  #send({ id, name, question }: Call): void {
    this.#worker?.postMessage({ type: 'call', id, name, question } as ToWorker);
  }

  /** Starts a worker and gives it all calls that are waiting. */
  #start(): void {
    const { module, net, start } = this.#parts;
    const worker = start();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => this.#replace(message);
    worker.postMessage({ type: 'load', module, net, seed: Math.random(), flag: this.#flag });
    if (this.#hash !== undefined) {
      worker.postMessage({ type: 'call', id: 0, name: 'configure', question: { hash: this.#hash } });
    }
    for (const call of this.#queue) this.#send(call);
  }

  #end(): void {
    if (!this.#worker) return;
    this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker.terminate();
    this.#worker = undefined;
  }

  #hear(message: FromWorker): void {
    if (message.type === 'ready') return;
    if (message.type === 'crashed') {
      this.#replace(message.text);
      return;
    }
    const call = this.#queue.find(({ id }) => id === message.id);
    if (!call) return;
    if (message.type === 'report') {
      call.last = message.told;
      call.report?.(message.told as never);
      return;
    }
    this.#queue = this.#queue.filter((one) => one !== call);
    if (message.type === 'answer') call.resolve(message.answer as never);
    else call.reject(new Trouble(message.trouble));
  }

  /** The call that made the worker crash fails; the others are made again, in another worker. */
  #replace(text: string): void {
    this.#end();
    const guilty = this.#queue.shift();
    guilty?.reject(new Crash(text));
    this.crashed?.(text);
    if (this.#queue.length > 0) this.#start();
  }
}

/** What a search had found when it was stopped. */
function found(last: AnalysedLines | undefined): Searched | undefined {
  const line = last?.lines[0];
  const [best, san] = [line?.moves[0], line?.san[0]];
  if (!last || best === undefined || san === undefined) return undefined;
  return { best, san, thoughts: { ...last, done: true } };
}

let loading: Promise<Parts> | undefined;
let shared: Promise<Engine> | undefined;

/** The engine of this page, loaded once; undefined if it wasn't built. */
export function useEngine(): Promise<Engine> | undefined {
  const found = parts();
  if (!found) return undefined;
  shared ??= found.then((parts) => new Engine(parts));
  // A failed download is tried again next time.
  shared.catch(() => (shared = undefined));
  return shared;
}

/** An engine with a worker and a memory of its own, for work that nothing else should stop. */
export function ownEngine(): Promise<Engine> | undefined {
  return parts()?.then((parts) => new Engine(parts));
}

function parts(): Promise<Parts> | undefined {
  const [code, net] = [engineAddress(), netAddress()];
  if (code === undefined || net === undefined) return undefined;
  loading ??= load(code, net);
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load(code: string, net: string): Promise<Parts> {
  const fetched = async () => {
    const response = await fetch(net);
    if (!response.ok) throw new Error(`${net}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const [module, bytes] = await Promise.all([compile(code), fetched()]);
  const start = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }) as unknown as Worklike;
  return { module, net: bytes, start, isolated: globalThis.crossOriginIsolated };
}
