// Game trees: the calls of the core module, and which implementation answers them.

import type { PlayedMove, PositionView, Schemas } from './api';

export type Brush = 'green' | 'red' | 'yellow' | 'blue';

/** An arrow, or a circle if it has no other end. */
export interface Shape {
  brush: Brush;
  from: string;
  to?: string | null;
}

/** What is said and drawn about a move. */
export interface Note {
  text: string;
  /** From White's point of view. */
  score?: Schemas['Score'] | null;
  depth?: number | null;
  clock?: number | null;
  elapsed?: number | null;
  shapes: Shape[];
}

export interface NodeView {
  id: number;
  parent?: number | null;
  ply: number;
  played?: PlayedMove | null;
  nags: number[];
  signs: string[];
  note?: Note | null;
  /** The comment before it, at the start of a variation. */
  before?: Note | null;
  opening?: Schemas['Opening'] | null;
}

export interface StudyView {
  tags: Schemas['Tag'][];
  rules: Schemas['Rules'];
  start: string;
  result: string;
  /** The start first; each comes after its parent, and main lines before variations. */
  nodes: NodeView[];
  can_undo: boolean;
  can_redo: boolean;
}

export interface ReadStudy {
  study: number;
  tags: Schemas['Tag'][];
  result: string;
  plies: number;
  remarks: string[];
}

interface StudyAt {
  study: number;
}

interface NodeAt extends StudyAt {
  node: number;
}

interface Annotate extends NodeAt {
  before?: boolean;
  text?: string;
  nags?: number[];
  shapes?: Shape[];
}

interface SetTags extends StudyAt {
  tags?: Schemas['Tag'][];
  result?: string;
}

interface Play extends NodeAt {
  moves: string[];
}

export interface Edited {
  /** The node to show. */
  node: number;
  view: StudyView;
}

interface Call<Question, Answer> {
  question: Question;
  answer: Answer;
}

export interface CoreCalls {
  position: Call<Schemas['PositionRequest'], PositionView>;
  open: Call<Schemas['PositionRequest'], { study: number; view: StudyView }>;
  read: Call<{ pgn: string }, { games: ReadStudy[]; problems: string[] }>;
  view: Call<StudyAt, StudyView>;
  look: Call<NodeAt, PositionView>;
  play: Call<Play, Edited>;
  promote: Call<NodeAt, Edited>;
  demote: Call<NodeAt, Edited>;
  make_main: Call<NodeAt, Edited>;
  remove: Call<NodeAt, Edited>;
  annotate: Call<Annotate, Edited>;
  set_tags: Call<SetTags, Edited>;
  undo: Call<NodeAt, Edited>;
  redo: Call<NodeAt, Edited>;
  write: Call<StudyAt, { pgn: string }>;
  write_line: Call<NodeAt, { pgn: string }>;
  find: Call<Play, { node: number }>;
  close: Call<StudyAt, object>;
}

export interface Core {
  /** Whether games can be changed and written, not only shown and continued. */
  readonly edits: boolean;
  call<K extends keyof CoreCalls>(name: K, question: CoreCalls[K]['question']): Promise<CoreCalls[K]['answer']>;
}
