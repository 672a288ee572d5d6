import { describe, expect, test, vi } from 'vitest';
import { LABELS } from '../../../src/lib/reviewlabels';
import { de } from '../../../src/lib/words.de';
import { en } from '../../../src/lib/words.en';
import { Door, type CoreCalls, type EngineCalls, type ReviewStep, type Told } from '../../../src/wasm/door';
import { areBuilt, bytes, compiled } from './built';

vi.setConfig({ testTimeout: 60_000 });

const PGN = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0';

function reviewed(module: string, report: (told: Told) => void = () => undefined, stopped = () => false) {
  const door = new Door<EngineCalls>(compiled(module), { report, stopped });
  door.load(bytes('riga.net'), 1);
  return door.call('review', { pgn: PGN, nodes: 5_000 }).report;
}

describe.skipIf(!areBuilt)('reviews in WebAssembly', () => {
  test('with and without SIMD they are the same, and each move is told from the last to the first', () => {
    const steps: ReviewStep[] = [];
    const report = reviewed('engine-simd.wasm', (told) => steps.push(told as ReviewStep));
    expect(report).toEqual(reviewed('engine.wasm'));
    expect(steps.map(({ ply }) => ply)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(report?.moves[5]?.label).toBe('blunder');
  });

  test('one that is stopped has no report', () => {
    expect(reviewed('engine-simd.wasm', undefined, () => true)).toBeNull();
  });

  test('the labels are called the same as in the sentences', () => {
    const core = new Door<CoreCalls>(compiled('core.wasm'));
    const report = reviewed('engine-simd.wasm');
    if (!report) throw new Error('the review was not stopped');
    for (const [language, catalogue] of [['en', en], ['de', de]] as const) {
      const { labels } = core.call('tell_review', { report, language });
      expect(Object.fromEntries(labels.map(({ label, name }) => [label, name]))).toEqual(catalogue.review.labels);
      expect(labels.map(({ label }) => label)).toEqual(LABELS);
    }
  });
});
