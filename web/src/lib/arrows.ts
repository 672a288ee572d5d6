// The arrows on the analysis board: one for each line of the engine, and what is drawn with a move.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Schemas } from './api';
import type { Brush, Shape } from './core';
import { share } from './words';

/** The thickest and the thinnest arrow. */
const WIDTH = [12, 3] as const;
/** A move that loses this share of the winning chances has the thinnest one. */
const MUCH = 0.2;

/** An arrow for the first move of each line, thinner the worse it is. */
export function arrowsOf(lines: Schemas['AnalysedLine'][], brush: string): DrawShape[] {
  const best = lines[0];
  const found = new Map<string, DrawShape>();
  for (const { moves, score } of lines) {
    const move = moves[0];
    if (move === undefined || !best || found.has(move.slice(0, 4))) continue;
    const loss = Math.min(1, Math.abs(share(best.score) - share(score)) / MUCH);
    const lineWidth = Math.round(WIDTH[0] - loss * (WIDTH[0] - WIDTH[1]));
    found.set(move.slice(0, 4), { orig: move.slice(0, 2) as Key, dest: move.slice(2, 4) as Key, brush, modifiers: { lineWidth } });
  }
  // The best one on top.
  return [...found.values()].reverse();
}

const BRUSHES: readonly string[] = ['green', 'red', 'yellow', 'blue'] satisfies Brush[];

/** What the user has drawn, to be kept. */
export function shapesOf(drawn: DrawShape[]): Shape[] {
  return drawn.flatMap(({ orig, dest, brush }) => {
    const known = BRUSHES.includes(brush ?? '') ? (brush as Brush) : 'green';
    return [{ brush: known, from: orig, ...(dest && dest !== orig ? { to: dest } : {}) }];
  });
}

/** What was kept, to be drawn. */
export function drawnOf(shapes: Shape[]): DrawShape[] {
  return shapes.map(({ brush, from, to }) => ({ brush, orig: from as Key, ...(to ? { dest: to as Key } : {}) }));
}
