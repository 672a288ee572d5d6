// How the analysis board is set up: the engine, and which boxes are open. Stored in this browser.

import { browser } from './storage';

export const MOST_LINES = 10;
/** The range of the hash table, in MB. */
export const HASH = [1, 1024] as const;

/** What the explorer counts. */
export const SOURCES = ['games', 'imported', 'book'] as const;
export type Source = (typeof SOURCES)[number];
/** Games of the server and of all collections. */
export const ALL = 'all';

export interface Preferences {
  /** Whether the engine analyses. */
  engine: boolean;
  place: 'browser' | 'server';
  lines: number;
  limit: 'none' | 'depth' | 'nodes';
  depth: number;
  /** In millions. */
  nodes: number;
  /** In MB. */
  hash: number;
  /** The open boxes. */
  linesOpen: boolean;
  explorerOpen: boolean;
  noteOpen: boolean;
  /** What the explorer counts: one of the sources, all, or a collection (library/NAME). */
  source: string;
}

const DEFAULTS: Preferences = {
  engine: true,
  place: 'browser',
  lines: 3,
  limit: 'none',
  depth: 24,
  nodes: 5,
  hash: 32,
  linesOpen: true,
  explorerOpen: true,
  noteOpen: false,
  source: 'games',
};

const RANGES: Partial<Record<keyof Preferences, readonly [number, number]>> = {
  lines: [1, MOST_LINES],
  depth: [1, 99],
  nodes: [1, 10_000],
  hash: HASH,
};

const CHOICES: Partial<Record<keyof Preferences, readonly string[]>> = {
  place: ['browser', 'server'],
  limit: ['none', 'depth', 'nodes'],
  source: [...SOURCES, ALL],
};

/** A whole number in the range of a preference; undefined if it isn't a number at all. */
export function within(key: keyof Preferences, value: unknown): number | undefined {
  const [least, most] = RANGES[key] ?? [0, 0];
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** Keeps known keys with valid values; ignores everything else. */
export function read(value: unknown, defaults = DEFAULTS): Preferences {
  const found = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const kept = Object.entries(defaults).map(([name, standard]: [string, unknown]): [string, unknown] => {
    const key = name as keyof Preferences;
    const given = found[name];
    if (typeof standard === 'number') return [name, within(key, given) ?? standard];
    if (CHOICES[key]) {
      const isCollection = key === 'source' && typeof given === 'string' && given.startsWith('library/');
      return [name, isCollection || CHOICES[key].includes(given as string) ? given : standard];
    }
    return [name, typeof given === 'boolean' ? given : standard];
  });
  return Object.fromEntries(kept) as unknown as Preferences;
}

const KEY = 'riga-analysis-board';

/** Low screens have no room for the explorer until it is asked for. */
const roomy = typeof window === 'undefined' || window.innerHeight >= 800;

export const preferences = $state<Preferences>(read(browser.read(KEY), { ...DEFAULTS, explorerOpen: roomy }));

/** Changes preferences, for good. */
export function prefer(change: Partial<Preferences>): void {
  Object.assign(preferences, change);
  browser.write(KEY, preferences);
}
