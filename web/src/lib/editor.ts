// A position being set up: it may be illegal.

import { read, write } from '@lichess-org/chessground/fen';
import type { Key } from '@lichess-org/chessground/types';
import type { Schemas, Side } from './api';
import type { Piece } from './squares';

/** What a board allows. */
export type Allowed = Schemas['SetupView'];

export interface Setup {
  /** Piece placement, as the first field of a FEN. */
  placement: string;
  turn: Side;
  /** The requested castling rights; only those that the pieces allow count. */
  castling: string;
  /** Whether the rights are for Chess960 squares; then they are kept as they are. Undefined until the board is known. */
  chess960: boolean | undefined;
  enPassant: string;
  halfmoves: string;
  fullmoves: string;
}

/** An empty board. */
export const EMPTY: Setup = {
  placement: '8/8/8/8/8/8/8/8',
  turn: 'white',
  castling: '',
  chess960: false,
  enPassant: '-',
  halfmoves: '0',
  fullmoves: '1',
};

/** The FEN fields after the placement, with their defaults. */
const FIELDS: [RegExp, string][] = [
  [/^[wb]$/i, 'w'],
  [/^(-|[a-hkq]{1,4})$/i, '-'],
  [/^(-|[a-h][36])$/, '-'],
  [/^\d{1,5}$/, '0'],
  [/^\d{1,5}$/, '1'],
];

function isRank(text: string): boolean {
  const squares = [...text].reduce((sum, c) => sum + (Number(c) || 1), 0);
  return squares === 8 && /^[pnbrqk1-8]+$/i.test(text) && !/\d\d/.test(text);
}

/** Parses a FEN; undefined if it is malformed, which is explained when the position is used. */
export function setupOf(fen: string): Setup | undefined {
  const [placement = '', ...rest] = fen.trim().split(/\s+/);
  const ranks = placement.split('/');
  if (ranks.length !== 8 || !ranks.every(isRank) || rest.length > FIELDS.length) return undefined;
  const fields = FIELDS.map(([, missing], index) => rest[index] ?? missing);
  if (!FIELDS.every(([field], index) => field.test(fields[index] ?? ''))) return undefined;
  const [turn = '', rights = '', enPassant = '', halfmoves = '', fullmoves = ''] = fields;
  const castling = rights.replace('-', '');
  return { placement, turn: turn.toLowerCase() === 'w' ? 'white' : 'black', castling, chess960: undefined, enPassant, halfmoves, fullmoves };
}

/** The board and the side to move, which decide what is allowed. */
export const boardOf = ({ placement, turn }: Setup): string => `${placement} ${turn === 'white' ? 'w' : 'b'}`;

/** The FEN of a setup, with what the board allows; all that was requested as long as that isn't known. */
export function fenOf(setup: Setup, allowed?: Allowed): string {
  return [boardOf(setup), rights(setup, allowed) || '-', enPassant(setup, allowed), setup.halfmoves, setup.fullmoves].join(' ');
}

/** The effective castling rights. */
export function rights({ castling, chess960 }: Setup, allowed?: Allowed): string {
  return chess960 || !allowed ? castling : [...castling].filter((letter) => allowed.castling.includes(letter)).join('');
}

/** The effective en passant square. */
export function enPassant(setup: Setup, allowed?: Allowed): string {
  return !allowed || allowed.en_passant.includes(setup.enPassant) ? setup.enPassant : '-';
}

/** A setup whose rights are known to be for Chess960 squares, or not: decided once, by the board they came with. */
export function judged(setup: Setup, allowed: Allowed): Setup {
  if (setup.chess960 !== undefined) return setup;
  return { ...setup, chess960: [...setup.castling].some((letter) => !allowed.castling.includes(letter)) };
}

/** The placement with a piece, or none, on a square. */
export function place(placement: string, square: string, piece: Piece | undefined): string {
  const pieces = read(placement);
  if (piece) pieces.set(square as Key, { role: piece.role, color: piece.side });
  else pieces.delete(square as Key);
  return write(pieces);
}

/** A setup after a change, which starts the count of moves without progress again. */
export const changed = (setup: Setup, change: Partial<Setup>): Setup => ({ ...setup, halfmoves: '0', ...change });
