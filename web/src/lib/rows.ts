// A game as rows of a move list: the main line in two columns, with comments and alternatives below each move.

import { numberer, type Node, type Tree } from './tree';

/** A move of a variation, with the brackets of nested variations. */
export interface Piece {
  node: Node;
  number: string;
  before: string;
  after: string;
}

export interface Row {
  number: string;
  white?: Node;
  black?: Node;
  /** Comments on the last move of the row, and alternatives to it. */
  comment?: string | undefined;
  variations: Piece[][];
}

type Numbers = ReturnType<typeof numberer>;

/** A variation as a flat list of moves. */
function write(first: Node, number: Numbers): Piece[] {
  const out: Piece[] = [];
  let always = true;
  for (let at: Node | undefined = first; at; at = at.children[0]) {
    out.push({ node: at, number: number(at.ply, always || at.before !== undefined), before: '', after: '' });
    const others: Node[] = at === first ? [] : (at.parent?.children.slice(1) ?? []);
    for (const other of others) {
      const within = write(other, number);
      const [open, close] = [within[0], within.at(-1)];
      if (open) open.before = `(${open.before}`;
      if (close) close.after += ')';
      out.push(...within);
    }
    always = others.length > 0 || textOf(at) !== undefined;
  }
  return out;
}

/** The comment after a move, if there is one. */
export function textOf({ note }: Node): string | undefined {
  return note?.text ? note.text : undefined;
}

export function rowsOf(tree: Tree): Row[] {
  const number = numberer(tree.view.start);
  const startsWithBlack = tree.view.start.split(' ')[1] === 'b';
  const found: Row[] = [];
  let row: Row | undefined;
  for (const node of tree.mainLine()) {
    const white = (node.ply % 2 === 1) !== startsWithBlack;
    if (!row) {
      row = { number: number(node.ply, true).replace('…', '.'), variations: [] };
      found.push(row);
    }
    row[white ? 'white' : 'black'] = node;
    row.comment = textOf(node);
    row.variations = (node.parent?.children.slice(1) ?? []).map((other) => write(other, number));
    if (!white || row.comment !== undefined || row.variations.length > 0) row = undefined;
  }
  return found;
}
