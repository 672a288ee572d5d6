// The analysis socket: one position after another.

import { type AnalysedLines, type Problem, type Schemas } from './api';
import { Line } from './line';

export class Engine {
  thoughts = $state<AnalysedLines>();
  running = $state(false);
  problem = $state<Problem>();
  lost = $state(false);

  #line: Line | undefined;
  #id = 0;
  #request: Schemas['AnalysisRequest'] | undefined;

  /** Analyses a position until stopped or given another. */
  analyse(request: Schemas['AnalysisRequest']): void {
    this.#request = request;
    this.thoughts = undefined;
    this.problem = undefined;
    this.#line ??= new Line('/api/analysis/socket', {
      open: () => this.#opened(),
      heard: (told) => this.#hear(told as Schemas['Analysed']),
      lost: () => (this.lost = true),
    });
    this.#ask();
  }

  stop(): void {
    this.#request = undefined;
    this.thoughts = undefined;
    this.running = false;
    this.#line?.send({ type: 'stop' });
  }

  close(): void {
    this.#request = undefined;
    this.#line?.close();
  }

  /** The network is down. */
  drop(): void {
    this.#line?.drop();
  }

  /** The network is back. */
  retry(): void {
    if (this.lost) this.#line?.retry();
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
    this.running = !done || (lines[0]?.depth ?? 0) < DEEP;
    if (done && this.running) setTimeout(() => told.id === this.#id && this.#ask(), PAUSE);
  }
}

/** How long to leave the thread to others, in milliseconds. */
const PAUSE = 500;
/** A search that reached this depth ended on its own. */
const DEEP = 200;
