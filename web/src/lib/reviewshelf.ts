// Reviews that are kept in this browser: those that the server doesn't have, and copies of those that were seen last.

import type { StoredGame } from './opened';
import type { GameReport } from './reviewlabels';

/** A review of the server with its game, as they were last seen. */
export interface Remembered {
  report: GameReport;
  game: StoredGame;
}

interface Kept {
  id: string;
  report: GameReport;
  /** Milliseconds since 1970. */
  created: number;
}

/** Reviews of games that aren't on the server, or that it doesn't take. */
const OWN = 'reports';
/** Copies of reviews that are on the server. */
const SEEN = 'seen';
/** Older ones make room. */
const MOST = { [OWN]: 100, [SEEN]: 50 };

type Shelf = keyof typeof MOST;

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('riga-reviews', 2);
    request.onupgradeneeded = () => {
      for (const name of [OWN, SEEN]) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath: 'id' }).createIndex('created', 'created');
      }
    };
    request.onsuccess = () => {
      // A newer version in another tab must not wait for this one.
      request.result.onversionchange = () => {
        request.result.close();
        opening = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
  // A browser that refuses once may allow it later.
  opening.catch(() => (opening = undefined));
  return opening;
}

const answered = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the reviews can’t be read'));
  });

async function find<T>(shelf: Shelf, id: string): Promise<T | undefined> {
  try {
    const store = (await database()).transaction(shelf).objectStore(shelf);
    return await answered(store.get(id) as IDBRequest<T | undefined>);
  } catch {
    return undefined;
  }
}

async function put(shelf: Shelf, kept: Kept): Promise<void> {
  const store = (await database()).transaction(shelf, 'readwrite').objectStore(shelf);
  await answered(store.put(kept));
  const ids = await answered(store.index('created').getAllKeys());
  for (const old of ids.slice(0, Math.max(0, ids.length - MOST[shelf]))) store.delete(old);
}

/** The review of a game, if one is kept here only. */
export async function keptReview(id: string): Promise<GameReport | undefined> {
  return (await find<Kept>(OWN, id))?.report;
}

export const keepReview = (id: string, report: GameReport) => put(OWN, { id, report, created: Date.now() });

export async function forgetReview(id: string): Promise<void> {
  const store = (await database()).transaction(OWN, 'readwrite').objectStore(OWN);
  await answered(store.delete(id));
}

/** The server's review of a game and the game itself, if they were seen not long ago. */
export const rememberedReview = (id: string) => find<Remembered>(SEEN, id);

/** Keeps a copy of a review that the server has. */
export const rememberReview = (id: string, { report, game }: Remembered) => put(SEEN, { id, report, game, created: Date.now() } as Kept & Remembered);

/** Forgets the copies: someone else may use this browser next. */
export async function forgetSeen(): Promise<void> {
  const store = (await database()).transaction(SEEN, 'readwrite').objectStore(SEEN);
  await answered(store.clear());
}
