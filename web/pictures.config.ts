import { defineConfig } from 'vitest/config';

/** Takes the screenshots in docs/pictures. `RIGA` is the path to the server's binary. */
export default defineConfig({
  test: {
    include: ['tests/pictures/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { RIGA: process.env['RIGA'] ?? '../target/debug/riga' },
  },
});
