// Writes a move tree as PGN.

import type { Schemas } from './api';
import { START } from './squares';
import { moveNumber, type Node, type Tree } from './tree';

export function pgn(tree: Tree, rules: Schemas['Rules']): string {
  const fields = tree.root.fen.split(' ');
  const own = ['Result', 'Variant', 'SetUp', 'FEN'];
  const known = tree.tags.filter(({ name }) => !own.includes(name));
  const tags = (known.length > 0 ? known : [{ name: 'Event', value: 'Analysis' }]).map(({ name, value }) => tag(name, value));
  tags.push(tag('Result', tree.result));
  if (rules === 'chess960') tags.push(tag('Variant', 'Chess960'));
  if (tree.root.fen !== START) tags.push(tag('SetUp', '1'), tag('FEN', tree.root.fen));
  const words: string[] = [];
  write(tree.root, true, fields[1] === 'b', Number(fields[5] ?? 1), words);
  words.push(tree.result);
  return `${tags.join('\n')}\n\n${wrap(words)}\n`;
}

/** NAGs written as suffixes (`!?`); others are written as numbers. */
const isMark = (sign: string) => /^[!?]+$/.test(sign);
const GLYPHS: Record<string, number> = {
  '□': 7,
  '=': 10,
  '~': 13,
  '+=': 14,
  '=+': 15,
  '+/-': 16,
  '-/+': 17,
  '+-': 18,
  '-+': 19,
  '⨀': 22,
  '○': 26,
  '⟳': 32,
  '↑': 36,
  '→': 40,
  '=∞': 44,
  '⇆': 132,
  '⊕': 138,
  '∆': 140,
  '∇': 141,
  '⌓': 142,
  N: 146,
};

function tag(name: string, value: string): string {
  return `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`;
}

function write(node: Node, first: boolean, black: boolean, number: number, out: string[]): void {
  let always = first;
  let [main, ...others] = node.children;
  while (main) {
    put(main, always, black, number, out);
    for (const other of others) {
      const from = out.length;
      put(other, true, black, number, out);
      write(other, other.comment !== undefined, black, number, out);
      out[from] = `(${out[from] ?? ''}`;
      out.push(`${out.pop() ?? ''})`);
    }
    always = others.length > 0 || main.comment !== undefined;
    [main, ...others] = main.children;
  }
}

function put(node: Node, always: boolean, black: boolean, first: number, out: string[]): void {
  const number = moveNumber(node.ply, black, first, always).replace('…', '...');
  if (number) out.push(number);
  const [marks, others] = [node.signs.filter(isMark), node.signs.filter((sign) => !isMark(sign))];
  out.push((node.move?.san ?? '') + marks.join(''));
  for (const sign of others) if (GLYPHS[sign]) out.push(`$${GLYPHS[sign]}`);
  // A brace would end the comment.
  if (node.comment !== undefined) out.push(...`{ ${node.comment.replaceAll('}', ')')} }`.split(/\s+/));
}

/** Wraps lines at 80 characters. */
function wrap(words: string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line && line.length + word.length >= 80) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line].join('\n');
}
