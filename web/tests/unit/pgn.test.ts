import { expect, test } from 'vitest';
import { pgn } from '../../src/lib/pgn';
import { Tree, type Node } from '../../src/lib/tree';
import { played, START } from './made';

function line(tree: Tree, from: Node, ...moves: string[]): Node {
  return moves.reduce((at, move) => tree.add(at, played(move)), from);
}

/** The moves, without the tags. */
const movetext = (text: string) => text.slice(text.indexOf('\n\n') + 2).trimEnd();

test('a game from the usual start has no FEN', () => {
  const tree = new Tree(START);
  line(tree, tree.root, 'e4', 'e5', 'Nf3');
  expect(pgn(tree, 'standard')).toBe('[Event "Analysis"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n');
});

test('another start and other rules are said', () => {
  const fen = 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1';
  const text = pgn(new Tree(fen), 'chess960');
  expect(text).toContain('[Variant "Chess960"]\n[SetUp "1"]\n[FEN "' + fen + '"]\n');
  expect(movetext(text)).toBe('*');
});

test('variations stand after the move they replace, and the number is said again after them', () => {
  const tree = new Tree(START);
  const e4 = line(tree, tree.root, 'e4');
  const e5 = line(tree, e4, 'e5');
  line(tree, e5, 'Nf3', 'Nc6');
  const c5 = line(tree, e4, 'c5');
  line(tree, c5, 'Nf3', 'd6');
  line(tree, c5, 'c3');
  line(tree, tree.root, 'd4');
  expect(movetext(pgn(tree, 'standard'))).toBe('1. e4 (1. d4) 1... e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2. Nf3 Nc6 *');
});

test('variations that end together close together', () => {
  const tree = new Tree(START);
  const e4 = line(tree, tree.root, 'e4');
  line(tree, e4, 'e5');
  const c5 = line(tree, e4, 'c5');
  line(tree, c5, 'Nf3');
  line(tree, c5, 'c3');
  expect(movetext(pgn(tree, 'standard'))).toBe('1. e4 e5 (1... c5 2. Nf3 (2. c3)) *');
});

test('Black to move first has dots, and the numbers go on from the position', () => {
  const tree = new Tree('4k3/8/8/8/8/8/4p3/K7 b - - 0 40');
  line(tree, tree.root, 'Kd7', 'Kb2', 'e1=Q');
  expect(movetext(pgn(tree, 'standard'))).toBe('40... Kd7 41. Kb2 e1=Q *');
});

test('no line is longer than 80 characters and no move is lost', () => {
  const tree = new Tree(START);
  const moves = Array.from({ length: 200 }, (_, ply) => `N${'abcdefgh'.charAt(ply % 8)}${(ply % 5) + 1}`);
  line(tree, tree.root, ...moves);
  const lines = movetext(pgn(tree, 'standard')).split('\n');
  expect(Math.max(...lines.map((one) => one.length))).toBeLessThanOrEqual(80);
  expect(Math.min(...lines.slice(0, -1).map((one) => one.length))).toBeGreaterThan(70);
  const words = lines.join(' ').split(' ');
  expect(words.filter((word) => !word.endsWith('.') && word !== '*')).toEqual(moves);
});

test('comments, signs, tags and the result are written', () => {
  const moves = [
    { after: null, played: played('e4'), signs: ['!?'], comment: 'a {brace} in it' },
    { after: 0, played: played('e5'), signs: [] },
  ];
  const tags = [
    { name: 'White', value: 'O"Brien \\' },
    { name: 'Result', value: '*' },
  ];
  const text = pgn(Tree.of({ start: START, moves, tags, result: '0-1' }), 'standard');
  expect(text).toBe('[White "O\\"Brien \\\\"]\n[Result "0-1"]\n\n1. e4!? { a {brace) in it } 1... e5 0-1\n');
});
