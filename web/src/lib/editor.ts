// A position being set up: it may be illegal.

import { read, write } from '@lichess-org/chessground/fen';
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from './api';
import { men, type Piece } from './squares';

export interface Setup {
  /** Piece placement, as the first field of a FEN. */
  placement: string;
  turn: Side;
  /** The requested castling rights; only those that the pieces allow count. */
  castling: string;
  /** Whether the rights are for Chess960 squares; then they are kept as they are. */
  chess960: boolean;
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

/** Parses a FEN; undefined if it is malformed, which the server will explain. */
export function setupOf(fen: string): Setup | undefined {
  const [placement = '', ...rest] = fen.trim().split(/\s+/);
  const ranks = placement.split('/');
  if (ranks.length !== 8 || !ranks.every(isRank) || rest.length > FIELDS.length) return undefined;
  const fields = FIELDS.map(([, missing], index) => rest[index] ?? missing);
  if (!FIELDS.every(([field], index) => field.test(fields[index] ?? ''))) return undefined;
  const [turn = '', rights = '', enPassant = '', halfmoves = '', fullmoves = ''] = fields;
  const castling = rights.replace('-', '');
  const chess960 = [...castling].some((letter) => !canCastle(placement, letter));
  return { placement, turn: turn.toLowerCase() === 'w' ? 'white' : 'black', castling, chess960, enPassant, halfmoves, fullmoves };
}

/** The FEN of a setup. */
export function fenOf(setup: Setup): string {
  const { placement, turn, enPassant, halfmoves, fullmoves } = setup;
  return [placement, turn === 'white' ? 'w' : 'b', rights(setup) || '-', enPassant, halfmoves, fullmoves].join(' ');
}

/** The effective castling rights. */
export function rights({ placement, castling, chess960 }: Setup): string {
  return chess960 ? castling : [...castling].filter((letter) => canCastle(placement, letter)).join('');
}

/** Whether king and rook of a castling right are on their standard squares. */
export function canCastle(placement: string, letter: string): boolean {
  const squares: Record<string, [string, string]> = { K: ['e1', 'h1'], Q: ['e1', 'a1'], k: ['e8', 'h8'], q: ['e8', 'a8'] };
  const side = letter === letter.toUpperCase() ? 'white' : 'black';
  const [king, rook] = squares[letter] ?? [];
  const found = men(placement);
  const stands = (square: string | undefined, role: string) => {
    const piece = square === undefined ? undefined : found.get(square);
    return piece?.role === role && piece.side === side;
  };
  return stands(king, 'king') && stands(rook, 'rook');
}

/** The squares where the side to move could capture en passant. */
export function enPassants(placement: string, turn: Side): string[] {
  const found = men(placement);
  const [start, passed, stop] = turn === 'white' ? [7, 6, 5] : [2, 3, 4];
  const pawn = (file: string | undefined, side: Side) => {
    const piece = found.get(`${file}${stop}`);
    return piece?.role === 'pawn' && piece.side === side;
  };
  const files = [...'abcdefgh'];
  return files
    .filter((file, index) => {
      const beside = pawn(files[index - 1], turn) || pawn(files[index + 1], turn);
      const ran = pawn(file, turn === 'white' ? 'black' : 'white');
      return ran && beside && !found.has(`${file}${start}`) && !found.has(`${file}${passed}`);
    })
    .map((file) => `${file}${passed}`);
}

/** The placement with a piece, or none, on a square. */
export function place(placement: string, square: string, piece: Piece | undefined): string {
  const pieces = read(placement);
  if (piece) pieces.set(square as Key, { role: piece.role, color: piece.side });
  else pieces.delete(square as Key);
  return write(pieces);
}

/** A setup after a change: drops what has become impossible and resets the move counters. */
export function changed(setup: Setup, change: Partial<Setup>): Setup {
  const next = { ...setup, halfmoves: '0', ...change };
  const possible = enPassants(next.placement, next.turn).includes(next.enPassant);
  return possible ? next : { ...next, enPassant: '-' };
}
