// The collections of games on the server.

import { call, type Schemas } from './api';
import { asQuery, fromQuery, type LibraryFilter } from './libraryfilter';
import { session } from './session.svelte';
import { browser } from './storage';

const KEY = 'riga-library-filter';

/** The query of the filter that was last used here. */
function kept(): string {
  const text = browser.read(KEY);
  return typeof text === 'string' ? text : '';
}

class Shelves {
  collections = $state<Schemas['Collection'][]>([]);
  /** The filter of the explorer. */
  filter = $state<LibraryFilter>(fromQuery(new URLSearchParams(kept())));
  #asked: Promise<void> | undefined;

  /** Asks the server once which collections there are. */
  load(): Promise<void> {
    this.#asked ??= this.#ask().catch(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  /** A public server tells users only; who signs in later asks again. */
  async #ask(): Promise<void> {
    await session.ready();
    if (session.me?.public && !session.me.user) {
      this.#asked = undefined;
      return;
    }
    this.collections = await call<Schemas['Collection'][]>('GET', '/api/library');
  }

  has(name: string): boolean {
    return this.collections.some((collection) => collection.name === name);
  }

  choose(change: Partial<LibraryFilter>): void {
    Object.assign(this.filter, change);
    browser.write(KEY, asQuery(this.filter).toString());
  }
}

export const shelves = new Shelves();
