// Ends games that aren't open in a tab.

import { call, Refused, Unreachable } from './api';
import { Room } from './room.svelte';
import { seatOf } from './seats';

/** How long to wait for the server, in milliseconds. */
const PATIENCE = 10_000;

/** Ends a game in progress: aborts it if that is possible, resigns otherwise. */
export async function endGame(id: string): Promise<void> {
  let room: Room | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      late = setTimeout(() => reject(new Unreachable()), PATIENCE);
      room = new Room(id, seatOf(id), {
        joined: () => {
          if (room?.game?.status === 'finished') resolve();
          else if (room?.sides.length === 0) reject(new Refused('not_a_player'));
          else room?.giveUp();
        },
        ended: resolve,
        refused: ({ reason }) => reject(new Refused(reason)),
        gone: resolve,
      });
    });
  } finally {
    clearTimeout(late);
    room?.close();
  }
}

/** Deletes a game; one in progress is ended first. */
export async function deleteGame({ id, status }: { id: string; status: string }): Promise<void> {
  if (status === 'live') await endGame(id);
  await call('DELETE', `/api/games/${id}`, undefined, seatOf(id));
}
