import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages}/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One embedded PostgreSQL for the whole run; each worker clones its own databases from a template in it.
    globalSetup: ['apps/server/src/testing.global.ts'],
  },
});
