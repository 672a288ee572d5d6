// The reviews that the server makes for this visitor, followed while there are any.

import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import { cancelReviews, reviewAll, reviewQueue, type ReviewQueue } from './reviewapi';

/** How often the server is asked, in milliseconds. */
const POLL = 2000;

export class Queue {
  now = $state.raw<ReviewQueue>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    /** Called when reviews have become ready. */
    private readonly changed: () => void,
  ) {}

  get isBusy(): boolean {
    return this.now !== undefined && this.now.waiting + this.now.running > 0;
  }

  /** Looks at the queue, and again while it is busy. */
  async follow(): Promise<void> {
    clearTimeout(this.#timer);
    const before = this.now;
    try {
      this.now = await reviewQueue();
    } catch {
      // Without the server, or a profile, there is no queue.
      this.now = undefined;
    }
    if (before && this.now && this.now.done > before.done) this.changed();
    if (this.isBusy && !this.#closed) this.#timer = setTimeout(() => void this.follow(), POLL);
  }

  /** Puts all games of a search into the queue. */
  async add(query: string): Promise<void> {
    const { queued, known, more } = await reviewAll(query);
    notices.say(t().review.bulk.queued(queued, known));
    if (more) notices.say(t().review.bulk.more);
    await this.follow();
  }

  async cancel(): Promise<void> {
    await cancelReviews();
    notices.say(t().review.bulk.cancelled);
    await this.follow();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
