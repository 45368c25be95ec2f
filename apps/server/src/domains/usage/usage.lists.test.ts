import type { usage } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const A = '89014103211118510720';
const B = '8944110068123456783';
const GB = 1_000_000_000;

const app = useTestApp(NOW);
const fresh = routersNamed('US');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let unrelated: Actor;
let mainPerson: Actor;
let bus: TestDevice;
let van: TestDevice;
let foreign: TestDevice;

/** Bytes of a SIM in a device on a day, as the ledger has them. */
const use = async (
  { organizationId }: OrganizationScope,
  device: TestDevice,
  iccid: string,
  day: string,
  sent: number,
  received: number,
  carrier = 'Verizon',
) => {
  const values = [organizationId, iccid];
  await app.owner.query(`insert into usage_sims (organization_id, iccid, carrier) values ($1, $2, $3) on conflict do nothing`, [
    ...values,
    carrier,
  ]);
  const sums = 'set sent = t.sent + excluded.sent, received = t.received + excluded.received';
  await app.owner.query(
    `with a as (select $1::uuid, $3::date, $2, $4::uuid, $5::bigint, $6::bigint)
     insert into usage_days as t select * from a on conflict (organization_id, day, iccid, device_id) do update ${sums}`,
    [...values, day, device.id, sent, received],
  );
  await app.owner.query(
    `insert into usage_cycles as t select $1::uuid, usage_cycle_of($3::date, 1), $2, $4::uuid, $5::bigint, $6::bigint
     on conflict (organization_id, cycle_from, iccid, device_id) do update ${sums}`,
    [...values, day, device.id, sent, received],
  );
  await app.owner.query(
    `insert into usage_totals as t select $1::uuid, $2::date, $3::bigint, $4::bigint on conflict (organization_id, day) do update ${sums}`,
    [organizationId, day, sent, received],
  );
};

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  const add = (scope: OrganizationScope, columns: Record<string, unknown> = {}) => addDevice(app, scope, fresh(), { columns });
  bus = await add(own, { vehicle_number: 'Bus 1', carrier: 'Verizon' });
  van = await add(own);
  foreign = await add(sibling);
  await use(own, bus, A, '2026-11-02', 1 * GB, 2 * GB);
  await use(own, bus, A, '2026-11-20', 1, 0);
  await use(own, bus, A, '2026-10-31', 7, 8);
  await use(own, bus, A, '2026-09-30', 1, 1);
  // The same SIM moved to the van, which has a second one.
  await use(own, van, A, '2026-11-05', 10, 10);
  await use(own, van, B, '2026-11-05', 5 * GB, 5);
  await use(sibling, foreign, '8944110068123456791', '2026-11-05', 50, 5);
});

const ask = (as: Actor, path: string, query: Record<string, string> = {}) => app.call('GET', `${BASE}/${path}`, { as, query });
const list = async (as: Actor, query: Record<string, string> = {}) =>
  (await ask(as, 'usage', { limit: '10', ...query })).json.result as usage.UsageRow[];
const shown = (rows: readonly usage.UsageRow[]) => rows.map(({ name, total, before }) => [name, total, before]);

