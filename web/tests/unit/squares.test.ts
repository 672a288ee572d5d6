import { describe, expect, test } from 'vitest';
import { balance, between, destinations, men, promotion, ways } from '../../src/lib/squares';
import { legal, START } from './made';

describe('the men of a position', () => {
  test('all 32 of the start stand where they belong', () => {
    const found = men(START);
    expect(found.size).toBe(32);
    expect(found.get('a1')).toEqual({ role: 'rook', side: 'white' });
    expect(found.get('d8')).toEqual({ role: 'queen', side: 'black' });
    expect(found.get('e1')).toEqual({ role: 'king', side: 'white' });
    expect(found.get('h7')).toEqual({ role: 'pawn', side: 'black' });
    expect(found.has('e4')).toBe(false);
  });

  test('numbers skip squares', () => {
    expect([...men('8/8/8/3p4/1N5k/8/8/K7 w - - 0 1').keys()]).toEqual(['d5', 'b4', 'h4', 'a1']);
  });

  test('an empty text has none', () => {
    expect(men('').size).toBe(0);
  });
});

test('destinations are gathered by the square they start from', () => {
  const found = destinations([legal('e4', 'e2e4'), legal('e3', 'e2e3'), legal('Nf3', 'g1f3')]);
  expect([...found]).toEqual([
    ['e2', ['e4', 'e3']],
    ['g1', ['f3']],
  ]);
});

describe('castling', () => {
  const BEFORE = 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1';

  test('is a click on the king’s next square or on the rook, and the same move', () => {
    const found = ways([legal('O-O+', 'e8g8'), legal('O-O-O', 'e8c8'), legal('Kd7', 'e8d7')], BEFORE);
    expect(destinations(found).get('e8')).toEqual(['g8', 'h8', 'c8', 'a8', 'd7']);
    expect(between(found, 'e8', 'h8').map((move) => move.uci)).toEqual(['e8g8']);
    expect(between(found, 'e8', 'a8').map((move) => move.uci)).toEqual(['e8c8']);
  });

  test('in Chess960 is a click on the rook only', () => {
    const castling = legal('O-O', 'e8h8');
    expect(ways([castling], BEFORE)).toEqual([castling]);
  });
});

test('several moves between two squares promote', () => {
  const moves = ['q', 'r', 'b', 'n'].map((role) => legal(`a8=${role.toUpperCase()}`, `a7a8${role}`));
  const found = between([legal('Kb2', 'a1b2'), ...moves], 'a7', 'a8');
  expect(found.map(promotion)).toEqual(['queen', 'rook', 'bishop', 'knight']);
  expect(promotion(legal('e4', 'e2e4'))).toBeUndefined();
});

describe('the balance', () => {
  test('at the start nobody has more', () => {
    const even = { extra: [], ahead: 0 };
    expect(balance(START)).toEqual({ white: even, black: even });
  });

  test('both may have more of something, but only one is ahead', () => {
    // White: queen, pawn. Black: rook, two knights.
    const found = balance('4k3/8/2nn4/8/8/3Q4/4P3/r3K3 w - - 0 1');
    expect(found.white).toEqual({ extra: ['queen', 'pawn'], ahead: 0 });
    expect(found.black).toEqual({ extra: ['rook', 'knight', 'knight'], ahead: 1 });
  });
});
