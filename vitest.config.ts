import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { EnvironmentOptions } from 'vitest/node';
import { rowClaims } from './scripts/tests/row-claims.ts';
import { useRunFolder } from './scripts/tests/run-folder.mjs';

useRunFolder();

const server = 'apps/server/src';

/** Several servers, a standby, NATS, PgBouncer, proxies. */
const nodes = [
  `${server}/system-tests/{cells,failover,nodes,point-in-time,pooler,proxies,replica}.test.ts`,
  'scripts/soak/nodes/*.test.ts',
];

/** Whole programs: servers, routers, PostgreSQL and the release are started, sent generated input, killed with -9 and started again. */
const processes = [
  'apps/**/*kill.test.ts',
  'apps/router/src/cli.test.ts',
  `${server}/cli/cli.test.ts`,
  `${server}/demo/{day,fleet}.test.ts`,
  `${server}/platform/process/{last-net,service-manager}.test.ts`,
  `${server}/platform/adapters/postgres/embedded.test.ts`,
  `${server}/system-tests/hostile-router.test.ts`,
  '{bench,scripts/fuzz}/*.test.ts',
  'scripts/{release,serve}.test.ts',
];

/**
 * The newest PostgreSQL, which comes with the product, gets every call of every role, and the plans of all that read; what concerns connections
 * and backups runs on both. It is built for size and takes 1.7 times the processor time, so the other tests run on that of the machine.
 */
const onEmbeddedOnly = [`${server}/system-tests/{audit-matrix,plans,tenant-matrix}.test.ts`];
const onEmbedded = [
  ...onEmbeddedOnly,
  `${server}/platform/adapters/postgres/**/*.test.ts`,
  `${server}/cli/{backup/*,migrate}.test.ts`,
];

const project = (
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
  {
    globalSetup = [],
    setupFiles = [],
    environment = 'node',
    environmentOptions = {},
  }: { globalSetup?: string[]; setupFiles?: string[]; environment?: string; environmentOptions?: EnvironmentOptions } = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [...include],
    exclude: ['**/node_modules/**', ...exclude],
    globalSetup,
    setupFiles,
    environment,
    environmentOptions,
  },
});

const database = { globalSetup: [`${server}/testing/global-setup.ts`] };
const embedded = {
  globalSetup: [`${server}/testing/embedded-setup.ts`],
  setupFiles: [`${server}/testing/on-embedded.ts`],
};

const page = {
  environment: 'happy-dom',
  // The files of a worker share the page: one that follows a link, as a download does, would leave it for all that come after it.
  environmentOptions: {
    happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
  },
  setupFiles: ['apps/console/src/testing/set-up.ts'],
};

export default defineConfig({
  plugins: [rowClaims()],
  test: {
    pool: 'threads',
    isolate: false,
    // More than cores: tests wait. Each loads and compiles the server, and Playwright has as many at the same time.
    maxWorkers: 3,
    retry: 1,
    // A bound for what hangs without a wait that names what it waits for; a machine may be many times slower than ours.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    // One queue, by name of the project: a worker that has loaded the server goes on with the next file of the same project.
    projects: [
      project('components', ['apps/console/src/**/*.test.tsx'], [], page),
      project('console', ['apps/console/src/**/*.test.ts']),
      project('embedded', onEmbedded, [...nodes, ...processes], embedded),
      project('nodes', nodes, [], database),
      project('processes', processes, nodes, database),
      project('server', [`${server}/**/*.test.ts`], [...nodes, ...processes, ...onEmbeddedOnly], database),
      project('units', ['{apps/router,packages/*}/src/**/*.test.ts', 'scripts/**/*.test.ts'], [...nodes, ...processes]),
    ],
  },
});
