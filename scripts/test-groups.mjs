// Test files that `npm test` leaves out, each in one group that `npm test -- --only <group>` runs. CI runs all of them.

const server = (...names) => names.map((name) => `apps/server/src/${name}.test.ts`);

export const groups = {
  /** They start and stop other programs for most of their time, and few changes concern them. */
  nodes: {
    about: 'tests with several servers',
    files: [
      ...server(
        'system-tests/cells',
        'system-tests/failover',
        'system-tests/nodes',
        'system-tests/point-in-time',
        'system-tests/pooler',
        'system-tests/proxies',
        'system-tests/replica',
      ),
      'scripts/soak/nodes/storm.test.ts',
    ],
  },
  /** Whole programs: servers, routers, PostgreSQL and the release are started, sent generated input, killed with -9 and started again. */
  processes: {
    about: 'tests of whole processes',
    files: [
      ...server(
        'cli/cli',
        'demo/day',
        'demo/fleet',
        'domains/alerts/alerts-kill',
        'domains/coverage/coverage-kill',
        'domains/mails/mail-kill',
        'domains/webhooks/webhook-kill',
        'platform/adapters/postgres/embedded',
        'platform/process/last-net',
        'platform/process/service-manager',
        'system-tests/hostile-router',
        'system-tests/kill',
        'system-tests/rollout-kill',
      ),
      'apps/router/src/cli.test.ts',
      'apps/router/src/esims/kill.test.ts',
      'apps/router/src/updates/kill.test.ts',
      'scripts/bench/scale.test.ts',
      'scripts/fuzz/fuzz.test.ts',
      'scripts/release.test.ts',
      'scripts/serve.test.ts',
      'e2e/first-customer.spec.ts',
      'e2e/kill.spec.ts',
    ],
  },
  /**
   * What concerns every screen: each look, hostile text, what all forms, lists and files have in common, and the tasks that are done
   * by keyboard across them; the gallery; and maps, which a machine without a graphics card draws in software.
   */
  screens: {
    about: 'tests of every screen',
    files: [
      'e2e/coverage.spec.ts',
      'e2e/gallery.spec.ts',
      'e2e/geofence-crossings.spec.ts',
      'e2e/geofences.spec.ts',
      'e2e/hostile.spec.ts',
      'e2e/looks.spec.ts',
      'e2e/map-fleet.spec.ts',
      'e2e/map.spec.ts',
      'e2e/own-map.spec.ts',
      'e2e/shared.spec.ts',
      'e2e/tasks.spec.ts',
      'e2e/trail.spec.ts',
    ],
  },
};

export const inGroups = Object.values(groups).flatMap(({ files }) => files);
