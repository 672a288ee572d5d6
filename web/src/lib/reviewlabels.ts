// The labels of a review: their order, signs and colors, and the moves that have them.

import type { components } from '../wasm/calls';
import type { Schemas, Side } from './api';
import { decimal } from './words';

type Types = components['schemas'];
export type GameReport = Types['GameReport'];
export type MoveReport = Types['MoveReport'];
export type MoveText = Types['MoveText'];
export type Claim = Types['Claim'];
export type Label = Types['Label'];
export type ScoreText = Types['ScoreText'];
export type ToldReview = Types['ToldReview'];

/** In the order in which reports count them. */
export const LABELS: readonly Label[] = ['brilliant', 'great', 'best', 'excellent', 'good', 'book', 'forced', 'inaccuracy', 'mistake', 'miss', 'blunder'];

/** The sign and the color of each label. No two have the same sign, so that the color is not all there is. */
export const SIGNS: Record<Label, { sign: string; color: string }> = {
  brilliant: { sign: '!!', color: '#1baaa6' },
  great: { sign: '!', color: '#5b8baf' },
  best: { sign: '★', color: '#22ac38' },
  excellent: { sign: '✓', color: '#7da75d' },
  good: { sign: '+', color: '#8a9a78' },
  book: { sign: '≡', color: '#a88764' },
  forced: { sign: '□', color: '#8a8478' },
  inaccuracy: { sign: '?!', color: '#56b4e9' },
  mistake: { sign: '?', color: '#e69f00' },
  miss: { sign: '×', color: '#f0886a' },
  blunder: { sign: '??', color: '#df5353' },
};

/** The sign in the corner of a square of 100 by 100: inside it, so that the edge of the board doesn't cut it. */
export function signOf(label: Label): string {
  const { sign, color } = SIGNS[label];
  return `<circle cx="81" cy="19" r="17" fill="${color}" stroke="#fff" stroke-width="2.5"/><text x="81" y="26" text-anchor="middle" font-size="20" font-weight="700" fill="#14120f">${sign}</text>`;
}

const MARKED: readonly Label[] = ['inaccuracy', 'mistake', 'miss', 'blunder'];
const GRAVE: readonly Label[] = ['mistake', 'miss', 'blunder'];
const NOTABLE: readonly Label[] = ['brilliant', 'great', ...MARKED];

/** Whether the move is criticised. */
export const isMarked = (label: Label) => MARKED.includes(label);
/** Whether the move has a mark in the graph. */
export const isNotable = (label: Label) => NOTABLE.includes(label);

/** The key moments: mistakes to which a better move is to be found, of one side or both. */
export function momentsOf(report: GameReport, side?: Side): number[] {
  return report.moves.flatMap(({ label, side: mover, best }, ply) => (GRAVE.includes(label) && best.length > 0 && (!side || mover === side) ? [ply] : []));
}

/** The next move after a ply that is wanted, from the start again after the last; undefined if there is none. */
export function nextAfter(report: GameReport, ply: number, wanted: (move: MoveReport) => boolean): number | undefined {
  const found = report.moves.flatMap((move, at) => (wanted(move) ? [at] : []));
  return found.find((at) => at > ply) ?? found[0];
}

/** The phases of a game, in the order in which reports count them. */
const PHASES: readonly MoveReport['phase'][] = ['opening', 'middlegame', 'endgame'];

/** The accuracy of a side in a phase; one move alone is no figure. */
export function phaseOf(report: GameReport, side: Side, index: number): number | undefined {
  const own = report.moves.filter((move) => move.side === side && move.phase === PHASES[index]);
  return own.length < 2 ? undefined : (report[side].phases[index] ?? undefined);
}

/** How many points of expected score a move has lost. */
export const lossOf = ({ best_points, played_points }: MoveReport) => Math.max(0, best_points - played_points);

/** A score as it is shown. Reports count plies to a mate, people moves; a mate on the board is won by who has moved last. */
export function scoreOf(score: ScoreText, mover: Side): Schemas['Score'] {
  if ('cp' in score) return score;
  if (score.mate === 0) return { mate: mover === 'white' ? 1 : -1 };
  return { mate: Math.sign(score.mate) * Math.ceil(Math.abs(score.mate) / 2) };
}

/** Whether a report is about the game with this start and these moves. */
export function isAbout(report: GameReport, start: string, moves: string[]): boolean {
  return report.start === start && report.moves.length === moves.length && report.moves.every(({ played }, ply) => played.uci === moves[ply]);
}

/** The published formula of a move's accuracy, with its numbers. */
export function accuracyFormula(loss: string): string {
  return `${decimal(103.17, 2)} · e^(−${decimal(0.0435, 4)} · ${loss}) − ${decimal(2.17, 2)}`;
}
