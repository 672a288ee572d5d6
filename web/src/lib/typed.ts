// Resolves typed moves to legal moves.

import type { LegalMove } from './api';

function plain(text: string): string {
  return text
    .trim()
    .replace(/0-0-0/g, 'O-O-O')
    .replace(/0-0/g, 'O-O')
    .replace(/[+#!?=x]/g, '');
}

/**
 * The legal move for a text: UCI, or SAN ignoring check marks and annotations. Case matters only to disambiguate.
 * Piece letters may be those of the current language. Promotion defaults to a queen.
 */
export function find(moves: LegalMove[], text: string, letters: Record<string, string> = {}): LegalMove | undefined {
  const typed = plain(text);
  if (typed === '') return undefined;
  const english = Object.fromEntries(Object.entries(letters).map(([letter, own]) => [own, letter]));
  const translated = typed.replace(/[A-Z]/g, (letter) => english[letter] ?? letter);
  return (
    meant(moves, typed) ?? meant(moves, translated) ?? meant(moves, `${typed}Q`) ?? meant(moves, `${typed.toLowerCase()}q`)
  );
}

function meant(moves: LegalMove[], typed: string): LegalMove | undefined {
  const exact = moves.filter((move) => move.uci === typed || plain(move.san) === typed);
  if (exact.length > 0) return exact[0];
  const lower = typed.toLowerCase();
  const loose = moves.filter((move) => move.uci === lower || plain(move.san).toLowerCase() === lower);
  // `bc4` may be a bishop or a pawn move; only an unambiguous one is played.
  return loose.length === 1 ? loose[0] : undefined;
}
