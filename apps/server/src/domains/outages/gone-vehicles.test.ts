import type { outages } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { purgeArchivedDevices } from '../devices/index.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('GV');
const day = { from: '2026-11-19', until: '2026-11-19' };
let home: Home;
let moved: TestDevice;
let deleted: TestDevice;
let purged: TestDevice;

const send = (as: Actor, path: string, query: Readonly<Record<string, string>>) =>
  app.call('GET', `${DM}/outages${path}`, { as, query: { ...day, ...query } });
const listed = async (as: Actor, query: Readonly<Record<string, string>> = {}): Promise<outages.Outage[]> =>
  (await send(as, '', query)).json.result;

/** A vehicle that is owned since 11/01 and lost its connection for these minutes of 11/19. */
async function addVehicle(name: string, minutes: number): Promise<TestDevice> {
  const columns = { vehicle_number: name, presence_since: '2026-11-01' };
  const added = await addDevice(app, home.own, fresh(), { columns });
  await app.owner.query(`update routers set presence_since = '2026-11-01' where id = $1`, [added.routerId]);
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [added.routerId]);
  await app.owner.query(
    `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
     values ($1, $2, $3, '2026-11-19T06:00:00Z', '2026-11-19T06:00:00Z'::timestamptz + make_interval(mins => $4), 'lost', 'no-answer', 'Northern', 'LTE', '')`,
    [home.own.organizationId, added.id, added.routerId, minutes],
  );
  await app.owner.query(
    `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-01', 'carrier', 'Northern')`,
    [added.routerId],
  );
  return added;
}

const transfer = ({ serial }: TestDevice) =>
  app.call('POST', `${DM}/org/device`, {
    as: home.mainPerson,
    body: { target: home.sibling.organizationId, serials: [serial] },
  });

beforeAll(async () => {
  home = await openHome(app);
  await addVehicle('Bus 1', 10);
  moved = await addVehicle('Bus 2', 20);
  deleted = await addVehicle('Bus 3', 30);
  purged = await addVehicle('Bus 4', 40);
  // A spare that never connected, and goes to the other organization too.
  const spare = await addDevice(app, home.own, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [spare.routerId]);
  for (const each of [moved, spare]) await transfer(each);
  const deletion = { as: home.admin, body: { devices: [deleted.id, purged.id] } };
  await app.call('DELETE', `${DM}/devices`, deletion);
  await app.owner.query(`update devices set archived_at = '2026-10-01' where id = $1`, [purged.id]);
  await purgeArchivedDevices(app.database, new Date(NOW));
});

describe('outages of vehicles that the organization no longer has', () => {
  test('RPM-04-partial the list names a transferred and a purged vehicle by the serial number of the router that it had, and finds them by it', async () => {
    const named = new Map((await listed(home.user)).map(({ name, minutes }) => [minutes, name]));
    expect([10, 20, 30, 40].map((minutes) => named.get(minutes))).toEqual(['Bus 1', moved.serial, 'Bus 3', purged.serial]);
    const found = await listed(home.user, { search: purged.serial, field: 'vehicle' });
    expect(found.map(({ name }) => name)).toEqual([purged.serial]);
    expect(await listed(home.user, { search: 'Bus 2', field: 'vehicle' })).toEqual([]);
  });

  test('RPM-04-partial a vehicle whose router was replaced and removed from the inventory keeps its outages, with the serial number of then', async () => {
    const broken = await addVehicle('Bus 5', 50);
    await app.call('DELETE', `${DM}/devices`, { as: home.admin, body: { devices: [broken.id] } });
    await app.call('DELETE', `${DM}/inventory`, { as: home.mainPerson, body: { routers: [broken.routerId] } });
    const [row] = (await listed(home.user)).filter(({ minutes }) => minutes === 50);
    expect(row).toMatchObject({ name: 'Bus 5', serial: broken.serial });
    expect((await listed(home.user, { search: broken.serial, field: 'serial' })).map(({ name }) => name)).toEqual(['Bus 5']);
    await app.owner.query('delete from devices where id = $1', [broken.id]);
    expect((await listed(home.user)).filter(({ name }) => name === broken.serial)).toHaveLength(1);
    const sums = (await send(home.user, '/sums', { by: 'vehicles' })).json.result as outages.Availability[];
    expect(sums.filter(({ minutes }) => minutes === 50)).toMatchObject([{ name: broken.serial }]);
    for (const table of ['outages', 'router_ownership'])
      await app.owner.query(`delete from ${table} where device_id = $1`, [broken.id]);
  });

  test('RPM-04-partial the evidence has a transferred and a purged vehicle too', async () => {
    const text = (await readPdfPages((await send(home.user, '/evidence', {})).bytes)).join(' ');
    for (const name of ['Bus 1', moved.serial, 'Bus 3', purged.serial]) expect(text).toContain(name);
  });

  test('RPM-04-partial RPM-05-partial sums by vehicle, group and carrier have their outages, and the availability while they were owned', async () => {
    const summed = async (by: outages.OutageSum): Promise<unknown> =>
      ((await send(home.user, '/sums', { by })).json.result as outages.Availability[]).map((row) => [
        row.name,
        row.outages,
        row.minutes,
        row.vehicles,
        row.share,
      ]);
    // When a purged vehicle was owned is no longer known: it has no share, and those of others are without it.
    expect(await summed('vehicles')).toEqual([
      [purged.serial, 1, 40, 1, null],
      ['Bus 3', 1, 30, 1, 97.91],
      [moved.serial, 1, 20, 1, 98.61],
      ['Bus 1', 1, 10, 1, 99.3],
    ]);
    expect(await summed('groups')).toEqual([
      ['', 2, 60, 2, 98.61],
      [expect.stringMatching(/./u), 2, 40, 2, 98.61],
    ]);
    expect(await summed('carriers')).toEqual([['Northern', 4, 100, 4, 98.61]]);
    const text = (await readPdfPages((await send(home.user, '/evidence', {})).bytes)).join(' ');
    expect(text).toContain('100.0');
    expect((await send(home.user, '/sums', { by: 'vehicles', device: moved.id })).json.result).toMatchObject([{ minutes: 20 }]);
  });
});
