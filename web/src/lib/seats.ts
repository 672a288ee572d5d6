// The secrets of our seats, kept in this browser, so that a reload or a second tab lands in the same game.

import { browser } from './storage';

const KEY = 'riga-seats';
const LINKS = 'riga-links';
const MOST = 200;

function all(key: string): Record<string, string> {
  const kept = browser.read(key);
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {};
}

/** Keeps a secret of a game; the oldest are forgotten. */
function put(key: string, game: string, secret: string): void {
  const { [game]: _, ...others } = all(key);
  const kept = Object.entries({ ...others, [game]: secret }).slice(-MOST);
  browser.write(key, Object.fromEntries(kept));
}

function get(key: string, game: string): string | undefined {
  const secret = all(key)[game];
  return typeof secret === 'string' ? secret : undefined;
}

/** A secret that nobody can guess. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The secret of our seat in a game, if we have one. */
export const seatOf = (game: string) => get(KEY, game);
export const keepSeat = (game: string, seat: string) => put(KEY, game, seat);

/** The secret that opens the other seat, if we have begun the game. */
export const linkOf = (game: string) => get(LINKS, game);
export const keepLink = (game: string, link: string) => put(LINKS, game, link);
