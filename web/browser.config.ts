import { defineConfig } from 'vitest/config';

/** Tests in a real browser against a real server. `RIGA` is the path to its binary. */
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    fileParallelism: false,
    // All files run in one process, which starts one browser.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { RIGA: process.env['RIGA'] ?? '../target/debug/riga' },
  },
});
