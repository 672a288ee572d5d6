// Whether the server can be reached, the games that are played without it, and their upload.

import { call, onReach, ProblemError, whoAmI } from '../api';
import { session } from '../session.svelte';
import { finished } from './here';
import { onChanged } from './hereline';
import { all, remove, type Kept } from './shelf';

/** How often to look for the server, in milliseconds. */
const AGAIN = 5000;

class Offline {
  /** Whether the server can't be reached. */
  now = $state(false);
  /** The games that the server doesn't have yet. */
  games = $state.raw<Kept[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks for the server while it is away, and uploads finished games when it is there. */
  follow(): void {
    onReach((reached) => (reached ? this.#found() : this.#missed()));
    onChanged(() => void this.#changed());
    window.addEventListener('online', () => this.#look());
    window.addEventListener('offline', () => this.#missed());
    void this.#upload();
  }

  /** Uploads finished games: exactly once, because the server knows them by their ids. */
  async #upload(): Promise<void> {
    await this.refresh();
    if (this.games.length === 0 || this.now) return;
    try {
      // One tab at a time: the others find nothing left.
      await navigator.locks.request('riga-upload', async () => {
        await session.load();
        for (const kept of await all()) if (kept.saved.over) await this.#send(kept);
      });
    } catch {
      // The server is away again.
    }
    await this.refresh();
  }

  async #send(kept: Kept): Promise<void> {
    // Another profile is selected.
    if (kept.user !== null && kept.user !== session.me?.user?.id) return;
    try {
      // A game that was aborted before it began is nothing to keep.
      if (kept.saved.moves.length > 0) await call('PUT', `/api/games/${kept.id}`, finished(kept), kept.seat);
      await remove(kept.id);
    } catch (error) {
      // The server doesn't take it: it stays here.
      if (!(error instanceof ProblemError)) throw error;
    }
  }

  /** Reads the games again. */
  async refresh(): Promise<void> {
    this.games = await all().catch(() => []);
  }

  /** A game that ends while the server is there is uploaded at once. */
  async #changed(): Promise<void> {
    await this.refresh();
    if (this.games.some(({ saved }) => saved.over)) await this.#upload();
  }

  #missed(): void {
    this.now = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), AGAIN);
  }

  /** Asks the server for something small; the answer is heard by `onReach`. */
  #look(): void {
    void whoAmI().catch(() => undefined);
  }

  #found(): void {
    if (!this.now) return;
    this.now = false;
    clearTimeout(this.#timer);
    session.load().then(
      () => this.#upload(),
      () => undefined,
    );
  }
}

export const offline = new Offline();
