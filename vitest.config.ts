import { defineConfig } from 'vitest/config';
import { alias } from './apps/console/vite.alias.ts';
import { LongestFirst } from './scripts/longest-first.ts';

export default defineConfig({
  // As the console is built.
  resolve: { alias },
  test: {
    include: ['{apps,packages}/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Some of them always wait.
    maxWorkers: 4,
    // A bound for what hangs, no measure: a machine may be many times slower than ours.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    sequence: { sequencer: LongestFirst },
    // One embedded PostgreSQL for the whole run; each worker clones its own databases from a template in it.
    globalSetup: ['apps/server/src/testing/global-setup.ts'],
  },
});
