import { defineConfig } from 'vitest/config';

/** Files that measure times, and therefore run alone, after all others. */
const TIMED = ['tests/browser/speed.test.ts', 'tests/browser/wasm.test.ts', 'tests/browser/engine.test.ts'];
const EVERY = ['tests/browser/**/*.test.ts'];

/** Tests in a real browser against a real server. `RIGA` is the path to its binary. */
const common = {
  // The files of a process share one browser.
  isolate: false,
  // Some visit every page; on a slow machine that takes most of a minute.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  // What a page shows after a while. A busy machine needs longer than the default of one second.
  expect: { poll: { timeout: 20_000 } },
  env: { RIGA: process.env['RIGA'] ?? '../target/debug/riga' },
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'three at a time', include: EVERY, exclude: TIMED, maxWorkers: 3, sequence: { groupOrder: 0 } } },
      { test: { ...common, name: 'alone', include: TIMED, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
