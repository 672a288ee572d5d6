// The engine in a worker of this browser, for the analysis board.

import type { Searcher } from './analysis.svelte';
import { think, type AnalysedLines, type Schemas } from './api';
import { useEngine, type Engine } from '../wasm/engine';

class Local implements Searcher {
  #hash: number | undefined;

  constructor(private readonly engine: Engine) {}

  async analyse(request: Schemas['AnalysisRequest'], tell: (thoughts: AnalysedLines) => void): Promise<AnalysedLines | undefined> {
    const { position, limits, lines } = request;
    const searched = await this.engine.analyse({ position, limits: limits ?? {}, lines: lines ?? 1 }, tell);
    return searched?.thoughts;
  }

  stop(): void {
    this.engine.stop();
  }

  setHash(megabytes: number): void {
    if (this.#hash === megabytes) return;
    this.#hash = megabytes;
    this.engine.configure({ hash: megabytes }).catch(() => (this.#hash = undefined));
  }

  close(): void {
    this.engine.close();
  }
}

/** Undefined if there is none, or it can't be loaded. */
export async function searcher(): Promise<Searcher | undefined> {
  try {
    const engine = await useEngine();
    return engine && new Local(engine);
  } catch {
    return undefined;
  }
}

/** Searches here, or on the server if there is no engine here. */
export async function searched(request: Schemas['AnalysisRequest']): Promise<AnalysedLines | undefined> {
  const here = await searcher();
  return here ? here.analyse(request, () => undefined) : think(request);
}
