// The current user.

import { call, trust, Unreachable, whoAmI, type Me } from './api';
import { forgetSeats, isForgotten } from './seats';
import { forgetSeen } from './reviewshelf';
import { adopt } from './settings.svelte';
import { browser } from './storage';

/** Who we were, for when the server can't be reached. */
const KEY = 'riga-me';

class Session {
  me = $state<Me>();

  /** Signs out here, too, when it happens in another tab. If the server can't be reached, the next request tells. */
  follow(): void {
    window.addEventListener('storage', (event) => {
      if (isForgotten(event)) void this.#left().catch(() => undefined);
    });
  }

  /** Resolves when it is known who we are, or that it can't be known. */
  async ready(): Promise<void> {
    if (!this.me) await this.load().catch(() => undefined);
  }

  async load(): Promise<void> {
    try {
      this.#set(await whoAmI());
    } catch (error) {
      const known = browser.read(KEY) as Me | null;
      if (!(error instanceof Unreachable) || !known) throw error;
      this.me = known;
    }
  }

  /** Selects a profile, or signs in. */
  async enter(name: string, password?: string): Promise<void> {
    this.#set(await call<Me>('POST', '/api/session', password === undefined ? { name } : { name, password }));
  }

  /** Creates a profile (local server) or an account (public server), and selects it. */
  async create(name: string, password?: string): Promise<void> {
    if (this.me?.public) {
      this.#set(await call<Me>('POST', '/api/account', { name, password }));
    } else {
      await call('POST', '/api/users', { name });
      await this.enter(name);
    }
  }

  /** Renames the current profile or account. */
  async rename(name: string): Promise<void> {
    if (!this.me?.user) return;
    await call('PATCH', `/api/users/${this.me.user.id}`, { name });
    await this.load();
  }

  async leave(): Promise<void> {
    await call('DELETE', '/api/session');
    await this.#left();
  }

  /** Changes the password and signs out everywhere else. */
  async changePassword(old: string, password: string): Promise<void> {
    this.#set(await call<Me>('PUT', '/api/account/password', { old, new: password }));
  }

  /** Deletes the account, or the profile on a local server, which has no password. */
  async remove(password: string): Promise<void> {
    if (this.me?.public) await call('POST', '/api/account/delete', { password });
    else await call('DELETE', `/api/users/${this.me?.user?.id}`);
    await this.#left();
  }

  /** On a public server, someone else may use this browser next. */
  async #left(): Promise<void> {
    if (this.me?.public) {
      forgetSeats();
      await forgetSeen().catch(() => undefined);
    }
    await this.load();
  }

  #set(me: Me): void {
    this.me = trust(me);
    // The token is a secret: it isn't written down.
    browser.write(KEY, { ...me, csrf: null });
    adopt(me);
  }
}

export const session = new Session();
