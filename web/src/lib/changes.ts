// What a change told by the server does to a game.

import type { GameView } from './api';
import type { ServerMessage } from './heard';

/** A message with a change of the game. */
export type Change = Exclude<Extract<ServerMessage, { version: number }>, { type: 'done' }>;

/** Applies the next change. */
export function apply(game: GameView, told: Change): void {
  game.version = told.version;
  game.offer = told.standing.offer ?? null;
  game.rated = told.standing.rated;
  game.actions = told.standing.actions;
  switch (told.type) {
    case 'played':
      game.moves.push(told.played);
      game.position = told.position;
      game.opening = told.opening ?? null;
      game.clock = told.clock ?? null;
      if (told.outcome) {
        game.outcome = told.outcome;
        game.status = 'finished';
      }
      break;
    case 'took_back':
      game.moves.length = told.plies;
      game.position = told.position;
      game.opening = told.opening ?? null;
      game.clock = told.clock ?? null;
      break;
    case 'offered':
      break;
    case 'seated':
      game.white = told.white;
      game.black = told.black;
      game.status = 'live';
      game.open = null;
      break;
    case 'ended':
      game.outcome = told.outcome;
      game.status = 'finished';
      game.clock = told.clock ?? null;
      break;
  }
}
