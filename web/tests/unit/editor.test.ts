import { describe, expect, test } from 'vitest';
import { EMPTY, canCastle, changed, enPassants, fenOf, place, rights, setupOf, type Setup } from '../../src/lib/editor';
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
    expect(made('8/8/8/8/8/8/8/8')).toEqual(EMPTY);
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

describe('castling', () => {
  test('needs king and rook of its side on their squares', () => {
    const can = [...'KQkq'].filter((letter) => canCastle('R3k3/8/8/8/8/8/8/R3K2r', letter));
    expect(can).toEqual(['Q']);
  });

  test('rights come back with the rook', () => {
    const without = changed(made(START), { placement: place(made(START).placement, 'h1', undefined) });
    expect(rights(without)).toBe('Qkq');
    expect(rights(changed(without, { placement: made(START).placement }))).toBe('KQkq');
  });

  test('rights of Chess960 are kept as they are', () => {
    const setup = made('bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR w KQkq - 0 1');
    expect(rights(changed(setup, { placement: place(setup.placement, 'e2', undefined) }))).toBe('KQkq');
  });
});

describe('en passant', () => {
  test('needs a pawn that can have run, and one beside it', () => {
    const placement = '4k3/5p2/8/1pPp1pPp/p7/8/8/4K3';
    expect(enPassants(placement, 'white')).toEqual(['b6', 'd6', 'h6']);
    expect(enPassants(placement, 'black')).toEqual([]);
    expect(enPassants('4k3/8/8/8/pP6/8/8/4K3', 'black')).toEqual(['b3']);
  });

  test('ends with the pawn, and with the other side to move', () => {
    const setup = made('4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1');
    expect(changed(setup, { castling: '' }).enPassant).toBe('e6');
    expect(changed(setup, { turn: 'black' }).enPassant).toBe('-');
    expect(changed(setup, { placement: place(setup.placement, 'd5', undefined) }).enPassant).toBe('-');
  });
});

test('a change forgets how long nothing was taken, and keeps the number of the move', () => {
  expect(fenOf(changed(made('4k3/8/8/8/8/8/8/R3K3 w - - 12 40'), { turn: 'black' }))).toBe('4k3/8/8/8/8/8/8/R3K3 b - - 0 40');
});
