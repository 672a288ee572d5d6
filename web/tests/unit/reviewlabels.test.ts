import { expect, test } from 'vitest';
import { accuracyFormula, isAbout, LABELS, lossOf, momentsOf, nextAfter, phaseOf, scoreOf, SIGNS, type GameReport, type Label, type MoveReport } from '../../src/lib/reviewlabels';
import { settings } from '../../src/lib/settings.svelte';

function move(ply: number, label: Label): MoveReport {
  const text = { uci: `m${ply}`, san: `M${ply}` };
  return { played: text, side: ply % 2 === 0 ? 'white' : 'black', label, best: [text], best_points: 60, played_points: 55.5 } as MoveReport;
}

const report = (...labels: Label[]) => ({ start: 'start', moves: labels.map((label, ply) => move(ply, label)) }) as GameReport;

test('no two labels have the same sign', () => {
  expect(new Set(LABELS.map((label) => SIGNS[label].sign)).size).toBe(LABELS.length);
});

test('key moments are grave mistakes, of one side or both', () => {
  const all = report('blunder', 'mistake', 'inaccuracy', 'best', 'miss');
  expect(momentsOf(all)).toEqual([0, 1, 4]);
  expect(momentsOf(all, 'black')).toEqual([1]);
});

test('the next mistake is searched from the start again after the last one', () => {
  const all = report('best', 'blunder', 'best', 'blunder');
  const wanted = ({ label }: MoveReport) => label === 'blunder';
  expect([-1, 0, 1, 2, 3].map((ply) => nextAfter(all, ply, wanted))).toEqual([1, 1, 3, 3, 1]);
  expect(nextAfter(report('best'), 0, wanted)).toBeUndefined();
});

test('mates are counted in moves, and a mate on the board is won by the last mover', () => {
  expect(scoreOf({ cp: -30 }, 'white')).toEqual({ cp: -30 });
  expect(scoreOf({ mate: 3 }, 'white')).toEqual({ mate: 2 });
  expect(scoreOf({ mate: -4 }, 'white')).toEqual({ mate: -2 });
  expect(scoreOf({ mate: 0 }, 'white')).toEqual({ mate: 1 });
  expect(scoreOf({ mate: 0 }, 'black')).toEqual({ mate: -1 });
});

test('a report belongs to a game with the same start and moves', () => {
  const all = report('best', 'best');
  expect(isAbout(all, 'start', ['m0', 'm1'])).toBe(true);
  expect(isAbout(all, 'start', ['m0'])).toBe(false);
  expect(isAbout(all, 'start', ['m0', 'm2'])).toBe(false);
  expect(isAbout(all, 'elsewhere', ['m0', 'm1'])).toBe(false);
});

test('a better move than expected loses nothing', () => {
  expect(lossOf(move(0, 'best'))).toBe(4.5);
  expect(lossOf({ ...move(0, 'best'), played_points: 70 })).toBe(0);
});

test('a phase with a single move has no accuracy', () => {
  const phases = [88.5, 100, null];
  const moves = (['opening', 'opening', 'opening', 'opening', 'middlegame'] as const).map((phase, ply) => ({ ...move(ply, 'best'), phase }));
  const game = { moves, white: { phases }, black: { phases: [90, null, null] } } as GameReport;
  expect([0, 1, 2].map((index) => phaseOf(game, 'white', index))).toEqual([88.5, undefined, undefined]);
  expect([0, 1, 2].map((index) => phaseOf(game, 'black', index))).toEqual([90, undefined, undefined]);
});

test('the formula is written in the language that is set', () => {
  settings.language = 'de';
  expect(accuracyFormula('4,5')).toBe('103,17 · e^(−0,0435 · 4,5) − 2,17');
  settings.language = 'en';
  expect(accuracyFormula('4.5')).toBe('103.17 · e^(−0.0435 · 4.5) − 2.17');
});
