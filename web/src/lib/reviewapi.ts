// Reviews on the server: those that are stored, and the queue of those to come.

import { call, ProblemError, type Schemas } from './api';
import type { GameReport } from './reviewlabels';
import { seatOf } from './seats';

export type ReviewView = Schemas['ReviewView'];
export type ReviewQueue = Schemas['ReviewQueue'];

const path = (game: string) => `/api/games/${game}/review`;

export const reviewOf = (game: string) => call<ReviewView>('GET', path(game), undefined, seatOf(game));
export const askReview = (game: string, nodes: number) => call<ReviewView>('POST', path(game), { nodes }, seatOf(game));
const putReview = (game: string, report: GameReport) => call<undefined>('PUT', path(game), report, seatOf(game));

/** What the server has done with a review: stored it, kept its own instead, or refused it, since the game isn't ours or
 * isn't there. */
export type Stored = 'stored' | 'reviewed' | 'refused';

/** Stores a review with its game. */
export async function storeReview(game: string, report: GameReport): Promise<Stored> {
  try {
    await putReview(game, report);
    return 'stored';
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status >= 500) throw error;
    return error.problem.type === '/problems/reviewed' ? 'reviewed' : 'refused';
  }
}

export const reviewQueue = () => call<ReviewQueue>('GET', '/api/reviews');
export const reviewAll = (query: string) => call<Schemas['QueuedReviews']>('POST', `/api/reviews?${query}`);
export const cancelReviews = () => call<undefined>('DELETE', '/api/reviews');