describe('data used', () => {
  test('USE-02-partial the SIMs, vehicles and groups of the cycle, the most first, with the cycle before', async () => {
    expect(await list(user)).toEqual([
      expect.objectContaining({ id: B, name: B, device: van.id, deviceName: van.serial, total: 5 * GB + 5, before: 0 }),
      expect.objectContaining({
        id: A,
        deviceName: 'Bus 1',
        carrier: 'Verizon',
        sent: GB + 11,
        received: 2 * GB + 10,
        before: 15,
      }),
    ]);
    expect(shown(await list(user, { by: 'vehicles' }))).toEqual([
      [van.serial, 5 * GB + 25, 0],
      ['Bus 1', 3 * GB + 1, 15],
    ]);
    expect(shown(await list(user, { by: 'groups' }))).toEqual([['default', 8 * GB + 26, 15]]);
    expect(shown(await list(user, { cycle: 'last' }))).toEqual([[A, 15, 2]]);
    expect(shown(await list(user, { sort: 'total', by: 'vehicles' }))[0]![0]).toBe('Bus 1');
    expect(shown(await list(user, { search: 'Bus', field: 'vehicle' }))).toEqual([[A, 3 * GB + 1, 15]]);
    // The cycle before is of the same rows: the SIM was in the other vehicle then.
    expect(shown(await list(user, { search: van.serial, field: 'vehicle' }))).toEqual([
      [B, 5 * GB + 5, 0],
      [A, 20, 0],
    ]);
    expect(shown(await list(user, { search: A, by: 'vehicles' }))).toEqual([
      ['Bus 1', 3 * GB + 1, 15],
      [van.serial, 20, 0],
    ]);
    expect((await ask(user, 'usage', { limit: '1' })).json).toMatchObject({ total: 2, offset: 0 });
    expect((await ask(user, 'usage', { sort: 'name' })).status).toBe(400);
    expect((await ask(user, 'usage', { by: 'colours' })).status).toBe(400);
  });

  test('USE-02-partial a main account sees the use of each organization, an organization only its own', async () => {
    const organizations = await list(mainPerson, { by: 'organizations' });
    expect(organizations.map(({ id, total }) => [id, total])).toEqual([
      [own.organizationId, 8 * GB + 26],
      [sibling.organizationId, 55],
    ]);
    expect(await list(mainPerson)).toHaveLength(3);
    expect(await list(unrelated)).toEqual([]);
    expect((await list(user, { by: 'organizations' })).map(({ id }) => id)).toEqual([own.organizationId]);
  });

  test('USE-02-partial the same as CSV, with the columns and the filters of the list', async () => {
    const whole = await ask(user, 'usage/export', { by: 'vehicles' });
    const titles = whole.text.slice(0, whole.text.indexOf('\r\n')).split(',');
    expect(titles.filter((title) => title.endsWith('Vehicle'))).toHaveLength(1);
    const { text, headers } = await ask(user, 'usage/export', { columns: 'name,total,before' });
    expect(headers['content-disposition']).toContain('usage_sims_2026-11.csv');
    expect(text.replace('\ufeff', '').split('\r\n')).toEqual([
      'ICCID,Bytes,Bytes in the period before',
      expect.stringContaining(`,${5 * GB + 5},0`),
      expect.stringContaining(`,${3 * GB + 21},15`),
      '',
    ]);
  });

  test('USE-02-partial October of a vehicle says its days, its serial number, and the carrier that it had in October', async () => {
    // The vehicle got another router with another SIM since.
    const { own: scope, user: reader } = await openHome(app);
    const moved = await addDevice(app, scope, fresh(), { columns: { vehicle_number: '12-05', carrier: 'Verizon', iccid: B } });
    await use(scope, moved, A, '2026-10-09', 5, 5, 'AT&T');
    await use(scope, moved, B, '2026-11-09', 1, 1);
    await use(scope, moved, A, '2026-11-02', 2, 2);
    const carriers = async (query: Record<string, string>) => (await list(reader, query)).map(({ carrier }) => carrier);
    expect(await carriers({ by: 'vehicles', cycle: 'last' })).toEqual(['AT&T']);
    expect(await carriers({ by: 'vehicles' })).toEqual(['AT&T, Verizon']);
    expect(await carriers({ by: 'sims', cycle: 'last' })).toEqual(['AT&T']);
    const { text, headers } = await ask(reader, 'usage/export', {
      by: 'vehicles',
      cycle: 'last',
      columns: 'name,serial,carrier,from,until,total',
    });
    expect(headers['content-disposition']).toContain('usage_vehicles_2026-10.csv');
    expect(text.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
      'Vehicle,Serial Number,First carrier,First day,Last day,Bytes',
      `'12-05,${moved.serial},AT&T,2026-10-01,2026-10-31,10`,
    ]);
    expect((await ask(reader, 'usage/export', { columns: 'device' })).text).toContain("\r\n'12-05\r\n");
  });

  test('USE-02-partial a file of cycles that are no calendar months is not named after one', async () => {
    const { own: scope, user: reader, admin } = await openHome(app);
    const plan = { name: 'Fifteen', cycleDay: 15, allowance: GB, isPool: false, costPerGb: null, currency: '', appliesTo: 'all' };
    const body = { ...plan, carrier: '', shares: [80], action: 'mail', command: null };
    expect((await app.call('POST', `${BASE}/usage/plans`, { as: admin, body })).status).toBe(200);
    const nameOf = async (query: Record<string, string>) =>
      (await ask(reader, 'usage/export', query)).headers['content-disposition'];
    expect(await nameOf({})).toContain('"usage_sims_cycle_2026-11-20.csv"');
    expect(await nameOf({ by: 'groups', cycle: 'last' })).toContain('"usage_groups_last_cycle_2026-11-20.csv"');
    await app.owner.query('delete from usage_plans where organization_id = $1', [scope.organizationId]);
    expect(await nameOf({ by: 'groups', cycle: 'last' })).toContain('"usage_groups_2026-10.csv"');
  });

  test('USE-02-partial of cycles that began on one day, in February, those of the 29th have ended when those of the 31st run', async () => {
    const { own: scope, user: reader } = await openHome(app);
    const vehicle = await addDevice(app, scope, fresh());
    const cycle = (iccid: string, from: string, bytes: number) =>
      app.owner.query('insert into usage_cycles values ($1, $2, $3, $4, $5, 0)', [
        scope.organizationId,
        from,
        iccid,
        vehicle.id,
        bytes,
      ]);
    for (const [iccid, day] of [
      [A, 29],
      [B, 31],
    ] as const)
      await app.owner.query('insert into usage_sims (organization_id, iccid, cycle_day) values ($1, $2, $3)', [
        scope.organizationId,
        iccid,
        day,
      ]);
    await cycle(A, '2027-02-28', 100);
    await cycle(A, '2027-03-29', 1);
    await cycle(B, '2027-02-28', 10);
    app.clock.set('2027-03-30T12:00:00Z');
    const periods = (await list(reader)).map((row) => [row.id, row.total, row.before, row.cycleFrom, row.cycleUntil]);
    app.clock.set(NOW);
    expect(periods).toEqual([
      [B, 10, 0, '2027-02-28', '2027-03-31'],
      [A, 1, 100, '2027-03-29', '2027-04-29'],
    ]);
  });

  test('USE-02-partial this month by day next to the last one; of a device and of a SIM', async () => {
    const { result } = (await ask(user, 'usage/month')).json;
    expect(result).toMatchObject({ month: '2026-11-01', today: '2026-11-20', before: 15, beforeToDate: 0, sent: 6 * GB + 11 });
    expect(result.days).toHaveLength(31);
    expect(result.days[1]).toEqual({ day: 2, sent: GB, received: 2 * GB, before: 0 });
    expect(result.days[30]).toEqual({ day: 31, sent: 0, received: 0, before: 15 });
    expect((await ask(user, 'usage/month', { device: bus.id })).json.result.sent).toBe(GB + 1);
    expect((await ask(user, 'usage/month', { iccid: B })).json.result.sent).toBe(5 * GB);
    // Next to the list of the last month.
    expect((await ask(user, 'usage/month', { cycle: 'last' })).json.result).toMatchObject({
      month: '2026-10-01',
      sent: 7,
      received: 8,
      before: 2,
      beforeToDate: 2,
      isCalendar: true,
    });
    expect((await ask(unrelated, 'usage/month', { device: bus.id })).json.result.sent).toBe(0);
    expect((await ask(user, 'usage/month', { device: 'no id' })).json.result.sent).toBe(0);
  });

  test('USE-02-partial the cycle of named devices by SIM, and of named SIMs', async () => {
    const { devices, sims } = (await ask(user, 'usage/of', { devices: `${van.id},${foreign.id},nonsense`, iccids: A })).json
      .result;
    expect(devices).toEqual([
      expect.objectContaining({ device: van.id, iccid: A, total: 20, cycleFrom: '2026-11-01', cycleUntil: '2026-12-01' }),
      expect.objectContaining({ device: van.id, iccid: B, total: 5 * GB + 5 }),
    ]);
    expect(sims).toEqual([expect.objectContaining({ iccid: A, total: 3 * GB + 21, before: 15 })]);
    expect((await ask(unrelated, 'usage/of', { devices: van.id, iccids: A })).json.result).toEqual({ devices: [], sims: [] });
  });
});
