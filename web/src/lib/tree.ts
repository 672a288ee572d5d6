// A game with its variations, as shown on the analysis board.

import type { GameView, PlayedMove, PositionView, Schemas } from './api';

export interface Node {
  id: number;
  parent: Node | undefined;
  children: Node[];
  /** The move that leads here; undefined at the root. */
  move: PlayedMove | undefined;
  /** How many moves lead here. */
  ply: number;
  fen: string;
  /** Comments on the move, and annotations such as `!?`. */
  comment: string | undefined;
  signs: string[];
  /** The opening's name, once the server has sent it. */
  opening?: Schemas['Opening'];
  /** The legal moves, once the server has sent them. */
  position?: PositionView;
  /** White's score in centipawns or a mate, once the engine has sent it. */
  score?: { cp: number } | { mate: number };
}

export class Tree {
  readonly root: Node;
  /** PGN tags, if any. */
  tags: Schemas['Tag'][] = [];
  result = '*';
  /** The opening of the whole game, where it is known. */
  opening: Schemas['Opening'] | undefined;
  #next = 1;

  constructor(fen: string) {
    this.root = { id: 0, parent: undefined, children: [], move: undefined, ply: 0, fen, comment: undefined, signs: [] };
  }

  /** A game with its comments and variations. */
  static of({ start, moves, tags, result }: Omit<Schemas['ReadGame'], 'rules' | 'remarks'>): Tree {
    const tree = new Tree(start);
    const nodes: Node[] = [];
    for (const { after, played, comment, signs } of moves) {
      const node = tree.add(after == null ? tree.root : (nodes[after] ?? tree.root), played);
      node.comment = comment ?? undefined;
      node.signs = signs;
      nodes.push(node);
    }
    tree.tags = tags;
    tree.result = result;
    return tree;
  }

  tag(name: string): string | undefined {
    return this.tags.find((tag) => tag.name === name)?.value;
  }

  /** Plays a move after a node: returns the existing child or a new one. */
  add(parent: Node, move: PlayedMove): Node {
    const known = parent.children.find((child) => child.move?.uci === move.uci);
    if (known) return known;
    const node: Node = {
      id: this.#next++,
      parent,
      children: [],
      move,
      ply: parent.ply + 1,
      fen: move.fen,
      comment: undefined,
      signs: [],
    };
    parent.children.push(node);
    return node;
  }

  /** Makes the line to a node the main line. */
  promote(node: Node): void {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Removes a node and its subtree; returns the node to show instead. */
  remove(node: Node): Node {
    if (!node.parent) {
      node.children.length = 0;
      return node;
    }
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    return node.parent;
  }

  /** The node reached by some moves, as far as they are in the tree. */
  find(moves: string[]): Node {
    let at = this.root;
    for (const uci of moves) {
      const next = at.children.find((child) => child.move?.uci === uci);
      if (!next) break;
      at = next;
    }
    return at;
  }

  /** The main line from the root. */
  mainLine(): Node[] {
    const line: Node[] = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }
}

/** The tree of a game played here. */
export function gameOf(game: GameView): Tree {
  const moves = game.moves.map((played, index) => ({ after: index > 0 ? index - 1 : null, played, signs: [] }));
  const tags = [
    { name: 'White', value: game.white.name },
    { name: 'Black', value: game.black.name },
  ];
  return Tree.of({ start: game.start, moves, tags, result: game.result });
}

/** The moves from the root to a node, in UCI notation. */
export function movesTo(node: Node): string[] {
  const moves: string[] = [];
  for (let at: Node | undefined = node; at?.move; at = at.parent) moves.unshift(at.move.uci);
  return moves;
}

/** The number before a move: `1.` for White, `1…` for Black where needed. */
export function moveNumber(ply: number, startsWithBlack: boolean, first: number, always: boolean): string {
  const half = ply - 1 + (startsWithBlack ? 1 : 0);
  const number = first + Math.floor(half / 2);
  if (half % 2 === 0) return `${number}.`;
  return always ? `${number}…` : '';
}
