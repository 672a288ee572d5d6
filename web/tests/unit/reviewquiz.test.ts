// Questions about key moments, with a core and an engine that answer as told.

import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', { location: { pathname: '/', search: '' }, addEventListener: vi.fn(), innerHeight: 900 });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });

const { Quiz } = await import('../../src/lib/reviewquiz.svelte');
import type { Review } from '../../src/lib/review.svelte';
import { legal, position } from './made';

const text = (san: string, uci: string) => ({ san, uci });

/** A game whose second move is a mistake: Nf6 instead of g6. */
function review(judge?: (tried: string) => { solved: boolean; best_points: number; points: number }): Review {
  const root = { fen: 'start w', move: undefined, parent: undefined };
  const first = { fen: 'first b', move: text('Qh5', 'd1h5'), parent: root };
  const second = { fen: 'second w', move: text('Nf6', 'g8f6'), parent: first };
  const moves = [{}, { played: text('Nf6', 'g8f6'), best: [text('g6', 'g7g6')], side: 'black', label: 'blunder', claims: [] }];
  const call = (_: string, { moves }: { moves: string[] }) => Promise.resolve({ ...position('black'), fen: moves.join() });
  const tryMove = ({ tried }: { tried: string }) => Promise.resolve(judge?.(tried));
  return {
    report: { moves },
    line: [first, second],
    study: { core: { call }, tree: { view: { start: 'start w' }, rules: 'standard' } },
    engine: () => Promise.resolve(judge && { tryMove }),
  } as unknown as Review;
}

async function asked(judge?: Parameters<typeof review>[0]) {
  const quiz = new Quiz(review(judge), [1]);
  await quiz.ask(0);
  return quiz;
}

test('the position before the mistake is asked about', async () => {
  const quiz = await asked();
  expect(quiz.position.fen).toBe('d1h5');
  expect([quiz.state, quiz.isOpen, quiz.ply]).toEqual(['asked', true, 1]);
});

test('the best move solves it, without a search', async () => {
  const judge = vi.fn();
  const quiz = await asked(judge);
  await quiz.attempt(legal('g6', 'g7g6'));
  expect([quiz.state, quiz.tried?.isBest, [...quiz.solved]]).toEqual(['solved', true, [1]]);
  expect(judge).not.toHaveBeenCalled();
});

test('another move solves it if the engine says so', async () => {
  const quiz = await asked(() => ({ solved: true, best_points: 55, points: 54 }));
  await quiz.attempt(legal('Qe7', 'd8e7'));
  expect([quiz.state, quiz.tried?.isBest, quiz.tried?.loss]).toEqual(['solved', false, 1]);
});

test('a wrong move is taken back, with what it costs', async () => {
  const quiz = await asked(() => ({ solved: false, best_points: 55, points: 5 }));
  await quiz.attempt(legal('d6', 'd7d6'));
  expect([quiz.state, quiz.tried?.loss, quiz.position.fen]).toEqual(['wrong', 50, 'd1h5']);
  expect(quiz.shapes().map(({ orig, dest, brush }) => [orig, dest, brush])).toEqual([['d7', 'd6', 'red']]);
});

test('the mistake itself is not searched again', async () => {
  const judge = vi.fn();
  const quiz = await asked(judge);
  await quiz.attempt(legal('Nf6', 'g8f6'));
  expect([quiz.state, quiz.tried?.isPlayed]).toEqual(['wrong', true]);
  expect(judge).not.toHaveBeenCalled();
});

test('without an engine, only the best move of the report is right', async () => {
  const quiz = await asked();
  await quiz.attempt(legal('Qe7', 'd8e7'));
  expect([quiz.state, quiz.tried?.loss]).toEqual(['wrong', undefined]);
});

test('a hint shows the piece, the solution its move; then nothing can be tried', async () => {
  const quiz = await asked();
  quiz.giveHint();
  expect(quiz.shapes()).toEqual([{ orig: 'g7', brush: 'green' }]);
  quiz.showSolution();
  expect(quiz.shapes()).toEqual([{ orig: 'g7', dest: 'g6', brush: 'green' }]);
  await quiz.attempt(legal('g6', 'g7g6'));
  expect([quiz.state, quiz.solved.size]).toEqual(['shown', 0]);
});

test('after the last question it is finished', async () => {
  const quiz = await asked();
  await quiz.ask(1);
  expect(quiz.state).toBe('finished');
});
