// Browser storage. Where it is unavailable, values last until the page is closed.

class Shelf {
  #memory = new Map<string, string>();

  constructor(private readonly open: () => Storage) {}

  get(key: string): string | undefined {
    try {
      return this.open().getItem(key) ?? this.#memory.get(key);
    } catch {
      return this.#memory.get(key);
    }
  }

  set(key: string, value: string): void {
    try {
      this.open().setItem(key, value);
      this.#memory.delete(key);
    } catch {
      this.#memory.set(key, value);
    }
  }

  remove(key: string): void {
    this.#memory.delete(key);
    try {
      this.open().removeItem(key);
    } catch {
      // Nothing was stored.
    }
  }

  /** A stored JSON value; undefined if it is missing or malformed. */
  read(key: string): unknown {
    try {
      return JSON.parse(this.get(key) ?? 'null');
    } catch {
      return null;
    }
  }

  write(key: string, value: unknown): void {
    this.set(key, JSON.stringify(value));
  }
}

/** Per browser. */
export const browser = new Shelf(() => localStorage);
/** Per browser tab. */
export const tab = new Shelf(() => sessionStorage);
