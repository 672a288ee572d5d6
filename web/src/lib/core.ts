// Game trees: the types of the core module's calls, and what answers them.

import type { components } from '../wasm/calls';
import type { CoreCalls as Calls } from '../wasm/door';

type Schemas = components['schemas'];
export type Brush = Schemas['Brush'];
export type Shape = Schemas['Shape'];
export type Note = Schemas['Note'];
export type NodeView = Schemas['NodeView'];
export type StudyView = Schemas['StudyView'];
export type ReadStudy = Schemas['ReadStudy'];
export type Edited = Schemas['Edited'];
export type GameResult = Schemas['GameResult'];
export type CoreCalls = Calls;

export interface Core {
  /** Whether games can be changed and written, not only shown and continued. */
  readonly edits: boolean;
  call<K extends keyof CoreCalls>(name: K, question: CoreCalls[K]['question']): Promise<CoreCalls[K]['answer']>;
}
