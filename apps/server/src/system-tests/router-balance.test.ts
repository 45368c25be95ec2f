import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../testing/call.ts';
import { newId } from '../kernel/ids.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../testing/rollouts.ts';
import { readMetrics } from '../testing/metrics.ts';

/** Time after which a router that was sent elsewhere and came nowhere is offline. */
const OFFLINE_SECONDS = 3;
const MANY = 8;

let fixture: RolloutFixture;

beforeAll(async () => {
  fixture = await openRolloutFixture({
    offlineSeconds: OFFLINE_SECONDS,
    metrics: true,
    lease: { renewMs: 100 },
    balance: { least: 3, steadyMs: 0, perSecond: 1, everyMs: 50, returnMs: 500, idleMs: 0 },
  });
});
afterAll(() => fixture.close());

const idOf = async ({ serial }: GroupRouter) =>
  (await fixture.server.owner.query<{ id: string }>('select id from routers where serial = $1', [serial])).rows[0]!.id;

async function historyOf(router: GroupRouter): Promise<string[]> {
  const { rows } = await fixture.server.owner.query<{ line: string }>(
    "select kind || ': ' || reason as line from connectivity where router_id = $1 order by at",
    [await idOf(router)],
  );
  return rows.map(({ line }) => line);
}

/** How many routers each process holds that are online. */
async function held(): Promise<number[]> {
  const { rows } = await fixture.server.owner.query<{ n: number }>(
    "select count(*)::int as n from routers where presence = 'online' group by held_by order by 1 desc",
  );
  return rows.map(({ n }) => n);
}

test('NOD-02-partial routers of a full process connect to an empty one without an outage in their history; busy ones stay, and one that comes nowhere is offline', async () => {
  const { server } = fixture;
  const routers = await fixture.routers(await fixture.group(), MANY);
  for (const router of routers) await router.connect();
  await until(async () => (await held())[0] === MANY);
  const [busy] = routers as [GroupRouter];
  const busyId = await idOf(busy);
  await server.owner.query(
    `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash)
      values ($1, $2, $3, $4, $5, 'ssh', 'elsewhere', $6, 'a@b.invalid', '')`,
    [fixture.scope.organizationId, newId(), fixture.scope.mainAccountId, busy.device, busyId, newId()],
  );
  const moved: GroupRouter[] = [];
  let isBusyClosed = false;
  let isOver = false;
  const other = await fixture.startAnother();
  const follow = async (router: GroupRouter) => {
    await router.closed();
    if (isOver) return;
    if (router === busy) isBusyClosed = true;
    // The first one is switched off meanwhile.
    if (moved.push(router) > 1) await router.connect(other.url.replace('http', 'ws'));
  };
  for (const router of routers) void follow(router);
  await until(async () => String(await held()) === '4,3');
  const [off, ...there] = moved as [GroupRouter, ...GroupRouter[]];
  await until(async () => (await historyOf(off)).length === 2);
  expect(await historyOf(off)).toEqual(['online: connected', 'offline: connection-lost']);
  expect([moved.length, isBusyClosed]).toEqual([MANY / 2, false]);
  for (const router of routers)
    if (router !== off)
      expect(await historyOf(router)).toEqual(
        there.includes(router) ? Array(2).fill('online: connected') : ['online: connected'],
      );
  isOver = true;
  const metrics = await readMetrics(server.metricsPort);
  expect(metrics).toMatch(/^highline_routers_sent_elsewhere_total 4$/mu);
});
