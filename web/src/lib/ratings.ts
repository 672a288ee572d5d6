// The ratings of the players of a rated game.

import { call, type Schemas } from './api';
import { notices } from './notices.svelte';
import { seatOf } from './seats';

/** The server rates a game in a moment: how often to ask, and how long to wait before, in milliseconds. */
const TRIES = 5;
const PAUSE = 500;

/** Asks for the ratings, and if the game is over until they have changed. Returns the function to stop it. */
export function followRatings(id: string, over: boolean, tell: (ratings: Schemas['GameRatings']) => void): () => void {
  let tries = TRIES;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    const found = await call<Schemas['GameRatings']>('GET', `/api/games/${id}/ratings`, undefined, seatOf(id));
    if (tries === 0) return;
    tell(found);
    tries -= 1;
    if (over && found.white?.after == null && found.black?.after == null) timer = setTimeout(() => notices.watch(ask()), PAUSE);
  };
  notices.watch(ask());
  return () => {
    tries = 0;
    clearTimeout(timer);
  };
}
