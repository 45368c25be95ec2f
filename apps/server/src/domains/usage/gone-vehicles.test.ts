import type { summaries, usage } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('UG');
const sim = (n: number) => `890126000000000040${n}`;
let home: Home;
let moved: TestDevice;
let deleted: TestDevice;
let other: TestDevice;
let unknown: TestDevice;

/** A vehicle that is owned since 11/01, and that used so many bytes of its SIM on 11/05. */
async function addVehicle(n: number, bytes: number): Promise<TestDevice> {
  const added = await addDevice(app, home.own, fresh(), { columns: { vehicle_number: `Bus ${n}` } });
  const { organizationId } = home.own;
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [added.routerId]);
  await app.owner.query(`insert into usage_sims (organization_id, iccid) values ($1, $2)`, [organizationId, sim(n)]);
  const values = [organizationId, sim(n), added.id, bytes];
  await app.owner.query(`insert into usage_days values ($1, '2026-11-05', $2, $3, $4, 0)`, values);
  await app.owner.query(`insert into usage_cycles values ($1, '2026-11-01', $2, $3, $4, 0)`, values);
  return added;
}

beforeAll(async () => {
  home = await openHome(app);
  await addVehicle(1, 5_000_000);
  moved = await addVehicle(2, 4_000_000);
  other = await addVehicle(3, 3_000_000);
  deleted = await addVehicle(4, 2_000_000);
  unknown = await addVehicle(5, 1_000_000);
  for (const { serial } of [moved, other]) {
    const body = { target: home.sibling.organizationId, serials: [serial] };
    await app.call('POST', `${DM}/org/device`, { as: home.mainPerson, body });
  }
  await app.call('DELETE', `${DM}/devices`, { as: home.admin, body: { devices: [deleted.id] } });
  // Purged, with all that is known of it.
  await app.owner.query('delete from devices where id = $1', [unknown.id]);
  await app.owner.query('delete from router_ownership where device_id = $1', [unknown.id]);
});

const list = async (query: Readonly<Record<string, string>>): Promise<usage.UsageRow[]> =>
  (await app.call('GET', `${DM}/usage`, { as: home.user, query: { limit: '10', ...query } })).json.result;
const file = async (by: string) =>
  (
    await app.call('GET', `${DM}/usage/export`, {
      as: home.user,
      query: { by, columns: by === 'sims' ? 'device,serial,total' : 'name,serial,total' },
    })
  ).text.split('\r\n');
const report = async (more: Readonly<Record<string, string>>): Promise<string[][]> => {
  const query = { kind: 'data-use', from: '2026-11-01', until: '2026-11-20', ...more };
  const { columns, rows }: summaries.Summary = (await app.call('GET', `${DM}/summaries/preview`, { as: home.user, query })).json
    .result;
  const shown = ['Vehicle', 'Serial number', 'MB'].map((title) => columns.findIndex((column) => column.title === title));
  return rows.map((row) => shown.flatMap((at) => (at === -1 ? [] : [row[at]!])));
};

describe('data used by vehicles that the organization no longer has', () => {
  test('USE-02-partial lists and files name a transferred vehicle by the serial number of the router that it had, and a deleted one as it was called', async () => {
    for (const by of ['vehicles', 'sims']) {
      const rows = await list({ by });
      const nameOf = ({ name, deviceName }: usage.UsageRow) => (by === 'sims' ? deviceName : name);
      expect(
        rows.map((row) => [nameOf(row), row.serial, row.device === '']),
        by,
      ).toEqual([
        ['Bus 1', expect.stringMatching(/./u), false],
        [moved.serial, moved.serial, true],
        [other.serial, other.serial, true],
        ['Bus 4', deleted.serial, true],
        ['', '', true],
      ]);
      const lines = await file(by);
      expect(lines.slice(2, 5), by).toEqual([
        `${moved.serial},${moved.serial},4000000`,
        `${other.serial},${other.serial},3000000`,
        `Bus 4,${deleted.serial},2000000`,
      ]);
    }
    expect((await list({ search: moved.serial, field: 'vehicle' })).map(({ id }) => id)).toEqual([sim(2)]);
  });

  test('USE-02-partial BLK-06-partial data use from before a replacement keeps the serial number of the former router, also once it is removed from the inventory', async () => {
    const { main, own, admin, mainPerson } = await openHome(app);
    const bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 9' } });
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [bus.routerId]);
    await app.owner.query(`insert into usage_sims (organization_id, iccid) values ($1, $2)`, [own.organizationId, sim(9)]);
    await app.owner.query(`insert into usage_cycles values ($1, '2026-11-01', $2, $3, 7, 0)`, [
      own.organizationId,
      sim(9),
      bus.id,
    ]);
    const next = fresh();
    await app.seeding.routers(main, [next]);
    const body = { device: bus.id, serial_number: next.serial, mac: next.mac };
    await app.call('POST', `${DM}/device/router`, { as: admin, body });
    const removal = { as: mainPerson, body: { routers: [bus.routerId] } };
    expect((await app.call('DELETE', `${DM}/inventory`, removal)).status).toBe(200);
    const { result } = (await app.call('GET', `${DM}/usage`, { as: admin, query: { by: 'sims', limit: '10' } })).json;
    expect(result.map(({ serial }: usage.UsageRow) => serial.split(', ').toSorted())).toEqual([
      [bus.serial, next.serial].toSorted(),
    ]);
  });

  test('RPM-01-partial so does the report, by SIM and by vehicle', async () => {
    expect((await report({})).slice(1)).toEqual([
      [moved.serial, moved.serial, '4.00'],
      [other.serial, other.serial, '3.00'],
      ['Bus 4', deleted.serial, '2.00'],
      ['', '', '1.00'],
    ]);
    expect((await report({ sumBy: 'vehicles' })).slice(1)).toEqual([
      [moved.serial, '4.00'],
      [other.serial, '3.00'],
      ['Bus 4', '2.00'],
      ['Not known', '1.00'],
    ]);
  });
});
