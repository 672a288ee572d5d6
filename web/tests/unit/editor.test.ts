import { describe, expect, test } from 'vitest';
import { EMPTY, changed, enPassant, fenOf, judged, place, rights, setupOf, type Allowed, type Setup } from '../../src/lib/editor';
import { START } from '../../src/lib/squares';

function made(fen: string): Setup {
  const setup = setupOf(fen);
  if (!setup) throw new Error(fen);
  return setup;
}

describe('a FEN', () => {
  test.each([
    START,
    '8/8/8/8/8/8/8/8 w - - 0 1',
    'r3k2r/8/8/3Pp3/8/8/8/R3K2R w Kq e6 3 40',
    'bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR b HEhe - 0 1',
  ])('that is read is written as it was: %s', (fen) => {
    expect(fenOf(made(fen))).toBe(fen);
  });

  test('may lack fields and have space around it', () => {
    expect(fenOf(made('  4k3/8/8/8/8/8/8/4K3   b\n'))).toBe('4k3/8/8/8/8/8/8/4K3 b - - 0 1');
  });

  test.each([
    '',
    'start',
    '8/8/8/8/8/8/8 w - - 0 1',
    '9/8/8/8/8/8/8/8 w - - 0 1',
    '44/8/8/8/8/8/8/8 w - - 0 1',
    '7x/8/8/8/8/8/8/8 w - - 0 1',
    '8/8/8/8/8/8/8/8 x - - 0 1',
    '8/8/8/8/8/8/8/8 w yes - 0 1',
    '8/8/8/8/8/8/8/8 w - e4 0 1',
    '8/8/8/8/8/8/8/8 w - - 0 one',
    '8/8/8/8/8/8/8/8 w - - 0 1 more',
  ])('is not every text: %s', (text) => {
    expect(setupOf(text)).toBeUndefined();
  });

  test('of an empty board is the empty board', () => {
    expect(judged(made('8/8/8/8/8/8/8/8'), { castling: '-', en_passant: [] })).toEqual(EMPTY);
  });
});

describe('men', () => {
  test('are put on squares, in place of others too', () => {
    const white = place('8/8/8/8/8/8/8/8', 'e4', { role: 'pawn', side: 'white' });
    expect(white).toBe('8/8/8/8/4P3/8/8/8');
    expect(place(white, 'e4', { role: 'king', side: 'black' })).toBe('8/8/8/8/4k3/8/8/8');
  });

  test('are taken away', () => {
    expect(place('8/8/8/8/4P3/8/8/8', 'e4', undefined)).toBe('8/8/8/8/8/8/8/8');
    expect(place('8/8/8/8/4P3/8/8/8', 'a1', undefined)).toBe('8/8/8/8/4P3/8/8/8');
  });
});

const NONE: Allowed = { castling: '-', en_passant: [] };

describe('castling', () => {
  test('rights come back with the rook', () => {
    const setup = judged(made(START), { ...NONE, castling: 'KQkq' });
    expect(rights(setup, { ...NONE, castling: 'Qkq' })).toBe('Qkq');
    expect(rights(setup, { ...NONE, castling: 'KQkq' })).toBe('KQkq');
    expect(rights(setup)).toBe('KQkq');
  });

  test('rights of Chess960 are kept as they are', () => {
    const setup = judged(made('bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR w KQkq - 0 1'), NONE);
    expect(setup.chess960).toBe(true);
    expect(rights(setup, NONE)).toBe('KQkq');
    expect(judged(setup, { ...NONE, castling: 'KQkq' })).toBe(setup);
  });
});

test('en passant ends with the pawn, and comes back with it', () => {
  const setup = made('4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1');
  expect(fenOf(setup, { ...NONE, en_passant: ['e6'] })).toBe('4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1');
  expect(fenOf(setup, NONE)).toBe('4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1');
  expect(enPassant(setup)).toBe('e6');
});

test('a change forgets how long nothing was taken, and keeps the number of the move', () => {
  expect(fenOf(changed(made('4k3/8/8/8/8/8/8/R3K3 w - - 12 40'), { turn: 'black' }))).toBe('4k3/8/8/8/8/8/8/R3K3 b - - 0 40');
});
