// Looks up a position: opening, book, tablebase, the user's games. A failed lookup is not an error.

import { call, type Schemas } from './api';
import { shelves } from './library.svelte';
import { asQuery, collectionOf } from './libraryfilter';
import { ALL } from './preferences.svelte';

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
  games: string | undefined;
  /** Whether the opening must be asked for. */
  name: boolean;
}

/** What was played in a position: in a collection, in games of the server, or in both. */
function playedIn(source: string, fen: string, rules: Schemas['Rules']): Promise<Pick<Schemas['PositionGames'], 'moves'> | undefined> {
  const collection = collectionOf(source);
  const query = `?fen=${encodeURIComponent(fen)}`;
  if (collection === undefined) {
    const which = source === 'imported' ? '&source=imported' : source === ALL ? '&collections=true' : '';
    const path = `/api/explorer${query}&rules=${rules}${which}`;
    return call<Schemas['PositionGames']>('GET', path).catch(() => undefined);
  }
  const conditions = asQuery(shelves.filter).toString();
  const path = `/api/library/${encodeURIComponent(collection)}/explorer${query}${conditions ? `&${conditions}` : ''}`;
  return call<Schemas['CollectionMoves']>('GET', path).catch(() => undefined);
}

export async function learn(fen: string, rules: Schemas['Rules'], { games, name }: Wanted): Promise<Known> {
  const query = `?fen=${encodeURIComponent(fen)}&rules=${rules}`;
  const ask = <T>(path: string, more = '') => call<T>('GET', path + query + more).catch(() => undefined);
  const men = fen.split(' ')[0]?.replace(/[^a-zA-Z]/g, '').length ?? 32;
  const [opening, book, played, table] = await Promise.all([
    name ? ask<Schemas['Opening'] | null>('/api/opening') : undefined,
    ask<Schemas['BookMove'][]>('/api/book'),
    games ? playedIn(games, fen, rules) : undefined,
    men <= MOST ? ask<Schemas['Tablebase'] | null>('/api/tablebase') : undefined,
  ]);
  return { opening: opening ?? undefined, table: table ?? undefined, book: book ?? [], games: played?.moves ?? [] };
}
