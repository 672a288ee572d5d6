// A game with its variations, as shown on the analysis board. A tree never changes: each edit gives a new one.

import type { PlayedMove, Schemas } from './api';
import type { NodeView, Note, StudyView } from './core';
import { START } from './squares';

export interface Node {
  id: number;
  parent: Node | undefined;
  children: Node[];
  /** The move that leads here; undefined at the root. */
  move: PlayedMove | undefined;
  /** How many moves lead here. */
  ply: number;
  fen: string;
  /** Annotation glyphs: their numbers in PGN, and the symbols of those that have one. */
  nags: number[];
  signs: string[];
  /** What is said and drawn after the move. */
  note: Note | undefined;
  /** What is said before it, at the start of a variation. */
  before: string | undefined;
  opening: Schemas['Opening'] | undefined;
}

const ROOT: NodeView = { id: 0, ply: 0, nags: [], signs: [] };
const EMPTY: StudyView = { tags: [], rules: 'standard', start: START, result: '*', nodes: [ROOT], can_undo: false, can_redo: false };

export class Tree {
  readonly root: Node;
  #nodes = new Map<number, Node>();

  constructor(readonly view: StudyView = EMPTY) {
    for (const one of view.nodes) this.#put(one);
    this.root = this.#nodes.get(0) ?? this.#put(ROOT);
  }

  get rules(): Schemas['Rules'] {
    return this.view.rules;
  }

  tag(name: string): string | undefined {
    return this.view.tags.find((tag) => tag.name === name)?.value;
  }

  node(id: number): Node | undefined {
    return this.#nodes.get(id);
  }

  /** The main line from the root, without it. */
  mainLine(): Node[] {
    return onwards(this.root);
  }

  /** The whole line through a node: the way to it, and its main continuation. */
  lineThrough(node: Node): Node[] {
    return [...pathTo(node), ...onwards(node)];
  }

  #put({ id, parent, played, ply, nags, signs, note, before, opening }: NodeView): Node {
    const above = parent == null ? undefined : this.#nodes.get(parent);
    const node: Node = {
      id,
      parent: above,
      children: [],
      move: played ?? undefined,
      ply,
      fen: played?.fen ?? this.view.start,
      nags,
      signs,
      note: note ?? undefined,
      before: before?.text ? before.text : undefined,
      opening: opening ?? undefined,
    };
    above?.children.push(node);
    this.#nodes.set(id, node);
    return node;
  }
}

function onwards(node: Node): Node[] {
  const line: Node[] = [];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** A null move in UCI notation. */
export const NULL_MOVE = '0000';

/** The nodes from the root to a node, both included. */
export function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | undefined = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** The moves from the root to a node, in UCI notation. */
export function movesTo(node: Node): string[] {
  return pathTo(node).flatMap(({ move }) => (move ? [move.uci] : []));
}

/** The position of a node as a start and moves: those after the last null move, which no engine plays. */
export function lineTo(node: Node): { fen: string; moves: string[] } {
  const path = pathTo(node);
  const first = path.findLastIndex(({ move }) => !move || move.uci === NULL_MOVE);
  return { fen: path[first]?.fen ?? node.fen, moves: path.slice(first + 1).flatMap(({ move }) => (move ? [move.uci] : [])) };
}

/** The same place in the variation before or after that of a node: the alternative move where its line last branches off. */
export function beside(node: Node, step: 1 | -1): Node | undefined {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    if (siblings.length < 2) continue;
    const other = siblings[siblings.indexOf(at) + step];
    return other ?? siblings.at(step > 0 ? 0 : -1);
  }
  return undefined;
}

/** The start of the variation that a node belongs to; undefined on the main line. */
export function branchOf(node: Node): Node | undefined {
  for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return at;
  return undefined;
}

/** The time left on a side's clock at a node: after its last move. */
export function clockOf(node: Node, mover: 'us' | 'them'): number | undefined {
  const at = mover === 'them' ? node : node.parent;
  return at?.move?.clock ?? undefined;
}

/** The number before a move: `1.` for White, `1…` for Black where needed. */
export function moveNumber(ply: number, startsWithBlack: boolean, first: number, always: boolean): string {
  const half = ply - 1 + (startsWithBlack ? 1 : 0);
  const number = first + Math.floor(half / 2);
  if (half % 2 === 0) return `${number}.`;
  return always ? `${number}…` : '';
}

/** Numbers the moves of games that begin with a position. */
export function numberer(start: string): (ply: number, always: boolean) => string {
  const [, turn, , , , first] = start.split(' ');
  return (ply, always) => moveNumber(ply, turn === 'b', Number(first ?? 1), always);
}
