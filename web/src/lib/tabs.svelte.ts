// The games that are open at once, each in its tab. A game goes on while another one is in front: its room stays.

import { t } from './i18n.svelte';
import { Room } from './room.svelte';
import { keepSeat, seatOf } from './seats';
import { playerName } from './words';
import { kindOf, play as sound } from './sound';
import { tab as shelf } from './storage';

const KEY = 'riga-tabs';

function stored(): string[] {
  const kept = shelf.read(KEY);
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
}

export const tabs = $state({ open: stored() });

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- each room tells its own changes
const rooms = new Map<string, Room>();

window.addEventListener('offline', () => rooms.forEach((room) => room.drop()));
window.addEventListener('online', () => rooms.forEach((room) => room.retry()));

function keep(): void {
  shelf.write(KEY, tabs.open);
}

/** The room of a game, for as long as its tab is open. */
export function roomOf(game: string): Room {
  let room = rooms.get(game);
  if (!room) {
    room = new Room(game, seatOf(game), {
      // Nobody looks at it: a move is heard, the rest waits.
      played: ({ played }) => sound(kindOf(played.san)),
      rematch: (next) => keepRematch(game, next),
    });
    rooms.set(game, room);
  }
  return room;
}

/** What stands on a tab: whom one plays, or who play. */
export function title(room: Room): string {
  const { game, sides } = room;
  if (!game) return '…';
  const [mine, both] = sides;
  if (game.status === 'waiting') return t().start.friend;
  if (mine && !both) return playerName(game[mine === 'white' ? 'black' : 'white']);
  return `${playerName(game.white)} – ${playerName(game.black)}`;
}

export function openTab(game: string): void {
  if (!tabs.open.includes(game)) tabs.open.push(game);
  keep();
}

/** Closes a tab; gives the one to show instead. */
export function closeTab(game: string): string | undefined {
  const at = tabs.open.indexOf(game);
  tabs.open = tabs.open.filter((tab) => tab !== game);
  leave(game);
  keep();
  return tabs.open[Math.min(at, tabs.open.length - 1)];
}

/** Closes the tabs of games that are over. */
export function closeFinished(): void {
  for (const game of [...tabs.open]) if (rooms.get(game)?.game?.status === 'finished') closeTab(game);
}

/** A game that follows another takes its place. */
export function replaceTab(game: string, next: string): void {
  const at = tabs.open.indexOf(game);
  leave(game);
  if (tabs.open.includes(next)) return;
  if (at < 0) tabs.open.push(next);
  else tabs.open[at] = next;
  keep();
}

/** The same secrets open the seats of a rematch. */
export function keepRematch(game: string, next: string): void {
  const seat = seatOf(game);
  if (seat && !seatOf(next)) keepSeat(next, seat);
}

function leave(game: string): void {
  rooms.get(game)?.close();
  rooms.delete(game);
}
