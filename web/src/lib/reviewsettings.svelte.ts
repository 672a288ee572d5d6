// How games are reviewed: where, and with how many nodes per position. Stored in this browser.

import { browser } from './storage';

export const EFFORTS = { quick: 25_000, standard: 100_000, deep: 400_000 } as const;
export type Effort = keyof typeof EFFORTS;
export const PLACES = ['browser', 'server'] as const;
export type Place = (typeof PLACES)[number];

interface ReviewSettings {
  place: Place;
  effort: Effort;
}

const KEY = 'riga-review';

/** Keeps valid values; ignores everything else. */
export function read(value: unknown): ReviewSettings {
  const found = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const place = PLACES.find((one) => one === found['place']) ?? 'browser';
  const effort = (Object.keys(EFFORTS) as Effort[]).find((one) => one === found['effort']) ?? 'standard';
  return { place, effort };
}

export const reviewSettings = $state(read(browser.read(KEY)));

export function keepReviewSettings(change: Partial<ReviewSettings>): void {
  Object.assign(reviewSettings, change);
  browser.write(KEY, reviewSettings);
}
