// A new game: asked for, and sat down at.

import { call, type GameView, type Schemas, type Side } from './api';
import { router } from './router.svelte';
import { keepSeat } from './seats';
import { START } from './squares';
import { openTab, replaceTab } from './tabs.svelte';

/** Begins a game and goes to it, in a tab of its own or in that of another game. */
export async function begin(wanted: Schemas['NewGame'], instead?: string): Promise<void> {
  const { game, seat, friend } = await call<Schemas['CreatedGame']>('POST', '/api/games', wanted);
  keepSeat(game.id, seat);
  if (friend) sessionStorage.setItem(`riga-friend-${game.id}`, friend);
  if (instead === undefined) openTab(game.id);
  else replaceTab(instead, game.id);
  router.go(`/play/${game.id}`, instead !== undefined);
}

/** The same game once more, from its start; none if a friend would have to agree. */
export function again(game: GameView, sides: Side[], me: string | undefined): Schemas['NewGame'] | undefined {
  const [mine, both] = sides;
  if (!mine) return undefined;
  const side: Side = both && me === game.black.name ? 'black' : mine;
  const other = game[side === 'white' ? 'black' : 'white'];
  if (!both && other.level == null) return undefined;
  const usual = game.start === START;
  return {
    opponent: other.level != null ? { type: 'engine', level: other.level } : { type: 'here', name: other.name },
    side,
    rules: game.rules,
    array: null,
    fen: usual ? null : game.start,
    time: game.time ?? null,
    visibility: game.visibility,
    rated: game.rated && usual,
  };
}
