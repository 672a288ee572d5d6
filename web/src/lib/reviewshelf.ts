// Reviews that are kept in this browser: of games that aren't on the server, or whose review it doesn't take.

import type { GameReport } from './reviewlabels';

interface Kept {
  id: string;
  report: GameReport;
  /** Milliseconds since 1970. */
  created: number;
}

const STORE = 'reports';
/** Older ones make room. */
const MOST = 100;

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('riga-reviews', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' }).createIndex('created', 'created');
    request.onsuccess = () => resolve(request.result);
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

/** The review of a game, if one is kept here. */
export async function keptReview(id: string): Promise<GameReport | undefined> {
  try {
    const store = (await database()).transaction(STORE).objectStore(STORE);
    return (await answered(store.get(id) as IDBRequest<Kept | undefined>))?.report;
  } catch {
    return undefined;
  }
}

export async function keepReview(id: string, report: GameReport): Promise<void> {
  const store = (await database()).transaction(STORE, 'readwrite').objectStore(STORE);
  await answered(store.put({ id, report, created: Date.now() } satisfies Kept));
  const ids = await answered(store.index('created').getAllKeys());
  for (const old of ids.slice(0, Math.max(0, ids.length - MOST))) store.delete(old);
}

export async function forgetReview(id: string): Promise<void> {
  const store = (await database()).transaction(STORE, 'readwrite').objectStore(STORE);
  await answered(store.delete(id));
}
