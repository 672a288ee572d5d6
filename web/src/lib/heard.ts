// The events of a game, for the parts that show it.

import type { Schemas } from './api';

export type ServerMessage = Schemas['ServerMessage'];
type Refusal = Extract<ServerMessage, { type: 'refused' }>;

export interface Heard {
  /** We have joined, for the first time or again. */
  joined?: () => void;
  /** The game doesn't exist, or we may not see it. */
  gone?: () => void;
  /** A move was played by either side. */
  played?: (message: Extract<ServerMessage, { type: 'played' }>) => void;
  /** Moves were taken back, which may have made a rated game unrated. */
  tookBack?: (unrated: boolean) => void;
  /** Our offer was declined. */
  declined?: () => void;
  /** The game ended, by a move or otherwise. */
  ended?: () => void;
  /** The server refused a message. */
  refused?: (message: Refusal) => void;
  /** A rematch was agreed on. */
  rematch?: (game: string) => void;
}
