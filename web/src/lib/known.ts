// Looks up a position: opening, book, tablebase, the user's games. A failed lookup is not an error.

import { call, type Schemas } from './api';

export interface Known {
  opening?: Schemas['Opening'] | undefined;
  table?: Schemas['Tablebase'] | undefined;
  book: Schemas['BookMove'][];
  games: Schemas['NextMove'][];
}

/** The most pieces in a tablebase position. */
const MOST = 7;

export interface Wanted {
  /** Which games count, if any. */
  games: 'games' | 'imported' | undefined;
  /** Whether the opening must be asked for. */
  name: boolean;
}

export async function learn(fen: string, rules: Schemas['Rules'], { games, name }: Wanted): Promise<Known> {
  const query = `?fen=${encodeURIComponent(fen)}&rules=${rules}`;
  const ask = <T>(path: string, more = '') => call<T>('GET', path + query + more).catch(() => undefined);
  const men = fen.split(' ')[0]?.replace(/[^a-zA-Z]/g, '').length ?? 32;
  const [opening, book, played, table] = await Promise.all([
    name ? ask<Schemas['Opening'] | null>('/api/opening') : undefined,
    ask<Schemas['BookMove'][]>('/api/book'),
    games ? ask<Schemas['PositionGames']>('/api/explorer', games === 'imported' ? '&source=imported' : '') : undefined,
    men <= MOST ? ask<Schemas['Tablebase'] | null>('/api/tablebase') : undefined,
  ]);
  return { opening: opening ?? undefined, table: table ?? undefined, book: book ?? [], games: played?.moves ?? [] };
}
