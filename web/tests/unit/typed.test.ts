import { expect, test } from 'vitest';
import { find } from '../../src/lib/typed';
import { legal } from './made';

const MOVES = [
  legal('e4', 'e2e4'),
  legal('Nf3', 'g1f3'),
  legal('exd5', 'e4d5'),
  legal('O-O', 'e1g1'),
  legal('O-O-O', 'e1c1'),
  legal('Qxh7#', 'd3h7'),
  legal('a8=Q+', 'a7a8q'),
  legal('a8=N', 'a7a8n'),
  legal('bxc4', 'b3c4'),
  legal('Bxc4', 'd5c4'),
  legal('Bg5', 'c1g5'),
];

test.each([
  ['e4', 'e2e4'],
  ['  e4 ', 'e2e4'],
  ['e2e4', 'e2e4'],
  ['E2E4', 'e2e4'],
  ['nf3', 'g1f3'],
  ['Nf3!?', 'g1f3'],
  ['ed5', 'e4d5'],
  ['exd5+', 'e4d5'],
  ['0-0', 'e1g1'],
  ['o-o', 'e1g1'],
  ['0-0-0', 'e1c1'],
  ['o-o-o', 'e1c1'],
  ['Qh7', 'd3h7'],
  ['Qxh7+', 'd3h7'],
  ['a8Q', 'a7a8q'],
  ['a8=q', 'a7a8q'],
  ['a8n', 'a7a8n'],
  ['a7a8N', 'a7a8n'],
  ['bg5', 'c1g5'],
])('`%s` is %s', (text, uci) => {
  expect(find(MOVES, text)?.uci).toBe(uci);
});

test('case tells a bishop from a pawn', () => {
  expect(find(MOVES, 'bc4')?.uci).toBe('b3c4');
  expect(find(MOVES, 'Bc4')?.uci).toBe('d5c4');
});

test.each(['', '  ', 'x', '+', 'e5', 'BC4', 'O', 'Nf3 e5', 'e2-e5'])('`%s` is no move', (text) => {
  expect(find(MOVES, text)).toBeUndefined();
});

test('a pawn that arrives becomes a queen if nothing is said', () => {
  expect(find(MOVES, 'a8')?.uci).toBe('a7a8q');
  expect(find(MOVES, 'a7a8')?.uci).toBe('a7a8q');
  expect(find(MOVES, 'a8N')?.uci).toBe('a7a8n');
});

test('the letters of a language are understood beside the English ones', () => {
  const german = { K: 'K', Q: 'D', R: 'T', B: 'L', N: 'S' };
  expect(find(MOVES, 'Sf3', german)?.uci).toBe('g1f3');
  expect(find(MOVES, 'Nf3', german)?.uci).toBe('g1f3');
  expect(find(MOVES, 'a8S', german)?.uci).toBe('a7a8n');
  expect(find(MOVES, 'Sf3')).toBeUndefined();
});
