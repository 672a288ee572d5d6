// Which games of a collection count, and how a collection is named as a source of the explorer.

/** Conditions as they are asked for; empty ones are left out. */
export interface LibraryFilter {
  min_rating: string;
  max_rating: string;
  from: string;
  to: string;
  result: string;
  speed: string;
  player: string;
  side: 'either' | 'white' | 'black';
  opponent: string;
}

export const EVERYTHING: LibraryFilter = {
  min_rating: '',
  max_rating: '',
  from: '',
  to: '',
  result: '',
  speed: '',
  player: '',
  side: 'either',
  opponent: '',
};

export const SPEEDS = ['ultrabullet', 'bullet', 'blitz', 'rapid', 'classical'] as const;

/** Material as in KRPvKR, or nothing while it is being typed. */
export function asMaterial(typed: string): string {
  const [, white, black] = /^k?([qrbnp]*) *v *k?([qrbnp]*)$/i.exec(typed.trim()) ?? [];
  return white === undefined || black === undefined ? '' : `K${white.toUpperCase()}vK${black.toUpperCase()}`;
}

/** Only digits are numbers here. */
const digits = (value: string) => (/^\d{1,4}$/.test(value.trim()) ? value.trim() : '');

/** A filter as a query, without what is empty or unfinished. */
export function asQuery(filter: LibraryFilter): URLSearchParams {
  const query = new URLSearchParams();
  const put = (key: string, value: string) => value && query.set(key, value);
  for (const key of ['min_rating', 'max_rating'] as const) put(key, digits(filter[key]));
  for (const key of ['from', 'to'] as const) put(key, /^\d{4}$/.test(filter[key].trim()) ? filter[key].trim() : '');
  for (const key of ['result', 'speed', 'opponent'] as const) put(key, filter[key].trim());
  if (filter.player.trim()) {
    query.set('player', filter.player.trim());
    if (filter.side !== 'either') query.set('side', filter.side);
  }
  return query;
}

/** The filter of a query; what doesn't belong to it is ignored. */
export function fromQuery(query: URLSearchParams): LibraryFilter {
  const given = Object.fromEntries(Object.keys(EVERYTHING).map((key) => [key, query.get(key) ?? EVERYTHING[key as keyof LibraryFilter]]));
  const side = ['white', 'black'].includes(given['side'] ?? '') ? given['side'] : 'either';
  return { ...EVERYTHING, ...given, side: side as LibraryFilter['side'] };
}

/** The source of the explorer that means a collection. */
export const sourceOf = (collection: string) => `library/${collection}`;

/** The collection that a source means, if it is one. */
export const collectionOf = (source: string) => (source.startsWith('library/') ? source.slice('library/'.length) : undefined);
