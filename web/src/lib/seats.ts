// Seat secrets, stored in this browser so that a reload or a second tab rejoins the same game.

import { browser, tab } from './storage';

const KEY = 'riga-seats';
const LINKS = 'riga-links';
/** Secrets for seats that we are about to take, in this tab. */
const OWN = 'riga-own';
const MOST = 200;

const shelf = (key: string) => (key === OWN ? tab : browser);

function all(key: string): Record<string, string> {
  const kept = shelf(key).read(key);
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {};
}

/** Stores a secret; the oldest ones are dropped. */
function put(key: string, game: string, secret: string): void {
  const { [game]: _, ...others } = all(key);
  const kept = Object.entries({ ...others, [game]: secret }).slice(-MOST);
  shelf(key).write(key, Object.fromEntries(kept));
}

function get(key: string, game: string): string | undefined {
  const secret = all(key)[game];
  return typeof secret === 'string' ? secret : undefined;
}

/** Forgets all secrets, so that the next person at this browser can't play our games. */
export function forgetSeats(): void {
  for (const key of [KEY, LINKS, OWN]) shelf(key).remove(key);
  listeners.forEach((forgotten) => forgotten());
}

const listeners: (() => void)[] = [];

/** Calls back when the seats are forgotten. */
export function onForgotten(forgotten: () => void): void {
  listeners.push(forgotten);
}

/** Whether another tab of this browser has forgotten the seats. */
export const isForgotten = ({ key, newValue }: StorageEvent) => key === KEY && newValue === null;

/** A random secret. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The secret of our seat in a game, if we have one. */
export const seatOf = (game: string) => get(KEY, game);
export const keepSeat = (game: string, seat: string) => put(KEY, game, seat);

/** The invitation secret for the other seat, if we created the game. */
export const linkOf = (game: string) => get(LINKS, game);
export const keepLink = (game: string, link: string) => put(LINKS, game, link);

/** The secret to take a seat with. It is reused for every attempt, so that a lost response, even across a reload, can be fetched again. */
export function ownSecret(game: string): string {
  const secret = get(OWN, game) ?? newSecret();
  put(OWN, game, secret);
  return secret;
}
