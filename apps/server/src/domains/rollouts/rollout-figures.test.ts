import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRolloutFixture, type RolloutFixture } from '../../testing/rollouts.ts';
import { readRolloutFigures } from './index.ts';

let fixture: RolloutFixture;

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

const read = () => readRolloutFigures(fixture.server.database, fixture.clock.now());
/** Those that are not 0. */
const counted = (counts: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

test('a rollout in force counts by its age, and its routers by state, reason and place; a cancelled one does not', async () => {
  const { clock } = fixture;
  expect(counted((await read()).targets)).toEqual({});
  const [group, other] = [await fixture.group(), await fixture.group()];
  const waiting = await fixture.members(group, 3);
  await fixture.members(other, 1);
  const rollout = await fixture.bind('firmware', group, await fixture.firmware('2.0.0'));
  const cancelled = await fixture.bind('firmware', other, await fixture.firmware('2.0.1'));
  const { owner } = fixture.server;
  const change = (device: string, columns: string) =>
    owner.query(`update rollout_targets set ${columns} where binding_id = $1 and device_id = $2`, [rollout.id, device]);
  await change(waiting[0]!.device, "reason = 'offline'");
  await change(waiting[1]!.device, "state = 'failed', reason = 'flash at /dev/mtd3 of depot 7 is worn out'");
  await change(waiting[2]!.device, "state = 'downloading', reason = null, phase = 'sent', download_since = now()");
  await fixture.control(cancelled.id, 'cancel');
  clock.move(3_600_000);
  const figures = await read();
  expect(figures.rollouts).toEqual({ running: 1, paused: 0 });
  expect(figures.ages['running']).toBeGreaterThanOrEqual(3_600);
  expect(figures.ages['paused']).toBe(0);
  expect(counted(figures.targets)).toEqual({ waiting: 1, failed: 1, downloading: 1 });
  expect(counted(figures.reasons)).toEqual({ offline: 1, other: 1 });
  expect(figures.downloads).toEqual({ small: 0, large: 1 });
});
