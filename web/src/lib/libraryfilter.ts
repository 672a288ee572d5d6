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

export const RESULTS = ['1-0', '1/2-1/2', '0-1'] as const;
export const SPEEDS = ['ultrabullet', 'bullet', 'blitz', 'rapid', 'classical'] as const;

/** Material as in KRPvKR, or nothing while it is being typed. */
export function asMaterial(typed: string): string {
  const [, white, black] = /^k?([qrbnp]*) *v *k?([qrbnp]*)$/i.exec(typed.trim()) ?? [];
  return white === undefined || black === undefined ? '' : `K${white.toUpperCase()}vK${black.toUpperCase()}`;
}

/** What each number must look like. */
const NUMBERS = { min_rating: /^\d{1,4}$/, max_rating: /^\d{1,4}$/, from: /^\d{4}$/, to: /^\d{4}$/ };

/** The fields that hold something other than they should. */
export function faultsOf(filter: LibraryFilter): (keyof typeof NUMBERS)[] {
  const isWrong = (key: keyof typeof NUMBERS) => filter[key].trim() !== '' && !NUMBERS[key].test(filter[key].trim());
  return (Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]).filter(isWrong);
}

/** A filter as a query, without what is empty or unfinished. */
export function asQuery(filter: LibraryFilter): URLSearchParams {
  const query = new URLSearchParams();
  const put = (key: string, value: string) => value && query.set(key, value);
  const faults = faultsOf(filter);
  for (const key of ['min_rating', 'max_rating', 'from', 'to'] as const) put(key, faults.includes(key) ? '' : filter[key].trim());
  for (const key of ['result', 'speed', 'opponent'] as const) put(key, filter[key].trim());
  if (filter.player.trim()) {
    query.set('player', filter.player.trim());
    if (filter.side !== 'either') query.set('side', filter.side);
  }
  return query;
}

/** What can be chosen, but not typed. */
const CHOICES: Record<string, readonly string[]> = {
  result: RESULTS,
  speed: SPEEDS,
  side: ['either', 'white', 'black'],
  order: ['newest', 'strongest'],
  page: ['0'],
};

/** What a query asks for that can't be chosen, as in `order=xx`. */
export function strangeIn(query: URLSearchParams): string[] {
  return Object.entries(CHOICES).flatMap(([key, choices]) => {
    const value = query.get(key);
    return value === null || value === '' || choices.includes(value) ? [] : [`${key}=${value}`];
  });
}

/** The filter of a query; what doesn't belong to it is ignored. */
export function fromQuery(query: URLSearchParams): LibraryFilter {
  const given = (key: keyof LibraryFilter) => {
    const value = query.get(key) ?? '';
    return value === '' || CHOICES[key]?.includes(value) === false ? EVERYTHING[key] : value;
  };
  const keys = Object.keys(EVERYTHING) as (keyof LibraryFilter)[];
  return { ...EVERYTHING, ...Object.fromEntries(keys.map((key) => [key, given(key)])) };
}

/** The source of the explorer that means a collection. */
export const sourceOf = (collection: string) => `library/${collection}`;

/** The collection that a source means, if it is one. */
export const collectionOf = (source: string) => (source.startsWith('library/') ? source.slice('library/'.length) : undefined);
