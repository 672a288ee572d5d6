// What a page and the engine's worker tell each other.

import type { components } from './calls';
import type { EngineCalls, Told } from './door';

export type About = components['schemas']['About'];
export type Ask = components['schemas']['Ask'];
export type Searched = components['schemas']['Searched'];
export type GameReport = components['schemas']['GameReport'];
export type ReviewAsk = components['schemas']['ReviewAsk'];
export type TryMove = components['schemas']['TryMove'];
export type Tried = components['schemas']['Tried'];

export type ToWorker =
  | {
      type: 'load';
      module: WebAssembly.Module;
      net: Uint8Array;
      seed: number;
      /** Shared where the page is isolated: searches up to the number in it are stopped. */
      flag: Int32Array | undefined;
    }
  | { [N in keyof EngineCalls]: { type: 'call'; id: number; name: N; question: EngineCalls[N]['question'] } }[keyof EngineCalls];

export type FromWorker =
  | { type: 'ready'; about: About }
  /** The lines of a search that goes on, or a move of a review that is judged. */
  | { type: 'report'; id: number; told: Told }
  | { type: 'answer'; id: number; answer: EngineCalls[keyof EngineCalls]['answer'] }
  /** There is no answer, such as for an illegal position. */
  | { type: 'trouble'; id: number; trouble: components['schemas']['Trouble'] }
  /** The module has crashed: this worker is of no use any more. */
  | { type: 'crashed'; text: string };
