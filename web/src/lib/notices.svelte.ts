// Notifications: errors and short messages.

import { Unreachable } from './api';
import { explain } from './words';

interface Notice {
  id: number;
  text: string;
  error: boolean;
}

class Notices {
  all = $state<Notice[]>([]);
  /** Whether an open dialog shows them. */
  inDialog = $state(false);
  #next = 1;

  say(text: string, error = false): void {
    const id = this.#next++;
    this.all = [...this.all.filter((notice) => notice.text !== text), { id, text, error }].slice(-4);
    setTimeout(() => this.remove(id), error ? 10_000 : 4_000);
  }

  remove(id: number): void {
    this.all = this.all.filter((notice) => notice.id !== id);
  }

  /** Shows an error. */
  fail(error: unknown): void {
    this.say(explain(error), true);
  }

  /** Shows the error of a promise that nobody awaits. That the server can't be reached is in the header. */
  watch(promise: Promise<unknown>): void {
    promise.catch((error: unknown) => {
      if (!(error instanceof Unreachable)) this.fail(error);
    });
  }
}

export const notices = new Notices();
