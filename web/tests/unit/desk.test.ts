// The parts of the analysis board that can be tested without one.

import { describe, expect, test, vi } from 'vitest';
import { arrowsOf, drawnOf, shapesOf } from '../../src/lib/arrows';
import type { Schemas } from '../../src/lib/api';
import { signsOf, toggled } from '../../src/lib/glyphs';
import { isFen, sideIn } from '../../src/lib/opened';
import { read, within } from '../../src/lib/preferences.svelte';
import { settings } from '../../src/lib/settings.svelte';
import { joinTags, splitTags } from '../../src/lib/tags';
import { roughly } from '../../src/lib/words';
import { START } from './made';

vi.stubGlobal('innerHeight', 900);

describe('glyphs', () => {
  test('a move has one of its kind, and a position has one verdict', () => {
    expect(toggled([], 1)).toEqual([1]);
    expect(toggled([1, 16], 4)).toEqual([4, 16]);
    expect(toggled([1, 16], 10)).toEqual([1, 10]);
    expect(toggled([1, 22], 36)).toEqual([1, 22, 36]);
    expect(toggled([1, 16], 16)).toEqual([1]);
  });

  test('those that are not offered are shown as in the file', () => {
    expect(signsOf({ nags: [5, 16], signs: ['!?', '+/-'] })).toBe('!?±');
    expect(signsOf({ nags: [5, 140], signs: ['!?', '∆'] })).toBe('!?∆');
    expect(signsOf({ nags: [], signs: ['??'] })).toBe('??');
  });
});

describe('arrows', () => {
  const line = (move: string, cp: number) => ({ moves: [move], score: { cp } }) as unknown as Schemas['AnalysedLine'];

  test('each line has one, thinner the worse it is, and the best is on top', () => {
    const arrows = arrowsOf([line('e2e4', 40), line('d2d4', 30), line('a2a3', -300)], 'blue');
    expect(arrows.map(({ orig, dest }) => `${orig}${dest ?? ''}`)).toEqual(['a2a3', 'd2d4', 'e2e4']);
    const [worst, second, best] = arrows.map(({ modifiers }) => modifiers?.lineWidth ?? 0);
    expect(best).toBe(12);
    expect(second).toBeLessThanOrEqual(12);
    expect(worst).toBe(3);
  });

  test('promotions of the same pawn share theirs', () => {
    expect(arrowsOf([line('a7a8q', 900), line('a7a8r', 800)], 'blue')).toHaveLength(1);
  });

  test('what is drawn is kept, and drawn again', () => {
    const shapes = [
      { brush: 'red', from: 'e4' },
      { brush: 'green', from: 'g1', to: 'f3' },
    ] as const;
    expect(shapesOf(drawnOf([...shapes]))).toEqual(shapes);
  });
});

describe('tags', () => {
  const TAGS = [
    { name: 'Event', value: 'Club' },
    { name: 'White', value: 'Anna' },
    { name: 'ECO', value: 'C20' },
  ];

  test('they are the same again if nothing is changed', () => {
    const { usual, others } = splitTags(TAGS);
    expect(joinTags(TAGS, usual, others)).toEqual(TAGS);
  });

  test('new ones come last, and empty ones go', () => {
    const { usual, others } = splitTags(TAGS);
    const changed = joinTags(TAGS, { ...usual, Event: ' ', Black: 'Boris ' }, `${others}\nAnnotator  Dr. C. D.\nnonsense`);
    expect(changed).toEqual([
      { name: 'White', value: 'Anna' },
      { name: 'ECO', value: 'C20' },
      { name: 'Black', value: 'Boris' },
      { name: 'Annotator', value: 'Dr. C. D.' },
    ]);
  });
});

test('preferences that make no sense are ignored', () => {
  const kept = read({ lines: 500, depth: 'deep', place: 'moon', engine: false, hash: 64.4, other: 1 });
  expect(kept).toMatchObject({ lines: 10, depth: 24, place: 'browser', engine: false, hash: 64 });
  expect(kept).not.toHaveProperty('other');
  expect(within('lines', NaN)).toBeUndefined();
  expect(read(null).lines).toBe(3);
});

test('the bar rounds to a tenth of a pawn', () => {
  settings.language = 'en';
  expect([57, 54, -55, 4, 996, 1240].map((cp) => roughly({ cp }))).toEqual(['0.6', '0.5', '0.6', '0.0', '10', '12']);
  expect(roughly({ mate: -3 })).toBe('#3');
});

test('a FEN is told from a PGN', () => {
  expect(isFen(`  ${START}`)).toBe(true);
  expect(isFen('[Site "a/b/c/d/e/f/g/h"]\n\n1. e4')).toBe(false);
  expect(isFen('1. e4 e5 1/2-1/2')).toBe(false);
});

test('a game against the engine is seen from the other side', () => {
  const player = (level: number | null) => ({ name: '?', level });
  expect(sideIn({ white: player(3), black: player(null) })).toBe('black');
  expect(sideIn({ white: player(null), black: player(3) })).toBe('white');
  expect(sideIn({ white: player(null), black: player(null) })).toBe('white');
});
