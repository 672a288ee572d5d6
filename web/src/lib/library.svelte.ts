// The collections of games on the server.

import { call, type Schemas } from './api';
import { asQuery, fromQuery, type LibraryFilter } from './libraryfilter';
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

  /** Asks the server once which collections there are. A server without any has none. */
  load(): Promise<void> {
    this.#asked ??= call<Schemas['Collection'][]>('GET', '/api/library').then(
      (found) => {
        this.collections = found;
      },
      () => {
        this.#asked = undefined;
      },
    );
    return this.#asked;
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
