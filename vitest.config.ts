import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { rowClaims } from './scripts/tests/row-claims.ts';
import { useRunFolder } from './scripts/tests/run-folder.mjs';
import { root } from './scripts/toolchain.mjs';

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

/** The newest PostgreSQL, which comes with the product, gets every call; what concerns connections and backups runs on both. */
const onEmbedded = [`${server}/system-tests/*.test.ts`, `${server}/{platform/adapters/postgres,cli}/**/*.test.ts`];
const onEmbeddedOnly = [`${server}/system-tests/*.test.ts`];

const project = (
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
  {
    globalSetup = [],
    setupFiles = [],
    isolate = false,
    environment = 'node',
  }: { globalSetup?: string[]; setupFiles?: string[]; isolate?: boolean; environment?: string } = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [...include],
    exclude: ['**/node_modules/**', ...exclude],
    globalSetup,
    setupFiles,
    isolate,
    environment,
  },
});

const components = 'apps/console/src/**/*.test.tsx';
/** Component tests with modules and a page of their own: those that mock some. */
const isolated = globSync(components, { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').startsWith('// @vitest-environment'),
);

const database = { globalSetup: [`${server}/testing/global-setup.ts`] };
const embedded = {
  globalSetup: [`${server}/testing/embedded-setup.ts`],
  setupFiles: [`${server}/testing/on-embedded.ts`],
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
      project('components', [components], isolated, {
        environment: './apps/console/src/testing/page-environment.ts',
        setupFiles: ['./apps/console/src/testing/page-setup.ts'],
      }),
      project('console', ['apps/console/src/**/*.test.ts']),
      project('embedded', onEmbedded, [...nodes, ...processes], embedded),
      project('isolated', isolated, [], { isolate: true }),
      project('nodes', nodes, [], database),
      project('processes', processes, nodes, database),
      project('server', [`${server}/**/*.test.ts`], [...nodes, ...processes, ...onEmbeddedOnly], database),
      project('units', ['{apps/router,packages/*}/src/**/*.test.ts', 'scripts/**/*.test.ts'], [...nodes, ...processes]),
    ],
  },
});
