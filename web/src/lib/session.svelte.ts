// The current user.

import { call, trust, whoAmI, type Me } from './api';
import { adopt } from './settings.svelte';

class Session {
  me = $state<Me>();

  async load(): Promise<void> {
    this.#set(await whoAmI());
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

  async leave(): Promise<void> {
    await call('DELETE', '/api/session');
    await this.load();
  }

  #set(me: Me): void {
    this.me = trust(me);
    adopt(me);
  }
}

export const session = new Session();
