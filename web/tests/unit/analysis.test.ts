import { expect, test, vi } from 'vitest';
import { Engine } from '../../src/lib/analysis.svelte';
import type { Schemas } from '../../src/lib/api';
import { START } from './made';
import { useWires, Wire } from './wire';

useWires();

/** The engine's next report on the latest request. */
function think(depth: number, done = false): void {
  const line = { depth, moves: [], san: [], score: { cp: depth } } as unknown as Schemas['AnalysedLine'];
  const id = Number(Wire.last.said.findLast(({ type }) => type === 'analyse')?.['id']);
  Wire.last.tell({ type: 'thoughts', id, thoughts: { fen: START, done, lines: [line] } });
}

const request = { position: { fen: START } };

test('a question waits for the connection, and is asked again on the next one', () => {
  const engine = new Engine();
  engine.analyse(request);
  expect(Wire.last.open().said).toMatchObject([{ type: 'analyse' }]);
  think(5);
  Wire.last.close();
  expect(engine.lost).toBe(true);
  vi.advanceTimersByTime(0);
  expect(Wire.last.open().said).toMatchObject([{ type: 'analyse' }]);
  expect(engine.lost).toBe(false);
});

test('an analysis that others have ended goes on after a pause, and keeps what was found', () => {
  const engine = new Engine();
  engine.analyse(request);
  Wire.last.open();
  think(20, true);
  expect(engine.running).toBe(true);
  vi.advanceTimersByTime(500);
  expect(Wire.last.said).toHaveLength(2);
  think(3);
  expect(engine.thoughts?.lines[0]?.depth).toBe(20);
  think(21);
  expect(engine.thoughts?.lines[0]?.depth).toBe(21);
});

test('one that has come to its end is not asked for again', () => {
  const engine = new Engine();
  engine.analyse(request);
  Wire.last.open();
  think(245, true);
  vi.advanceTimersByTime(5_000);
  expect(engine.running).toBe(false);
  expect(Wire.last.said).toHaveLength(1);
});

test('who has stopped is not told what comes late, and nothing goes on', () => {
  const engine = new Engine();
  engine.analyse(request);
  Wire.last.open();
  think(6);
  engine.stop();
  expect(engine.thoughts).toBeUndefined();
  think(7, true);
  vi.advanceTimersByTime(5_000);
  expect(engine.thoughts).toBeUndefined();
  expect(Wire.last.said.map(({ type }) => type)).toEqual(['analyse', 'stop']);
});
