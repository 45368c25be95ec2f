import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../../testing/rollouts.ts';
import { resumeRollouts } from './due.store.ts';

let fixture: RolloutFixture;
beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

test('NOD-02-partial a connection that was written after its targets had been looked at, since the database was away, makes them due', async () => {
  const group = await fixture.group();
  const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
  await router.connect();
  const rollout = await fixture.bind('firmware', group, await fixture.firmware('4.0.0'));
  await fixture.awaitRequests(router, 1);
  await fixture.becomes(rollout, router, { phase: 'sent' });
  /** Undone, so that the engine does nothing about it. */
  const resumedFrom = async (phase: string, reason: string | null) => {
    let count: number | undefined;
    const undone = new Error('undone');
    const trying = fixture.server.database.write(async (tx) => {
      await sql`update rollout_targets set phase = ${phase}, reason = ${reason}, due_at = null,
        looked_at = now() + interval '1 minute' where binding_id = ${rollout.id}::uuid`.execute(tx);
      count = await resumeRollouts(tx, fixture.clock.now(), 10);
      throw undone;
    });
    await expect(trying).rejects.toBe(undone);
    return count;
  };
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
