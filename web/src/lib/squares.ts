// From what the server tells of a position to what a board draws.

import type { Key } from '@lichess-org/chessground/types';
import type { LegalMove, PositionView, Side } from './api';

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';

export interface Piece {
  role: Role;
  side: Side;
}

/** The position that games start from. */
export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const ROLES: Record<string, Role> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** The men of a FEN by square. */
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

/** The moves as they can be made: castling is both a click on the king's next square and on the rook. */
export function ways(moves: LegalMove[], fen: string): LegalMove[] {
  const taken = men(fen);
  return moves.flatMap((move) => {
    // In Chess960 the rook is all there is to click.
    if (!move.san.startsWith('O-O') || taken.has(move.to)) return [move];
    const rook = (move.to.startsWith('g') ? 'h' : 'a') + move.to.charAt(1);
    return [move, { ...move, to: rook }];
  });
}

/** Where each man can go. */
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

/** What a move promotes to. */
export function promotion(move: LegalMove): Role | undefined {
  return move.uci.length === 5 ? ROLES[move.uci.charAt(4)] : undefined;
}

/** A position to look at: what the FEN and the move to it say, without what can be played. */
export function still(fen: string, san = ''): PositionView {
  const turn: Side = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return { fen, turn, check: /[+#]$/.test(san), moves: [], outcome: null, claimable_draw: false };
}

/** The squares to mark of a move: castling is marked where the king goes, not where the rook was. */
export function marked({ uci, san }: { uci: string; san: string }): [string, string] {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  if (!san.startsWith('O-O')) return [from, to];
  return [from, (san.startsWith('O-O-O') ? 'c' : 'g') + from.charAt(1)];
}

/** A move in advance, as UCI text: a pawn that arrives becomes a queen. */
export function premoved(fen: string, from: string, to: string): string {
  const arrives = men(fen).get(from)?.role === 'pawn' && /[18]$/.test(to);
  return from + to + (arrives ? 'q' : '');
}

const VALUES: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
const ORDER: Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

/** What each side has more of than the other, and by how many pawns it is ahead. */
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
