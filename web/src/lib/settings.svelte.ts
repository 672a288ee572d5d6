// The user's settings: stored in this browser, and with the profile if there is one.

import { call, type Schemas } from './api';
import { browser } from './storage';

export const BOARDS = ['amber', 'slate', 'sea', 'forest', 'contrast'] as const;
export const PIECES = ['classic', 'riga', 'letters'] as const;
export const LANGUAGES = ['en', 'de'] as const;

export interface Settings {
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  theme: 'system' | 'light' | 'dark';
  language: (typeof LANGUAGES)[number] | 'system';
  sound: boolean;
  volume: number;
  animation: boolean;
  coordinates: boolean;
  destinations: boolean;
  evaluation: boolean;
  autoQueen: boolean;
  confirmResign: boolean;
  speakMoves: boolean;
  /** Whether weak levels take as long for their moves as a person would. */
  unhurried: boolean;
}

export const DEFAULTS: Settings = {
  board: 'amber',
  pieces: 'classic',
  theme: 'system',
  language: 'system',
  sound: true,
  volume: 0.6,
  animation: true,
  coordinates: true,
  destinations: true,
  evaluation: false,
  autoQueen: false,
  confirmResign: true,
  speakMoves: true,
  unhurried: true,
};

const KEY = 'riga-settings';

/** Keeps known keys with valid values; ignores everything else. */
export function read(value: unknown): Settings {
  const settings = { ...DEFAULTS };
  if (typeof value !== 'object' || value === null) return settings;
  const found = value as Record<string, unknown>;
  const choice = <K extends keyof Settings>(key: K, allowed: readonly Settings[K][]) => {
    if (allowed.includes(found[key] as Settings[K])) settings[key] = found[key] as Settings[K];
  };
  choice('board', BOARDS);
  choice('pieces', PIECES);
  choice('theme', ['system', 'light', 'dark']);
  choice('language', ['system', ...LANGUAGES]);
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    if (typeof DEFAULTS[key] === 'boolean') choice(key, [true, false] as never);
  }
  const volume = found['volume'];
  if (typeof volume === 'number' && volume >= 0 && volume <= 1) settings.volume = volume;
  return settings;
}

export const settings = $state<Settings>(read(browser.read(KEY)));

let user: number | undefined;
let sent: Promise<unknown> = Promise.resolve();

/** Adopts a profile's settings, if any; later changes are saved there, too. */
export function adopt(me: Schemas['Me']): void {
  user = me.user?.id;
  const theirs = me.settings as Record<string, unknown>;
  if (user !== undefined && Object.keys(theirs).length > 0) Object.assign(settings, read(theirs));
}

/** Saves the current settings. */
export function keep(): void {
  browser.write(KEY, settings);
  if (user === undefined) return;
  const [path, now] = [`/api/users/${user}`, { settings: $state.snapshot(settings) }];
  // One request at a time, so that the last one wins. A failed one stays local and goes out with the next change.
  sent = sent.then(() => call('PATCH', path, now)).catch(() => undefined);
}

/** The effective language. */
export function language(): 'en' | 'de' {
  if (settings.language !== 'system') return settings.language;
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}
