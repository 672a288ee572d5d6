// A fake WebSocket whose other end is the test.

import { afterEach, beforeEach, vi } from 'vitest';
import type { GameView, Schemas, Side } from '../../src/lib/api';
import { game } from './made';

type Told = Schemas['ServerMessage'] | Schemas['Analysed'] | Schemas['Problem'];

export class Wire {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: Wire[] = [];

  readyState = 0;
  said: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    Wire.all.push(this);
  }

  /** The newest one. */
  static get last(): Wire {
    const wire = Wire.all.at(-1);
    if (!wire) throw new Error('nobody has connected');
    return wire;
  }

  send(text: string): void {
    if (this.readyState !== Wire.OPEN) throw new Error('said into a closed socket');
    this.said.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = Wire.CLOSED;
    this.onclose?.();
  }

  open(): this {
    this.readyState = Wire.OPEN;
    this.onopen?.();
    return this;
  }

  tell(message: Told): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Opens, and answers `join` with a game. */
  join(changes: Partial<GameView> = {}, sides: Side[] = ['white']): void {
    this.open();
    this.tell({ type: 'state', game: game(changes), sides, present: sides, spectators: 0 });
  }

  /** The messages sent after `join`. */
  get sayings(): Record<string, unknown>[] {
    return this.said.filter((message) => message['type'] !== 'join');
  }
}

/** Installs fake sockets and fake timers for the tests in a file. */
export function useWires(): void {
  beforeEach(() => {
    Wire.all = [];
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', Wire);
    vi.stubGlobal('window', { location: { protocol: 'https:', host: 'riga.test' } });
  });

  afterEach(() => {
    vi.useRealTimers();
  });
}
