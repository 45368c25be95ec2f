import type { outages } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createOutageJobs } from './outages.job.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('BG');
let home: Home;

const connected = ({ routerId }: TestDevice, at: string, kind: 'online' | 'offline', reason: string) =>
  app.owner.query('insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, $4)', [routerId, at, kind, reason]);
const factIs = ({ routerId }: TestDevice, at: string, fact: string, value: string) =>
  app.owner.query('insert into router_facts (router_id, at, fact, value) values ($1, $2, $3, $4)', [routerId, at, fact, value]);
/** Reads connections as at a time, from half an hour before it. */
async function readOutages(now: string): Promise<void> {
  await app.owner.query(`update outage_progress set until = $1::timestamptz - interval '30 minutes'`, [now]);
  const [job] = createOutageJobs(app.database, 124);
  await job!.run(new Date(now));
}
const day = { from: '2026-11-19', until: '2026-11-19' };
const listed = async (as = home.user): Promise<outages.Outage[]> =>
  (await app.call('GET', `${DM}/outages`, { as, query: { ...day, kind: 'all' } })).json.result;
/** A vehicle that is owned since 11/01. */
async function addVehicle(name: string): Promise<TestDevice> {
  const columns = { vehicle_number: name, presence_since: '2026-11-01' };
  const added = await addDevice(app, home.own, fresh(), { columns });
  await app.owner.query(`update routers set presence_since = '2026-11-01' where id = $1`, [added.routerId]);
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [added.routerId]);
  return added;
}

beforeAll(async () => {
  await app.owner.query(
    `select ensure_position_partitions('2026-11-13', '2026-11-22'), ensure_partitions('2026-11-13', '2026-11-22')`,
  );
  home = await openHome(app);
});

describe('what an outage is, as other readers say it', () => {
  test('SAY-04-partial RPM-04-partial a vehicle is parked although its router said so right before its connection ended, and was stored after it', async () => {
    const bus = await addVehicle('Bus 1');
    await connected(bus, '2026-11-19T18:00:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T18:00:10Z');
    await factIs(bus, '2026-11-19T18:00:20Z', 'ignition', 'off');
    await readOutages('2026-11-19T18:00:40Z');
    expect((await listed()).map(({ name, kind }) => [name, kind])).toEqual([['Bus 1', 'parked']]);
  });
});
