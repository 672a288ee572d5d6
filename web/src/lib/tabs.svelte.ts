// The open games, each in a tab. A game in the background stays connected.

import { t } from './i18n.svelte';
import { Room } from './room.svelte';
import { router } from './router.svelte';
import { keepSeat, onForgotten, seatOf } from './seats';
import { session } from './session.svelte';
import { playerName } from './words';
import { kindOf, play as sound } from './sound';
import { tab as shelf } from './storage';

const KEY = 'riga-tabs';

function stored(): string[] {
  const kept = shelf.read(KEY);
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
}

export const tabs = $state({ open: stored() });

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- each room is reactive itself
const rooms = new Map<string, Room>();

onForgotten(leaveAll);
window.addEventListener('offline', () => rooms.forEach((room) => room.drop()));
window.addEventListener('online', () => rooms.forEach((room) => room.retry()));

function keep(): void {
  shelf.write(KEY, tabs.open);
}

/** The room of a game; it lives as long as its tab. */
export function roomOf(game: string): Room {
  let room = rooms.get(game);
  if (!room) {
    room = new Room(game, seatOf(game), {
      // A game in the background only plays the move sound.
      played: ({ played }) => sound(kindOf(played.san)),
      rematch: (next) => keepRematch(game, next),
    });
    rooms.set(game, room);
  }
  return room;
}

/** A tab's title: the opponent, or both players when watching, or when neither is us. */
export function title(room: Room): string {
  const { game, sides } = room;
  if (!game) return '…';
  const [mine, both] = sides;
  if (game.status === 'waiting') return t().start.friend;
  if (mine && !both) return playerName(game[mine === 'white' ? 'black' : 'white']);
  const me = session.me?.user?.name;
  if (both && game.white.name === me) return playerName(game.black);
  if (both && game.black.name === me) return playerName(game.white);
  return `${playerName(game.white)} – ${playerName(game.black)}`;
}

/** Whether there is more than the game in front, so that it needs tabs. */
export function several(game: string): boolean {
  return tabs.open.length > 1 || !tabs.open.includes(game);
}

export function openTab(game: string): void {
  if (!tabs.open.includes(game)) tabs.open.push(game);
  keep();
}

/** Closes a tab and returns the one to show instead. */
export function closeTab(game: string): string | undefined {
  const at = tabs.open.indexOf(game);
  tabs.open = tabs.open.filter((tab) => tab !== game);
  leave(game);
  keep();
  return tabs.open[Math.min(at, tabs.open.length - 1)];
}

/** Closes the tabs of finished games. */
export function closeFinished(): void {
  for (const game of [...tabs.open]) if (rooms.get(game)?.game?.status === 'finished') closeTab(game);
}

/** Gives up all seats: closes every tab but the one in front, which goes on as a spectator. */
function leaveAll(): void {
  const front = router.route.page === 'play' ? router.route.game : undefined;
  for (const game of [...tabs.open]) if (game !== front) closeTab(game);
  if (front !== undefined) rooms.get(front)?.sit(undefined);
}

/** A rematch takes the place of the game before it. */
export function replaceTab(game: string, next: string): void {
  const at = tabs.open.indexOf(game);
  leave(game);
  if (tabs.open.includes(next)) return;
  if (at < 0) tabs.open.push(next);
  else tabs.open[at] = next;
  keep();
}

/** A rematch uses the same seat secrets. */
export function keepRematch(game: string, next: string): void {
  const seat = seatOf(game);
  if (seat && !seatOf(next)) keepSeat(next, seat);
}

function leave(game: string): void {
  rooms.get(game)?.close();
  rooms.delete(game);
}
