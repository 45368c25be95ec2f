import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';
import type { Fragment } from '../../../platform/listing/index.ts';
import { resumeRollouts } from './due.store.ts';

let fixture: RolloutFixture;
beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

/** How many targets are made due after a change. Undone, so that the engine does nothing about it. */
async function resumedAfter(change: Fragment): Promise<number | undefined> {
  let count: number | undefined;
  const undone = new Error('undone');
  const trying = fixture.server.database.write(async (tx) => {
    await change.execute(tx);
    count = await resumeRollouts(tx, fixture.clock.now(), 10);
    throw undone;
  });
  await expect(trying).rejects.toBe(undone);
  return count;
}

test('NOD-02-partial a connection that was written after its targets had been looked at, since the database was away, makes them due', async () => {
  const group = await fixture.group();
  const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
  await router.connect();
  const rollout = await fixture.bind('firmware', group, await fixture.firmware('4.0.0'));
  await fixture.awaitRequests(router, 1);
  await fixture.becomes(rollout, router, { phase: 'sent' });
  const resumedFrom = (phase: string, reason: string | null) =>
    resumedAfter(sql`update rollout_targets set phase = ${phase}, reason = ${reason}, due_at = null,
      looked_at = now() + interval '1 minute' where binding_id = ${rollout.id}::uuid`);
  const resumed = [];
  for (const [phase, reason] of [
    ['applied', null],
    ['sent', null],
    ['idle', 'offline'],
    ['staged', 'next-boot'],
  ] as const)
    resumed.push(await resumedFrom(phase, reason));
  // The last one waits for a restart, whose event is not lost with the connection's.
  expect(resumed).toEqual([1, 1, 1, 0]);
});

test('GRP-10-partial what is downloaded is looked at again while its rollout runs, not while it is paused', async () => {
  const group = await fixture.group();
  const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
  await router.connect();
  const rollout = await fixture.bind('firmware', group, await fixture.firmware('4.2.0'), { schedule: 'bootup' });
  await fixture.awaitRequests(router, 1);
  await fixture.control(rollout.id, 'pause');
  await router.complete(router.operations[0]!);
  await fixture.becomes(rollout, router, { phase: 'downloaded', state: 'waiting', reason: 'paused' });
  const running = sql`update bindings set state = 'running' where id = ${rollout.id}::uuid`;
  expect([await resumedAfter(sql`select 1`), await resumedAfter(running)]).toEqual([0, 1]);
});

test('NOD-01-partial routers that wait for canaries are made due once all canaries are successful, also where the last two succeeded at once on two nodes', async () => {
  const group = await fixture.group();
  const routers = await fixture.routers(group, 3);
  await Promise.all(routers.map((router) => router.connect()));
  const online = "select 1 from devices where group_key = $1 and presence = 'online'";
  await expect.poll(async () => (await fixture.server.owner.query(online, [group])).rows.length).toBe(3);
  const rollout = await fixture.bind('firmware', group, await fixture.firmware('4.1.0'), { canaries: 2 });
  await expect
    .poll(async () => (await fixture.targets(rollout.id)).filter(({ reason }) => reason === 'canaries-first').length)
    .toBe(1);
  const succeeds = (most: number) =>
    sql`update rollout_targets t set state = 'successful', phase = 'idle' where t.binding_id = ${rollout.id}::uuid and t.device_id in (
      select c.device_id from rollout_targets c where c.binding_id = t.binding_id and c.is_canary limit ${most})`;
  expect([await resumedAfter(succeeds(1)), await resumedAfter(succeeds(2))]).toEqual([0, 1]);
});
