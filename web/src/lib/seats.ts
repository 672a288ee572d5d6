// The secrets of our seats, kept in this browser, so that a reload or a second tab lands in the same game.

const KEY = 'riga-seats';
const MOST = 200;

type Seats = Record<string, string>;

function all(): Seats {
  try {
    const seats: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof seats === 'object' && seats !== null ? (seats as Seats) : {};
  } catch {
    return {};
  }
}

/** A secret that nobody can guess. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The secret of our seat in a game, if we have one. */
export function seatOf(game: string): string | undefined {
  const seat = all()[game];
  return typeof seat === 'string' ? seat : undefined;
}

/** Keeps the secret of a seat; the oldest are forgotten. */
export function keepSeat(game: string, seat: string): void {
  const { [game]: _, ...others } = all();
  const kept = Object.entries({ ...others, [game]: seat }).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Without storage the game is lost to us when the page is closed; the address still shows it.
  }
}
