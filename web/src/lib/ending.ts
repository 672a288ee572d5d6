// Games in progress that aren't open in a tab: lists and ends them.

import { call, Refused, Unreachable, type Schemas } from './api';
import { isHere, remove } from './offline/shelf';
import { Room } from './room.svelte';
import { seatOf } from './seats';

/** How long to wait for the server, in milliseconds. */
const PATIENCE = 10_000;

/** All games in progress, page by page. */
export async function unfinished(): Promise<Schemas['GameSummary'][]> {
  const found: Schemas['GameSummary'][] = [];
  let after = '';
  do {
    const page = await call<Schemas['GamePage']>('GET', `/api/games?finished=false&most=200${after}`);
    found.push(...page.games);
    after = page.next ? `&after=${page.next}` : '';
  } while (after);
  return found;
}

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
  if (isHere(id)) return remove(id);
  await call('DELETE', `/api/games/${id}`, undefined, seatOf(id));
}
