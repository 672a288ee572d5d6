// Converts positions from the server into what the board draws.

import type { Key } from '@lichess-org/chessground/types';
import type { LegalMove, PositionView, Side } from './api';

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

export interface Piece {
  role: Role;
  side: Side;
}

/** The standard start position. */
export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const ROLES: Record<string, Role> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** The pieces of a FEN by square. */
export function men(fen: string): Map<string, Piece> {
  const found = new Map<string, Piece>();
  const ranks = (fen.split(' ')[0] ?? '').split('/');
  ranks.forEach((text, index) => {
    let file = 0;
    for (const c of text) {
      const skip = Number(c);
      if (skip > 0) {
        file += skip;
        continue;
      }
      const role = ROLES[c.toLowerCase()];
      if (role) {
        const side = c === c.toLowerCase() ? 'black' : 'white';
        found.set(String.fromCharCode(97 + file) + String(8 - index), { role, side });
      }
      file++;
    }
  });
  return found;
}

/** The moves as they can be entered: castling works by clicking the king's target square or the rook. */
export function ways(moves: LegalMove[], fen: string): LegalMove[] {
  const taken = men(fen);
  return moves.flatMap((move) => {
    // In Chess960 castling is entered by clicking the rook only.
    if (!move.san.startsWith('O-O') || taken.has(move.to)) return [move];
    const rook = (move.to.startsWith('g') ? 'h' : 'a') + move.to.charAt(1);
    return [move, { ...move, to: rook }];
  });
}

/** The destinations of each piece. */
export function destinations(moves: LegalMove[]): Map<Key, Key[]> {
  const found = new Map<Key, Key[]>();
  for (const { from, to } of moves) {
    const known = found.get(from as Key);
    if (known) known.push(to as Key);
    else found.set(from as Key, [to as Key]);
  }
  return found;
}

/** The moves between two squares: one, or several that promote. */
export function between(moves: LegalMove[], from: string, to: string): LegalMove[] {
  return moves.filter((move) => move.from === from && move.to === to);
}

/** The piece a move promotes to. */
export function promotion(move: LegalMove): Role | undefined {
  return move.uci.length === 5 ? ROLES[move.uci.charAt(4)] : undefined;
}

/** A position for display only, from its FEN and last move, without legal moves. */
export function still(fen: string, san = ''): PositionView {
  const turn: Side = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return { fen, turn, check: /[+#]$/.test(san), moves: [], outcome: null, claimable_draw: false };
}

/** The squares to highlight for a move: castling highlights the king's target, not the rook's origin; a null move has none. */
export function marked({ uci, san }: { uci: string; san: string }): string[] {
  if (san === '--') return [];
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (!san.startsWith('O-O')) return [from, to];
  return [from, (san.startsWith('O-O-O') ? 'c' : 'g') + from.charAt(1)];
}

/** A premove in UCI notation; promotions are to a queen. */
export function premoved(fen: string, from: string, to: string): string {
  const arrives = men(fen).get(from)?.role === 'pawn' && /[18]$/.test(to);
  return from + to + (arrives ? 'q' : '');
}

const VALUES: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
const ORDER: Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

/** The material imbalance: each side's extra pieces, and its lead in pawns. */
export function balance(fen: string): Record<Side, { extra: Role[]; ahead: number }> {
  const count = { white: new Map<Role, number>(), black: new Map<Role, number>() };
  for (const { role, side } of men(fen).values()) {
    count[side].set(role, (count[side].get(role) ?? 0) + 1);
  }
  const of = (side: Side, other: Side) => {
    const extra: Role[] = [];
    let ahead = 0;
    for (const role of ORDER) {
      const more = (count[side].get(role) ?? 0) - (count[other].get(role) ?? 0);
      for (let i = 0; i < more; i++) extra.push(role);
      ahead += more * VALUES[role];
    }
    return { extra, ahead: Math.max(0, ahead) };
  };
  return { white: of('white', 'black'), black: of('black', 'white') };
}
