import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine } from '../../src/lib/analysis.svelte';
import type { Schemas } from '../../src/lib/api';
import { START } from './made';

/** A socket whose other end is the test. */
class Wire {
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = 0;
  said: { type: string; id?: number }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    Wire.all.push(this);
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as { type: string; id?: number });
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  open(): this {
    this.readyState = Wire.OPEN;
    this.onopen?.();
    return this;
  }
  think(depth: number, done = false): void {
    const line = { depth, moves: [], san: [], score: { cp: depth } } as unknown as Schemas['Thought'];
    const told = { type: 'thoughts', id: this.said.at(-1)?.id, thoughts: { fen: START, done, lines: [line] } };
    this.onmessage?.({ data: JSON.stringify(told) });
  }
}

beforeEach(() => {
  Wire.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Wire);
  vi.stubGlobal('window', { location: { protocol: 'http:', host: 'riga.test' } });
});

afterEach(() => {
  vi.useRealTimers();
});

const request = { position: { fen: START } };
const last = () => Wire.all.at(-1) as Wire;

test('a question waits for the connection, and is asked again on the next one', () => {
  const engine = new Engine();
  engine.analyse(request);
  expect(last().open().said).toMatchObject([{ type: 'analyse' }]);
  last().think(5);
  last().close();
  expect(engine.lost).toBe(true);
  vi.advanceTimersByTime(0);
  expect(last().open().said).toMatchObject([{ type: 'analyse' }]);
  expect(engine.lost).toBe(false);
});

test('an analysis that others have ended goes on after a pause, and keeps what was found', () => {
  const engine = new Engine();
  engine.analyse(request);
  last().open().think(20, true);
  expect(engine.running).toBe(true);
  vi.advanceTimersByTime(500);
  expect(last().said).toHaveLength(2);
  last().think(3);
  expect(engine.thoughts?.lines[0]?.depth).toBe(20);
  last().think(21);
  expect(engine.thoughts?.lines[0]?.depth).toBe(21);
});

test('one that has come to its end is not asked for again', () => {
  const engine = new Engine();
  engine.analyse(request);
  last().open().think(245, true);
  vi.advanceTimersByTime(5_000);
  expect(engine.running).toBe(false);
  expect(last().said).toHaveLength(1);
});

test('who has stopped is not told what comes late, and nothing goes on', () => {
  const engine = new Engine();
  engine.analyse(request);
  last().open();
  engine.stop();
  last().said.pop();
  last().think(7, true);
  vi.advanceTimersByTime(5_000);
  expect(engine.thoughts).toBeUndefined();
  expect(last().said).toHaveLength(1);
});
