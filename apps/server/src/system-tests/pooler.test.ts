import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTelemetry } from '../domains/router-state/index.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { systemClock } from '../platform/ports/clock.ts';
import { ask, send } from '../testing/call.ts';
import { createTestDatabase, runAs, SERVE, type TestDatabase } from '../testing/database.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { silentLog } from '../testing/log.ts';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../testing/pgbouncer.ts';
import { openRolloutFixture, type RolloutFixture } from '../testing/rollouts.ts';
import { fetchDownload } from '../testing/updating-router.ts';

/** Connections to PostgreSQL: few, so that transactions of one client change between them. */
const SIZE = 3;
const PASSWORD = 'a long one for this test';

/** The settings that operations.md names. */
const settings = [
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  "statement_timeout = '30s'",
  "lock_timeout = '10s'",
  "idle_in_transaction_session_timeout = '60s'",
];

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let direct: TestDatabase;
  let pooler: PgBouncer;
  let fixture: RolloutFixture;
  const name = () => new RegExp('/(highline_test_[0-9a-f]+)', 'u').exec(direct.ownerUrl)![1]!;

  beforeAll(async () => {
    direct = await createTestDatabase();
    // As on a cluster whose time zone is not UTC.
    await runAs(direct.ownerUrl, `alter database ${name()} set timezone = 'Asia/Taipei'`);
    pooler = await startPgBouncer(direct, SIZE);
  });
  afterAll(async () => {
    await fixture?.close();
    await pooler?.close();
    await direct?.close();
  });

  test('a start names the missing settings of the serving role, and how a pooler that rejects or drops settings is used', async () => {
    const { url, serveUrl } = { ...direct.settings, serveUrl: pooler.database.serveUrl };
    const fault = async (more: { serveUrl?: string; url?: string; pooled?: boolean }) =>
      openDatabase({ kind: 'external', url, poolSize: 2, ...more }, silentLog).then(
        async (opened) => opened.close(),
        (error: unknown) => String(error),
      );
    expect(await fault({ serveUrl, pooled: true })).toContain(
      `alter role ${SERVE} in database ${name()} set timezone = 'UTC'; alter role ${SERVE} in database ${name()} set datestyle`,
    );
    expect(await fault({ serveUrl })).toMatch(/DATABASE_SERVE_URL leads to PgBouncer.*set DATABASE_POOLER=transaction/u);
    const dropping = await startPgBouncer(direct, SIZE, [
      'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ]);
    try {
      expect(await fault({ serveUrl: dropping.database.serveUrl })).toContain('DATABASE_SERVE_URL leads to a pooler that drops');
      // The owner would serve with all of its rights.
      const owner = dropping.database.serveUrl.replace(SERVE, 'highline_owner');
      expect(await fault({ serveUrl: owner, pooled: true })).toContain('highline_owner');
    } finally {
      await dropping.close();
    }
  });

  test('NOD-01-partial sign-in, writes, lists, whole lists, live updates, telemetry and a rollout work on shared connections', async () => {
    for (const setting of settings)
      await runAs(direct.ownerUrl.replace('highline_owner', SERVE), `alter role ${SERVE} in database ${name()} set ${setting}`);
    await pooler.reconnect();
    fixture = await openRolloutFixture({ database: pooler.database, environment: { DATABASE_POOLER: 'transaction' } });
    const { server, scope } = fixture;
    const email = 'pooler@highline.invalid';
    await server.seeding.account(scope, email, 'admin', PASSWORD);
    const { vap: bearer } = await ask<{ vap: string }>(`${server.url}/dmp_aa/api/v1/auth/token`, {
      body: { email, password: PASSWORD },
    });
    const stream = await openEventStream(server.url, bearer);
    const groups = `${server.url}/data_manager/v1/dm/group`;
    // More at once than there are connections, several times, so that a prepared statement would meet another session.
    for (let round = 0; round < 3; round++) {
      const names = Array.from({ length: 4 }, (_, index) => `Depot ${round}-${index}`);
      await Promise.all(names.map((group) => ask(groups, { bearer, body: { name: group } })));
      const lists = await Promise.all([
        ...Array.from({ length: 4 }, () => ask<{ groupName: string }[]>(`${groups}?limit=50`, { bearer })),
        ask<{ groupName: string }[]>(groups, { bearer }),
      ]);
      for (const list of lists) expect(list.map(({ groupName }) => groupName)).toEqual(expect.arrayContaining(names));
      const devices = await Promise.all(
        Array.from({ length: 4 }, () => send(`${server.url}/data_manager/v1/dm/devices?limit=10`, { bearer })),
      );
      expect(devices.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    for (;;) if ((await stream.next()).data.topic === 'groups') break;
    stream.close();

    const group = await fixture.group();
    const routers = await fixture.routers(group, 3);
    for (const router of routers) await router.connect();
    await fixture.bind('config', group, await fixture.config('pooler.cfg', '# depot\n'));
    for (const router of routers) {
      await fixture.awaitRequests(router, 1);
      const [operation] = router.operations;
      expect((await fetchDownload(operation!)).status).toBe(200);
      router.set('Device.DeviceInfo.VendorConfigFile.1.Name', operation!.args['TargetFileName']!);
      router.set('Device.DeviceInfo.VendorConfigFile.1.Version', operation!.args['CheckSum']!.slice(0, 12));
      await router.complete(operation!);
    }
    await expect.poll(async () => (await fixture.rollout(group, 'config')).states.successful).toBe(routers.length);

    const telemetry = createTelemetry({ database: server.database, clock: systemClock, log: silentLog, retentionDays: 30 });
    await telemetry.start();
    const { rows } = await server.owner.query<{ id: string }>('select id from routers limit 1');
    await telemetry.write(rows[0]!.id, [{ parameter: 'rssi', at: Date.now(), value: -70 }]);
    await telemetry.stop();
    const stored = await server.owner.query('select 1 from telemetry_reports');
    expect(stored.rows.length).toBe(1);
  });
});
