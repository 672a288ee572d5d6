// Test fixtures: games, moves, and in-memory storage.

import type { GameView, LegalMove, PlayedMove, PositionView, Schemas } from '../../src/lib/api';

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function legal(san: string, uci: string): LegalMove {
  return { san, uci, from: uci.slice(0, 2), to: uci.slice(2, 4) };
}

/** A move whose position doesn't matter. */
export function played(san: string, uci = san): PlayedMove {
  return { san, uci, fen: `after ${san}`, clock: null };
}

export function position(turn: 'white' | 'black' = 'white'): PositionView {
  return { fen: START, turn, check: false, claimable_draw: false, moves: [] };
}

/** A standing without an offer or any action besides moving. */
export function standing(changes: Partial<Schemas['Standing']> = {}): Schemas['Standing'] {
  return { offer: null, rated: false, actions: { white: [], black: [] }, ...changes };
}

export function game(changes: Partial<GameView> = {}): GameView {
  return {
    id: 'abc',
    actions: { white: [], black: [] },
    white: { name: 'Mikhail' },
    black: { name: 'Aivars' },
    created: 0,
    moves: [],
    position: position(),
    rated: false,
    result: '*',
    rules: 'standard',
    source: 'played',
    start: START,
    status: 'live',
    version: 1,
    visibility: 'link',
    ...changes,
  };
}

/** A `localStorage` in memory. */
export class Shelf implements Storage {
  #kept = new Map<string, string>();

  get length(): number {
    return this.#kept.size;
  }
  clear(): void {
    this.#kept.clear();
  }
  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }
  key(index: number): string | null {
    return [...this.#kept.keys()][index] ?? null;
  }
  removeItem(key: string): void {
    this.#kept.delete(key);
  }
  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }
}
