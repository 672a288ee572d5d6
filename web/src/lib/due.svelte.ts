// How many puzzles are due, for the navigation and the puzzle page.

import { call, type Schemas } from './api';

class Due {
  count = $state<Schemas['PuzzleCount']>();

  /** Nothing is known about guests. */
  forget(): void {
    this.count = undefined;
  }

  async load(): Promise<void> {
    this.count = await call<Schemas['PuzzleCount']>('GET', '/api/puzzles/count');
  }
}

export const due = new Due();
