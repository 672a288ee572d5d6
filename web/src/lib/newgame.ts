// Creates games.

import { call, Unreachable, type GameView, type Schemas, type Side } from './api';
import { possible, startHere } from './offline/here';
import { router } from './router.svelte';
import { keepLink, keepSeat } from './seats';
import { START } from './squares';
import { openTab } from './tabs.svelte';

/** Creates a game and returns its id. If the server can't be reached, the game is played in this browser. */
export async function create(wanted: Schemas['NewGame']): Promise<string> {
  try {
    const { game, seat, friend } = await call<Schemas['CreatedGame']>('POST', '/api/games', wanted);
    keepSeat(game.id, seat);
    if (friend) keepLink(game.id, friend);
    return game.id;
  } catch (error) {
    if (!(error instanceof Unreachable) || !possible(wanted)) throw error;
    return startHere(wanted);
  }
}

/** Creates a game and opens it in a new tab. */
export async function begin(wanted: Schemas['NewGame']): Promise<void> {
  const id = await create(wanted);
  openTab(id);
  router.go(`/play/${id}`);
}

/** A request for the same game again; undefined if a friend would have to agree. */
export function again(game: GameView, sides: Side[], me: string | undefined): Schemas['NewGame'] | undefined {
  const [mine, both] = sides;
  if (!mine) return undefined;
  const side: Side = both && me === game.black.name ? 'black' : mine;
  const other = game[side === 'white' ? 'black' : 'white'];
  if (!both && other.level == null) return undefined;
  const usual = game.start === START && game.rules === 'standard';
  return {
    opponent: other.level != null ? { type: 'engine', level: other.level } : { type: 'here', name: other.name },
    side,
    rules: game.rules,
    array: null,
    fen: usual ? null : game.start,
    time: game.time ?? null,
    visibility: game.visibility,
    rated: game.rated,
  };
}
