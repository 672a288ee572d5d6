// Whether the server can be reached, the games that are played without it, and their upload.

import { call, onReach, ProblemError, whoAmI } from '../api';
import { t } from '../i18n.svelte';
import { session } from '../session.svelte';
import { finished } from './here';
import { onChanged } from './hereline';
import { all, belongsTo, remove, type Kept } from './shelf';

/** How often to look for the server, in milliseconds. */
const AGAIN = 5000;

class Offline {
  /** Whether the server can't be reached. */
  now = $state(false);
  /** Our games that the server doesn't have yet. */
  games = $state.raw<Kept[]>([]);
  /** Why the server doesn't take a game. */
  problems = $state<Record<string, unknown>>({});
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks for the server while it is away, and uploads finished games when it is there. */
  follow(): void {
    onReach((reached) => (reached ? this.#found() : this.#missed()));
    onChanged(() => void this.#changed());
    window.addEventListener('online', () => this.#look());
    window.addEventListener('offline', () => this.#missed());
  }

  /** Uploads finished games: exactly once, because the server knows them by their ids. */
  async upload(): Promise<void> {
    await this.refresh();
    if (this.now || !this.games.some(({ saved }) => saved.over)) return;
    try {
      // One tab at a time: the others find nothing left.
      await navigator.locks.request('riga-upload', async () => {
        await this.refresh();
        for (const kept of this.games) if (kept.saved.over) await this.#send(kept);
      });
    } catch {
      // The server is away again, or busy.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), AGAIN);
    }
    await this.refresh();
  }

  async #send(kept: Kept): Promise<void> {
    const { id, wanted, saved, seat } = kept;
    try {
      // A game that was aborted before it began is nothing to keep.
      if (saved.moves.length > 0) await call('PUT', `/api/games/${id}`, finished(kept), seat);
      await remove(id);
    } catch (error) {
      if (!(error instanceof ProblemError) || [429, 503].includes(error.problem.status)) throw error;
      // Nobody checks names offline. The game is worth more than the name.
      const { opponent } = wanted;
      const name = t().start.defaultOpponent;
      if (opponent.type === 'here' && opponent.name !== name && error.problem.fields?.some((field) => field.name === 'name')) {
        await this.#send({ ...kept, wanted: { ...wanted, opponent: { ...opponent, name } } });
      } else {
        this.problems[id] = error;
      }
    }
  }

  /** Reads the games again. */
  async refresh(): Promise<void> {
    const games = await all().catch(() => []);
    this.games = games.filter((kept) => belongsTo(kept, session.me?.user?.id));
  }

  /** A game that ends while the server is there is uploaded at once. */
  async #changed(): Promise<void> {
    await this.refresh();
    if (this.games.some(({ saved }) => saved.over)) await this.upload();
  }

  #missed(): void {
    this.now = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), AGAIN);
  }

  /** Asks the server for something small; the answer is heard by `onReach`. */
  #look(): void {
    void whoAmI().then(
      () => this.upload(),
      () => undefined,
    );
  }

  #found(): void {
    if (!this.now) return;
    this.now = false;
    clearTimeout(this.#timer);
    session.load().then(
      () => this.upload(),
      () => undefined,
    );
  }
}

export const offline = new Offline();
