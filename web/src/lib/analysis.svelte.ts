// The engine of the analysis board: one position after another, searched in this browser or on the server.

import { think, type AnalysedLines, type Problem, type Schemas } from './api';
import { SocketLine, type Line } from './line';

/** The search in a worker of this browser. */
export interface Searcher {
  /** Searches until done or stopped, and tells the lines on the way; resolves with the last ones. */
  analyse(request: Schemas['AnalysisRequest'], tell: (thoughts: AnalysedLines) => void): Promise<AnalysedLines | undefined>;
  /** Ends the search at once. */
  stop(): void;
  setHash(megabytes: number): void;
  close(): void;
}

export class Engine {
  thoughts = $state.raw<AnalysedLines>();
  running = $state(false);
  problem = $state.raw<Problem>();
  lost = $state(false);
  /** Where it runs; what can't run here runs on the server. */
  place = $state<'browser' | 'server'>('server');

  #line: Line | undefined;
  #searcher: Searcher | undefined;
  #id = 0;
  #request: Schemas['AnalysisRequest'] | undefined;

  /** Runs in this browser from now on, if there is a searcher, or on the server. */
  use(searcher: Searcher | undefined): void {
    this.stop();
    if (searcher !== this.#searcher) this.#searcher?.close();
    this.#searcher = searcher;
    this.place = searcher ? 'browser' : 'server';
  }

  /** Sets the memory of the search in this browser. */
  setHash(megabytes: number): void {
    this.#searcher?.setHash(megabytes);
  }

  /** Analyses a position until a limit is reached, it is stopped, or given another. */
  analyse(request: Schemas['AnalysisRequest']): void {
    // A search answers one question after another.
    if (this.#request) this.#searcher?.stop();
    this.#request = request;
    this.thoughts = undefined;
    this.problem = undefined;
    if (this.#searcher) {
      this.#search(this.#searcher, request);
      return;
    }
    this.#line ??= new SocketLine('/api/analysis/socket', {
      open: () => this.#opened(),
      heard: (told) => this.#hear(told as Schemas['Analysed']),
      lost: () => (this.lost = true),
    });
    this.#ask();
  }

  stop(): void {
    // A glance goes on.
    if (this.#request) this.#searcher?.stop();
    this.#request = undefined;
    this.thoughts = undefined;
    this.running = false;
    this.#id++;
    this.#line?.send({ type: 'stop' });
  }

  close(): void {
    this.#request = undefined;
    this.#line?.close();
    this.#searcher?.close();
    this.#searcher = undefined;
  }

  /** The network is down. */
  drop(): void {
    this.#line?.drop();
  }

  /** The network is back. */
  retry(): void {
    if (this.lost) this.#line?.retry();
  }

  /** A short search of a position, for its score. */
  async glance(position: Schemas['PositionRequest'], nodes: number, signal: AbortSignal): Promise<Schemas['Score'] | undefined> {
    const request = { position, limits: { nodes } };
    const found = this.#searcher ? await this.#searcher.analyse(request, () => undefined) : await think(request, signal);
    return found?.lines[0]?.score;
  }

  #search(searcher: Searcher, request: Schemas['AnalysisRequest']): void {
    const id = ++this.#id;
    const isCurrent = () => id === this.#id && this.#request === request;
    this.running = true;
    const tell = (thoughts: AnalysedLines | undefined) => {
      if (isCurrent() && thoughts && thoughts.lines.length > 0) this.thoughts = thoughts;
    };
    searcher
      .analyse(request, tell)
      .then(tell)
      .catch((error: unknown) => {
        if (isCurrent()) this.problem = { type: 'about:blank', title: 'Riga', status: 500, detail: String(error) };
      })
      .finally(() => {
        if (isCurrent()) this.running = false;
      });
  }

  #opened(): void {
    this.lost = false;
    this.#line?.settled();
    this.#ask();
  }

  #ask(): void {
    if (!this.#request) return;
    this.running = true;
    this.#line?.send({ type: 'analyse', id: ++this.#id, request: this.#request });
  }

  #hear(told: Schemas['Analysed']): void {
    if (told.id !== this.#id || !this.#request) return;
    if (told.type === 'refused') {
      this.problem = told.problem;
      this.running = false;
      return;
    }
    const { lines, done } = told.thoughts;
    // A search that resumes after a pause starts shallow: keep the deeper lines until it catches up.
    const deeper = (lines[0]?.depth ?? 0) >= (this.thoughts?.lines[0]?.depth ?? 0);
    if (lines.length > 0 && deeper) this.thoughts = told.thoughts;
    // The server may have given the thread to someone else: try again later.
    this.running = !done || !this.#isEnough(lines[0]);
    if (done && this.running) setTimeout(() => told.id === this.#id && this.#ask(), PAUSE);
  }

  /** Whether a search ended on its own. */
  #isEnough(line: Schemas['AnalysedLine'] | undefined): boolean {
    const { depth, nodes } = this.#request?.limits ?? {};
    return (line?.depth ?? 0) >= (depth ?? DEEP) || (nodes != null && (line?.nodes ?? 0) >= nodes);
  }
}

/** How long to leave the thread to others, in milliseconds. */
const PAUSE = 500;
/** A search that reached this depth ended on its own. */
const DEEP = 200;
