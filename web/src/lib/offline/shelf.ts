// Games that are played in this browser without the server. They stay here until the server has them.

import type { Schemas } from '../api';
import { browser } from '../storage';
import type { components } from '../../wasm/calls';

export type SavedGame = components['schemas']['SavedGame'];

export interface Kept {
  id: string;
  /** The game as it was asked for, with our side. */
  wanted: Schemas['NewGame'];
  saved: SavedGame;
  /** The secret of our seat, once the server has the game. */
  seat: string;
  /** The profile that plays; null for a guest. */
  user: number | null;
}

const STORE = 'games';
/** The ids of the games. Rooms must know at once whether a game is here. */
const IDS = 'riga-offline';

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('riga', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
  // A browser that refuses once may allow it later.
  opening.catch(() => (opening = undefined));
  return opening;
}

/** Resolves when the change is on disk. */
async function change(act: (games: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(STORE, 'readwrite', { durability: 'strict' });
  act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error('the game could not be kept'));
  });
}

async function read<T>(ask: (games: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const request = ask((await database()).transaction(STORE).objectStore(STORE));
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the games can’t be read'));
  });
}

function ids(): string[] {
  const kept = browser.read(IDS);
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
}

/** Whether a game is played in this browser. */
export const isHere = (id: string) => ids().includes(id);

export async function put(game: Kept): Promise<void> {
  await change((games) => games.put(game));
  if (!isHere(game.id)) browser.write(IDS, [...ids(), game.id]);
}

export async function remove(id: string): Promise<void> {
  await change((games) => games.delete(id));
  browser.write(
    IDS,
    ids().filter((one) => one !== id),
  );
}

/** Whether a game belongs to a user: the next person at this browser must not play it. */
export const belongsTo = ({ user }: Kept, me: number | undefined) => user === null || user === me;

export const find = (id: string) => read<Kept | undefined>((games) => games.get(id) as IDBRequest<Kept | undefined>);

/** All games, the latest first. */
export async function all(): Promise<Kept[]> {
  if (ids().length === 0) return [];
  const games = await read<Kept[]>((store) => store.getAll() as IDBRequest<Kept[]>);
  return games.sort((one, other) => other.saved.created - one.saved.created);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A game id, as the server makes them. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) => DIGITS.charAt(byte % DIGITS.length)).join('');
}
