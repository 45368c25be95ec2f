import { bulkJobs, type usagePlans } from '@highline/contract';
import { makeEid, makeIccid } from '@highline/usp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { collide } from '../../testing/collide.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { startCommandJob } from '../bulk-jobs/index.ts';
import { lockRoutersOfDevices, switchToOthers } from '../esims/index.ts';
import { notifyEvents } from '../notifications/index.ts';
import { cycleOf, cycleTimes } from './cycles.ts';
import { forecastOf } from './forecast.ts';
import { allowanceLeft, createPlanJobs, createUsage } from './index.ts';
import { requestMatching } from './usage.job.queries.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const A = '89014103211118510720';
const B = '8944110068123456783';
const UNUSED = '8931440400000000008';
const GB = 1_000_000_000;

const app = useTestApp(NOW);
const fresh = routersNamed('UP');
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let mainPerson: Actor;
let user: Actor;
let unrelated: Actor;
let bus: TestDevice;

const use = async (iccid: string, device: TestDevice, day: string, bytes: number) => {
  await app.owner.query(
    `insert into usage_sims (organization_id, iccid, carrier) values ($1, $2, 'Verizon') on conflict (organization_id, iccid) do nothing`,
    [own.organizationId, iccid],
  );
  await app.owner.query(
    `insert into usage_days values ($1, $2, $3, $4, $5, 0)
       on conflict (organization_id, day, iccid, device_id) do update set sent = usage_days.sent + excluded.sent`,
    [own.organizationId, day, iccid, device.id, bytes],
  );
  await app.owner.query(
    `insert into usage_cycles values ($1, usage_cycle_of($2::date, 1), $3, $4, $5, 0)
       on conflict (organization_id, cycle_from, iccid, device_id) do update set sent = usage_cycles.sent + excluded.sent`,
    [own.organizationId, day, iccid, device.id, bytes],
  );
};

beforeAll(async () => {
  ({ own, sibling, admin, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1', iccid: A, carrier: 'Verizon' } });
  const van = await addDevice(app, own, fresh(), { columns: { iccid: B } });
  await use(A, bus, '2026-11-10', 3 * GB);
  await use(A, bus, '2026-11-16', 1 * GB);
  await use(A, bus, '2026-10-20', 31 * GB);
  await use(B, van, '2026-11-16', 0.5 * GB);
});

const fields = {
  name: 'Five',
  cycleDay: 1,
  allowance: 5 * GB,
  isPool: false,
  costPerGb: 2.5,
  currency: 'USD',
  appliesTo: 'chosen',
  carrier: '',
  shares: [100, 80, 80],
  action: 'mail',
  command: null,
};
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, as: Actor, body?: object) =>
  app.call(method, `${BASE}/usage/plans${path}`, { as, ...(body !== undefined && { body }) });
const add = async (change: object = {}) => (await call('POST', '', admin, { ...fields, ...change })).json.result.id as string;
const plansOf = async (as: Actor) => (await call('GET', '', as)).json.result as usagePlans.UsagePlan[];
const clear = async () => {
  for (const { id } of await plansOf(admin)) await call('DELETE', `/${id}`, admin);
  await run();
};

let woken = 0;
/** Addresses of authors who may not act any more. */
const left = new Set<string>();
/** The calls that authors of plans had to be allowed to make. */
const required = new Set<string>();
const jobs = (switching = switchToOthers) =>
  createPlanJobs({
    database: app.database,
    log: silentLog,
    actions: {
      mayAct: async (_tx, { email }, { id }) => required.add(id).size > 0 && !left.has(email),
      startCommandJob,
      lockRouters: lockRoutersOfDevices,
      switchToOthers: switching,
    },
    wakeJobs: () => woken++,
  });
const endJobs = () =>
  app.owner.query("update bulk_jobs set state = 'done', ended_at = $2 where organization_id = $1", [own.organizationId, NOW]);
const run = async (at: string | Date = app.clock.now(), switching = switchToOthers) => {
  for (const job of jobs(switching)) await job.run(new Date(at));
};
const pass = (ms: number) => app.clock.set(new Date(app.clock.now().getTime() + ms).toISOString());
/** Lines of the mails since the last call, in order. */
const takeMails = async () =>
  (
    await app.owner.query<{ what: string[] }>(
      `delete from notification_events where event = 'DATA_USE' and organization_id = $1 returning detail -> 'what' as what`,
      [own.organizationId],
    )
  ).rows
    .flatMap(({ what }) => what)
    .toSorted();

/** A profile that is on the eUICC of a router at this instance. */
const onRouter = async ({ serial }: TestDevice, instance: number, number: string, status: string) => {
  const body = { serial, eid: makeEid(7), ac: `1$smdp.example.com$P${instance}`, apn: 'fleet' };
  const { pk } = (await app.call('POST', `${BASE}/profile/`, { as: admin, body })).json.result;
  const set = 'update esim_profiles set path = $2, iccid = $3, status = $4, due_at = null where id = $1';
  await app.owner.query(set, [pk, pathOf(instance), number, status]);
  return pk as string;
};
const pathOf = (instance: number) => `Device.TrustedElements.SIM.1.Profile.${instance}.`;
/** The router has reported its eUICC with these profiles; the first one is the preloaded one. */
const reports = async ({ routerId }: TestDevice, numbers: readonly string[], active: string) => {
  const profiles = numbers.map((iccid, index) => ({
    path: pathOf(index + 1),
    iccid,
    active: iccid === active,
    preloaded: index === 0,
    name: null,
    carrier: '',
    apn: null,
    apn2: null,
    priority: null,
  }));
  const esim = { path: 'Device.TrustedElements.SIM.1.', eid: makeEid(7), count: profiles.length, profiles };
  await app.owner.query(`update routers set reported = reported || jsonb_build_object('esim', $2::jsonb) where id = $1`, [
    routerId,
    JSON.stringify(esim),
  ]);
};

describe('forecast', () => {
  const times = { from: '2026-11-01', until: '2026-12-01', before: '2026-10-01', zone: 'UTC' };
  const counted = (used: number, before: number, first: string | null = null) => ({ used, before, first_day: first });

  test.each([
    ['at the rate of the cycle', 10, 100, '2026-11-11T00:00:00Z', 30],
    ['in the first week also at that of the cycle before', 10, 31, '2026-11-02T00:00:00Z', 10 + ((10 + 6) / 7) * 29],
    ['without a cycle before', 10, 0, '2026-11-03T00:00:00Z', 150],
    ['nothing at all', 0, 0, '2026-11-02T00:00:00Z', 0],
    ['at its end what was used', 10, 100, '2026-12-01T00:00:00Z', 10],
  ])('USE-03-partial %s', (_, used, before, now, expected) =>
    expect(forecastOf(counted(used * GB, before * GB), times, new Date(now))! / GB).toBeCloseTo(expected, 6),
  );

  test('USE-03-partial there is none in the first 24 hours, unless the cycle before is known', () => {
    const at = (before: number, now: string) => forecastOf(counted(2 * GB, before), times, new Date(now));
    expect([at(0, '2026-11-01T00:00:00Z'), at(0, '2026-11-01T23:59:59Z')]).toEqual([undefined, undefined]);
    expect(at(0, '2026-11-02T00:00:00Z')).toBe(60 * GB);
    expect(at(31 * GB, '2026-11-01T00:00:00Z')).toBe(Math.round((2 + (9 / 7) * 30) * GB));
  });

  test.each([
    ['in this cycle', 2, 0, '2026-11-11', '2026-11-13T00:00:00Z', 20],
    ['less than 24 hours ago', 1, 0, '2026-11-11', '2026-11-11T23:59:59Z', undefined],
    ['in the cycle before', 1, 2, '2026-10-30', '2026-11-02T00:00:00Z', 30],
    ['before both', 1, 31, '2026-10-01', '2026-11-02T00:00:00Z', 30],
  ])(
    'USE-03-partial days before anything was counted do not lower the rate: it began %s',
    (_, used, before, first, now, expected) => {
      const forecast = forecastOf(counted(used * GB, before * GB, first), times, new Date(now));
      expect(forecast === undefined ? undefined : forecast / GB).toBe(expected);
    },
  );

  test('USE-03-partial a cycle begins on its day, in the month before where that has not come yet', () => {
    expect(cycleOf('2026-01-14', 15)).toBe('2025-12-15');
    expect(cycleOf('2026-01-15', 15)).toBe('2026-01-15');
    expect(cycleOf('2026-03-01', 28)).toBe('2026-02-28');
  });

  test('USE-03-partial a cycle of a day that a month does not have begins on its last day, in the database too', async () => {
    expect(cycleTimes(31, '2026-03-30')).toMatchObject({ before: '2026-01-31', from: '2026-02-28', until: '2026-03-31' });
    expect(cycleTimes(30, '2028-02-29')).toMatchObject({ before: '2028-01-30', from: '2028-02-29', until: '2028-03-30' });
    const { rows } = await app.owner.query<{ day: string; of: number; before: string; from: string; until: string }>(
      `select day::date::text as day, of, usage_cycle(day::date, of, 1)::text as before, usage_cycle(day::date, of, 0)::text as from,
         usage_cycle(day::date, of, -1)::text as until
       from generate_series('2027-12-01'::date, '2029-03-31'::date, interval '1 day') day, unnest(array[1, 15, 28, 29, 30, 31]) of`,
    );
    expect(rows.length).toBeGreaterThan(2_900);
    for (const { day, of, ...inSql } of rows) {
      const { before, from, until } = cycleTimes(of, day);
      expect(inSql, `${day}, day ${of}`).toEqual({ before, from, until });
    }
  });

  test('USE-03-partial the days that are left are those of the zone', () => {
    const at = new Date('2026-11-11T00:00:00Z');
    expect(forecastOf(counted(10 * GB, 0), { ...times, zone: 'Asia/Taipei' }, at)! / GB).toBeCloseTo((10 * 30) / (10 + 1 / 3), 6);
  });
});

describe('data plans', () => {
  test('USE-03-partial admins keep plans, users see them, others do not; what conflicts is rejected', async () => {
    const id = await add();
    expect(await plansOf(user)).toEqual([expect.objectContaining({ id, name: 'Five', shares: [80, 100], version: 1 })]);
    expect(await plansOf(unrelated)).toEqual([]);
    const key = async (change: object) => (await call('POST', '', admin, { ...fields, ...change })).json.error?.key;
    expect(await key({})).toBe('plan.name_taken');
    for (const change of [
      { name: 'x', appliesTo: 'carrier' },
      { name: 'x', currency: '' },
      { name: 'x', cycleDay: 32 },
      { name: 'x', allowance: 0 },
      { name: 'x', shares: [] },
      { name: 'x', shares: [0] },
      { name: 'x', costPerGb: -1 },
      // Would be stored as something else.
      { name: 'x', costPerGb: 0.12345 },
      { name: 'x', costPerGb: 6e-280 },
    ])
      expect(await key(change), JSON.stringify(change)).toBe('request.invalid');
    expect(await key({ name: 'x', action: 'command', command: 'nope' })).toBe('command.not_found');
    expect((await call('POST', '', user, { ...fields, name: 'x' })).status).toBe(403);
    const save = (as: Actor, version: number) => call('PUT', `/${id}`, as, { ...fields, name: 'Fifty', version });
    expect((await save(unrelated, 1)).status).toBe(404);
    expect((await save(admin, 1)).status).toBe(200);
    expect((await save(admin, 1)).json.error.key).toBe('conflict.stale');
    expect((await call('DELETE', `/${id}`, unrelated)).status).toBe(404);
    await clear();
    expect(await plansOf(admin)).toEqual([]);
  });

  test('USE-03-partial a second plan for the same SIMs is rejected, also by the dry run; one from before stays, and the dry run gives it none of them', async () => {
    const all = await add({ name: 'First', appliesTo: 'all' });
    const carrier = await add({ name: 'Carrier', appliesTo: 'carrier', carrier: 'Verizon' });
    const second = { ...fields, name: 'Second' };
    for (const target of [{ appliesTo: 'all' }, { appliesTo: 'carrier', carrier: 'VERIZON' }]) {
      const rejected = [
        await call('POST', '', admin, { ...second, ...target }),
        await call('POST', '/preview', admin, { ...second, ...target, plan: null }),
        await call('PUT', `/${target.carrier === undefined ? carrier : all}`, admin, { ...second, ...target, version: 1 }),
      ];
      const name = target.carrier === undefined ? 'First' : 'Carrier';
      for (const { status, json } of rejected)
        expect([status, json.error.key, json.error.message]).toEqual([
          409,
          'plan.sims_taken',
          expect.stringContaining(`“${name}”`),
        ]);
    }
    const other = await add({ name: 'Other', appliesTo: 'carrier', carrier: 'AT&T' });
    for (const target of [
      { appliesTo: 'all', carrier: '' },
      { appliesTo: 'carrier', carrier: 'verizon' },
    ]) {
      await app.owner.query('update usage_plans set applies_to = $2, carrier = $3 where id = $1', [
        other,
        target.appliesTo,
        target.carrier,
      ]);
      const preview = { ...fields, name: 'Other', ...target, plan: other };
      expect((await call('POST', '/preview', admin, preview)).json.result.use.sims).toBe(0);
    }
    expect(
      (await call('PUT', `/${other}`, admin, { ...fields, name: 'Other', appliesTo: 'carrier', carrier: 'Verizon', version: 1 }))
        .status,
    ).toBe(200);
    expect(
      (
        await call('POST', '/preview', admin, {
          ...fields,
          name: 'Carrier',
          appliesTo: 'carrier',
          carrier: 'Verizon',
          plan: carrier,
        })
      ).json.result.use.sims,
    ).toBe(2);
    await clear();
  });

  test('USE-03-partial a chosen plan comes before that of a carrier, and that before one for all; cycles are summed up by its day', async () => {
    const all = await add({ name: 'All', appliesTo: 'all' });
    const chosen = await add({ name: 'Chosen', cycleDay: 15 });
    const carrier = await add({ name: 'Carrier', appliesTo: 'carrier', carrier: 'VERIZON' });
    const assign = (iccids: string[], remove = false) => call('POST', `/${chosen}/sims`, admin, { iccids, remove });
    expect((await assign(['123'])).json.error.key).toBe('request.invalid');
    expect((await assign([A, UNUSED, A])).json.result).toMatchObject({ sims: 2 });
    await run();
    const bySim = async () => {
      const { rows } = await app.owner.query<{ iccid: string; plan_id: string; cycle_day: number }>(
        'select iccid, plan_id, cycle_day from usage_sims where organization_id = $1',
        [own.organizationId],
      );
      return Object.fromEntries(rows.map((row) => [row.iccid, [row.plan_id, row.cycle_day]]));
    };
    expect(await bySim()).toEqual({ [A]: [chosen, 15], [UNUSED]: [chosen, 15], [B]: [carrier, 1] });
    const { use: ofChosen } = (await plansOf(admin)).find(({ id }) => id === chosen)!;
    expect(ofChosen).toMatchObject({ cycleFrom: '2026-11-15', cycleUntil: '2026-12-15', sims: 2, used: GB, over: 0, cost: 2.5 });
    // The SIM list follows: the cycle of this SIM began on the 15th.
    const { result } = (await app.call('GET', `${BASE}/usage`, { as: user, query: { limit: '5' } })).json;
    expect(result.find(({ id }: { id: string }) => id === A)).toMatchObject({ total: GB, before: 34 * GB });
    await assign([A], true);
    await call('DELETE', `/${carrier}`, admin);
    await run();
    expect(await bySim()).toMatchObject({ [A]: [all, 1], [B]: [all, 1], [UNUSED]: [chosen, 15] });
    await clear();
    expect(await bySim()).toMatchObject({ [A]: [null, 1], [UNUSED]: [null, 1] });
  });

  test('USE-03-partial a plan is chosen for no number that a spreadsheet has changed, and for a doubtful one once it is confirmed', async () => {
    const id = await add({ name: 'Chosen' });
    const assign = async (iccids: string[], change: object = {}) =>
      (await call('POST', `/${id}/sims`, admin, { iccids, ...change })).json;
    const chosen = async () => {
      const query = 'select iccid from usage_sims where organization_id = $1 and chosen_plan_id = $2 order by 1';
      return (await app.owner.query<{ iccid: string }>(query, [own.organizationId, id])).rows.map(({ iccid }) => iccid);
    };
    const [zeros, exponent, wrongDigit, digitTooMany] = [
      '8944123412341230000',
      '8.94412341234123E+18',
      '8944476500008878575',
      '89444765000088785760',
    ];
    const all = [UNUSED, zeros, exponent, wrongDigit, digitTooMany, A];
    expect((await assign(['8.94E+18'])).error.message).toBe('iccids.0: 8.94E+18 is not an ICCID');
    const damaged = { key: 'plan.iccids_damaged', detail: [zeros, exponent] };
    expect((await assign(all, { confirmed: true })).error).toMatchObject(damaged);
    const sound = [UNUSED, wrongDigit, digitTooMany, A];
    const doubts = [wrongDigit, digitTooMany];
    expect((await assign(sound)).error).toMatchObject({ key: 'plan.iccids_doubtful', detail: doubts });
    expect((await assign(all, { dryRun: true })).result).toEqual({ sims: 6, damaged: [zeros, exponent], doubts });
    expect(await chosen()).toEqual([]);
    // A router has reported A, and its number needs no confirmation.
    expect((await assign([A])).result).toMatchObject({ sims: 1 });
    expect((await assign(sound, { confirmed: true })).result).toMatchObject({ sims: 4 });
    expect(await chosen()).toEqual(sound.toSorted());
    expect((await assign(all, { remove: true })).result).toMatchObject({ sims: 6 });
    expect(await chosen()).toEqual([]);
    await app.owner.query('delete from usage_sims where iccid = any ($1)', [sound.filter((iccid) => iccid !== A)]);
    await clear();
  });

  test('USE-03-partial BLK-05-partial the file of SIMs is read as CSV and as workbook, its ICCIDs as they are written', async () => {
    const read = async (file: string | Uint8Array<ArrayBuffer>, as = admin) =>
      (await app.call('POST', `${BASE}/usage/plans/file`, { as, file })).json;
    for (const format of ['csv', 'xlsx']) {
      const { bytes } = await app.call('GET', `${BASE}/usage/export`, { as: user, query: { format } });
      expect((await read(new Uint8Array(bytes))).result.iccids.toSorted()).toEqual([A, B].toSorted());
    }
    const written = 'Vehicle;iccid\r\nBus 1;8.94E+18\r\nBus 2;8.94E+18\r\nBus 3;\r\n';
    expect((await read(written)).result).toEqual({ iccids: ['8.94E+18'] });
    expect((await read('SIM\n1\n')).error.key).toBe('csv.header');
    expect((await read(written, user)).error.key).toBe('permission.denied');
  });

  test('USE-03-partial USE-02-partial a SIM that was counted before its router reported a carrier has it, and the plan of it, soon after', async () => {
    const plan = await add({ name: 'Carrier', appliesTo: 'carrier', carrier: 'ÖBB  MOBIL' });
    const iccid = '8901260000000000017';
    await addDevice(app, own, fresh(), { columns: { iccid, carrier: '' } });
    await app.owner.query("insert into usage_sims (organization_id, iccid, carrier) values ($1, $2, '')", [
      own.organizationId,
      iccid,
    ]);
    const stored = async () => {
      await run();
      await run();
      const query = 'select carrier, plan_id from usage_sims where organization_id = $1 and iccid = $2';
      return (await app.owner.query(query, [own.organizationId, iccid])).rows[0];
    };
    expect(await stored()).toEqual({ carrier: '', plan_id: null });
    await app.owner.query("update devices set carrier = 'Öbb Mobil' where organization_id = $1 and iccid = $2", [
      own.organizationId,
      iccid,
    ]);
    expect(await stored()).toEqual({ carrier: 'Öbb Mobil', plan_id: plan });
    await app.owner.query('delete from usage_sims where iccid = $1', [iccid]);
    await clear();
  });

  test('USE-03-partial the page and the dry run forecast from the day on which counting began', async () => {
    const iccid = '8901260000000000025';
    await use(iccid, bus, '2026-11-19', GB);
    await use(iccid, bus, '2026-11-20', 0.5 * GB);
    const plan = { ...fields, name: 'Late', cycleDay: 15 };
    const id = await add(plan);
    await call('POST', `/${id}/sims`, admin, { iccids: [iccid] });
    await run();
    // A GB each day, and 25.5 of them left until December 15.
    const expected = { used: 1.5 * GB, forecast: 26 * GB, costForecast: 65 };
    expect((await plansOf(user))[0]!.use).toMatchObject(expected);
    expect((await call('POST', '/preview', admin, { ...plan, plan: id })).json.result.use).toMatchObject(expected);
    await app.owner.query('delete from usage_days where iccid = $1', [iccid]);
    await app.owner.query('delete from usage_cycles where iccid = $1', [iccid]);
    await clear();
    await app.owner.query('delete from usage_sims where iccid = $1', [iccid]);
  });

  test('USE-03-partial a dry run lists what would happen, and changes nothing', async () => {
    const preview = (change: object) => call('POST', '/preview', admin, { ...fields, name: 'New', plan: null, ...change });
    const { result } = (await preview({ appliesTo: 'all', allowance: 4 * GB, action: 'profile', shares: [10, 80] })).json;
    expect(result).toMatchObject({ total: 2, use: { sims: 2, used: 4.5 * GB, over: 1 } });
    expect(result.effects).toEqual([
      { iccid: A, deviceName: 'Bus 1', used: 4 * GB, percent: 100, share: 80, does: ['mail', 'profile'] },
      expect.objectContaining({ iccid: B, percent: 12.5, share: 10, does: ['mail'] }),
    ]);
    const pool = (await preview({ appliesTo: 'all', allowance: 3 * GB, isPool: true, shares: [70] })).json.result;
    expect(pool.effects).toEqual([expect.objectContaining({ iccid: '', percent: 75, does: ['mail'] })]);
    expect((await preview({ plan: 'nope' })).status).toBe(404);
    await takeMails();
    await run();
    expect(await plansOf(admin)).toEqual([]);
    expect(await takeMails()).toEqual([]);
  });

  test('USE-03-partial a pool has the allowance of SIMs that a vehicle has, that were used lately or chosen, and of no exchanged or moved one', async () => {
    const [exchanged, moved, lately, spare] = [1, 2, 3, 4].map((n) => `890126000000000030${n}`) as [
      string,
      string,
      string,
      string,
    ];
    await addDevice(app, (await openHome(app)).own, fresh(), { columns: { iccid: moved } });
    await addDevice(app, own, fresh(), { columns: { iccid: spare } });
    for (const iccid of [exchanged, moved]) await use(iccid, bus, '2026-08-10', GB);
    await use(lately, bus, '2026-10-31', GB);
    await use(spare, bus, '2026-08-10', GB);
    const plan = { ...fields, name: 'Paid', appliesTo: 'all', isPool: true, allowance: 1.25 * GB, shares: [80] };
    // Of the vehicles, of the one that was used lately, and of the spare one: 5 GB.
    const expected = { sims: 4, used: 4.5 * GB, allowance: 5 * GB };
    expect((await call('POST', '/preview', admin, { ...plan, plan: null })).json.result.use).toMatchObject(expected);
    await takeMails();
    const id = await add(plan);
    await run();
    expect((await plansOf(user))[0]!.use).toMatchObject(expected);
    expect(await takeMails()).toEqual(['80% · Paid']);
    const left = () => allowanceLeft(app.reader, own, bus.id, new Date(NOW));
    expect(await left()).toBe(0.5 * GB);
    await call('POST', `/${id}/sims`, admin, { iccids: [exchanged] });
    await run();
    expect((await plansOf(user))[0]!.use).toMatchObject({ sims: 5, allowance: 6.25 * GB });
    expect(await left()).toBe(1.75 * GB);
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = any ($1)`, [[exchanged, moved, lately, spare]]);
  });

  test('USE-03-partial each share is mailed once in a cycle, and the command at the allowance runs once, whichever process looks and however often', async () => {
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Report', kind: 'report' } });
    await add({ appliesTo: 'all', allowance: 4 * GB, action: 'command', command: json.result.id, shares: [10, 80] });
    await run();
    // Two processes at once.
    await Promise.all([run(), run()]);
    expect(await takeMails()).toEqual([
      `Bus 1, ${A}: 10% · Five`,
      `Bus 1, ${A}: 80% · Five`,
      expect.stringMatching(new RegExp(`^UP\\d+, ${B}: 10% · Five$`, 'u')),
    ]);
    const begun = async () =>
      (
        await app.owner.query<{ serial: string }>(
          `select i.serial from bulk_job_items i join bulk_jobs j on j.id = i.job_id where j.organization_id = $1`,
          [own.organizationId],
        )
      ).rows.map(({ serial }) => serial);
    expect(await begun()).toEqual([bus.serial]);
    expect(woken).toBeGreaterThan(0);
    expect(await allowanceLeft(app.reader, own, bus.id, new Date(NOW))).toBe(0);
    // The next cycle begins again.
    await use(A, bus, '2026-12-02', 4 * GB);
    await run('2026-12-02T12:00:00Z');
    expect(await begun()).toEqual([bus.serial, bus.serial]);
    const { rows } = await app.owner.query(`select share, outcome from usage_plan_events where iccid = $1 and share = 0`, [A]);
    expect(rows).toEqual([
      { share: 0, outcome: 'started' },
      { share: 0, outcome: 'started' },
    ]);
    await clear();
  });

  test('USE-03-partial a plan with a larger allowance, or a pool with more SIMs, mails and acts again in the cycle; a dry run leaves out what was done', async () => {
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Again', kind: 'report' } });
    const plan = { ...fields, name: 'Again', appliesTo: 'all', action: 'command', command: json.result.id, shares: [80] };
    const id = await add({ ...plan, allowance: 4 * GB });
    const change = async (version: number, allowance: number) => {
      pass(1_000);
      expect((await call('PUT', `/${id}`, admin, { ...plan, allowance, version })).status).toBe(200);
      await run();
      return takeMails();
    };
    const effects = async (allowance: number) =>
      (await call('POST', '/preview', admin, { ...plan, allowance, plan: id })).json.result.effects.map(
        ({ iccid, share, does }: usagePlans.PlanEffect) => [iccid, share, ...does],
      );
    const begun = async () =>
      (
        await app.owner.query(`select from bulk_jobs where organization_id = $1 and action ->> 'name' = 'Again'`, [
          own.organizationId,
        ])
      ).rows.length;
    await takeMails();
    expect(await effects(4 * GB)).toEqual([[A, 80, 'mail', 'command']]);
    await run();
    expect([await takeMails(), await begun()]).toEqual([[`Bus 1, ${A}: 80% · Again`], 1]);
    // Saved as it was, or with an allowance that is reached as well: nothing again.
    expect([await effects(4 * GB), await effects(3 * GB)]).toEqual([[], []]);
    expect([await change(1, 4 * GB), await change(2, 3 * GB), await begun()]).toEqual([[], [], 1]);
    // At 80 percent of the next one, but not at its whole: the mail stays noted, the command is due.
    expect([await change(3, 5 * GB), await begun()]).toEqual([[], 1]);
    expect([await effects(4 * GB), await change(4, 4 * GB), await begun()]).toEqual([[[A, 100, 'command']], [], 2]);
    expect([await change(5, 40 * GB), await begun()]).toEqual([[], 2]);
    expect([await change(6, 4 * GB), await begun()]).toEqual([[`Bus 1, ${A}: 80% · Again`], 3]);
    await clear();

    const pool = await add({ name: 'Pool', isPool: true, allowance: 5 * GB, shares: [80] });
    const choose = async (iccids: string[], remove = false) => {
      pass(1_000);
      await call('POST', `/${pool}/sims`, admin, { iccids, remove });
      await run();
      return takeMails();
    };
    await endJobs();
    expect(await choose([A])).toEqual(['80% · Pool']);
    expect([await choose([UNUSED]), await choose([UNUSED], true)]).toEqual([[], ['80% · Pool']]);
    await clear();
    app.clock.set(NOW);
    await app.owner.query('delete from usage_sims where iccid = $1', [UNUSED]);
  });

  test('USE-03-partial SIMs that are in a pool until they have a carrier do not make it mail again, also after it lost one of them', async () => {
    await add({ name: 'Carrier', appliesTo: 'carrier', carrier: 'Telcel' });
    await add({ name: 'Pool', appliesTo: 'all', isPool: true, allowance: 2.5 * GB, shares: [80] });
    await app.owner.query("update usage_plans set updated_at = '2026-11-01'");
    await run();
    expect(await takeMails()).toEqual(['80% · Pool']);
    const passing = ['8901260000000000918', '8901260000000000926'];
    for (const iccid of passing) {
      const { id } = await addDevice(app, own, fresh(), { columns: { iccid, carrier: '' } });
      await app.owner.query("insert into usage_sims (organization_id, iccid, carrier) values ($1, $2, '')", [
        own.organizationId,
        iccid,
      ]);
      await app.database.write((tx) => requestMatching(tx, own.organizationId));
      pass(60_000);
      // 4.5 GB of 7.5 GB.
      await run();
      await app.owner.query("update devices set carrier = 'Telcel' where id = $1", [id]);
      pass(60_000);
      await run();
      await run();
      expect(await takeMails()).toEqual([]);
    }
    await clear();
    app.clock.set(NOW);
    await app.owner.query('delete from usage_sims where iccid = any ($1)', [passing]);
  });

  test('USE-03-partial a pool that loses SIMs to another plan, or gets them back, mails again when what is left reaches its share', async () => {
    const runLater = async () => {
      pass(1_000);
      await run();
    };
    await add({ name: 'Pool', appliesTo: 'all', isPool: true, allowance: 2.5 * GB, shares: [80] });
    // The database fills in the time of the machine.
    await app.owner.query("update usage_plans set updated_at = '2026-11-01'");
    await takeMails();
    await runLater();
    expect(await takeMails()).toEqual(['80% · Pool']);
    const carrier = { name: 'Carrier', appliesTo: 'carrier', carrier: 'Verizon', allowance: 900 * GB };
    await app.owner.query("update usage_sims set carrier = 'Telcel' where iccid = $1", [B]);
    // Bus 1 and its 4 GB leave: 0.5 GB of 2.5 GB.
    const taking = await add(carrier);
    await runLater();
    expect(await takeMails()).toEqual([]);
    await use(B, bus, '2026-11-17', 2 * GB);
    await runLater();
    expect(await takeMails()).toEqual(['80% · Pool']);
    // They are back, with the same use and more allowance: 6.5 GB of 10 GB.
    await app.owner.query("update usage_plans set allowance = $2, updated_at = '2026-11-01' where name = $1", ['Pool', 5 * GB]);
    await call('DELETE', `/${taking}`, admin);
    await runLater();
    expect(await takeMails()).toEqual([]);
    await use(B, bus, '2026-11-17', 2 * GB);
    await runLater();
    expect(await takeMails()).toEqual(['80% · Pool']);
    await use(B, bus, '2026-11-17', -4 * GB);
    await app.owner.query("update usage_sims set carrier = 'Verizon' where iccid = $1", [B]);
    await clear();
    app.clock.set(NOW);
  });

  test('USE-03-partial a pool is not compared while its SIMs are being matched: it mails when it really reaches its share', async () => {
    const chosen = await add({ name: 'Pool', appliesTo: 'all', isPool: true, allowance: 4.5 * GB, shares: [80] });
    await takeMails();
    const compare = () =>
      jobs()
        .find(({ name }) => name === 'usage.plans')!
        .run(new Date(NOW));
    // The first batch is done, the second is not: 4 GB of 4.5 GB, where the pool has 9 GB.
    await app.owner.query('update usage_sims set plan_id = $2 where organization_id = $1 and iccid = $3', [
      own.organizationId,
      chosen,
      A,
    ]);
    await compare();
    expect(await takeMails()).toEqual([]);
    await run();
    expect(await takeMails()).toEqual([]);
    await use(B, bus, '2026-11-17', 3 * GB);
    await compare();
    expect(await takeMails()).toEqual(['80% · Pool']);
    await use(B, bus, '2026-11-17', -3 * GB);
    await clear();
  });

  test('USE-03-partial an action that could not begin does as soon as it can: once jobs ended, once a vehicle has the SIM, and once the plan is saved with another', async () => {
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Later', kind: 'report' } });
    const { json: other } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Other', kind: 'report' } });
    const plan = { ...fields, name: 'Later', appliesTo: 'all', allowance: 4 * GB, action: 'command', shares: [500] };
    const reasons = async () => {
      await run();
      return (await plansOf(user))[0]!.notDone;
    };
    await endJobs();
    await app.owner.query(
      `insert into bulk_jobs (id, main_account_id, organization_id, action, actor, state, due_at, created_at)
         select gen_random_uuid(), $1, $2, '{"kind":"reboot"}', $3, 'running', $4::timestamptz, $4::timestamptz from generate_series(1, $5)`,
      [own.mainAccountId, own.organizationId, admin, NOW, bulkJobs.MOST_ACTIVE_JOBS],
    );
    const id = await add({ ...plan, command: json.result.id });
    expect(await reasons()).toEqual([{ reason: 'too_many_jobs', sims: 1 }]);
    await endJobs();
    expect(await reasons()).toEqual([]);
    await call('DELETE', `/${id}`, admin);

    await app.owner.query('update devices set iccid = $2 where id = $1', [bus.id, UNUSED]);
    await add({ ...plan, name: 'Nowhere', command: json.result.id });
    expect(await reasons()).toEqual([{ reason: 'no_device', sims: 1 }]);
    await app.owner.query('update devices set iccid = $2 where id = $1', [bus.id, A]);
    expect(await reasons()).toEqual([]);
    await clear();

    const changed = await add({ ...plan, name: 'Changed', command: json.result.id });
    await app.call('DELETE', `${BASE}/commands/${json.result.id}`, { as: admin });
    expect(await reasons()).toEqual([{ reason: 'no_command', sims: 1 }]);
    await call('PUT', `/${changed}`, admin, { ...plan, name: 'Changed', command: other.result.id, version: 1 });
    expect(await reasons()).toEqual([]);
    await endJobs();
    await clear();
  });

  test('USE-03-partial USE-01-partial the SIM of a second modem has the device of its router: in mails, actions, dry runs, pools and what is left', async () => {
    const [first, second] = ['8901260000000000041', '8901260000000000058'] as const;
    const twin = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Twin', iccid: first } });
    await app.owner.query("update router_ownership set owned_from = '2026-01-01' where device_id = $1", [twin.id]);
    const usage = createUsage({
      database: app.database,
      clock: app.clock,
      log: silentLog,
      retentionDays: 60,
      settings: { collectMs: 1 },
    });
    await usage.start();
    for (const [minute, bytes] of [
      [0, 500e6],
      [10, 6.5e9],
    ] as const)
      await usage.reported(
        twin.routerId,
        [
          {
            at: Date.parse(NOW) - 3_600_000 + minute * 60_000,
            values: [
              ...[first, second].flatMap((iccid, index): [string, unknown][] => [
                [`Device.Cellular.Interface.${index + 1}.Stats.BytesSent`, index === 0 ? 500e6 + minute : bytes],
                [`Device.Cellular.Interface.${index + 1}.Stats.BytesReceived`, 500e6],
                [`Device.Cellular.Interface.${index + 1}.USIM.ICCID`, iccid],
              ]),
              ['Device.DeviceInfo.UpTime', 86_400 + minute * 60],
            ],
          },
        ],
        { modem: 1, sims: new Map([[1, 1]]) },
      );
    await usage.stop();
    await endJobs();
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Twin', kind: 'report' } });
    const plan = { ...fields, name: 'Twin', action: 'command', command: json.result.id, shares: [100] };
    const id = await add(plan);
    await takeMails();
    await call('POST', `/${id}/sims`, admin, { iccids: [second] });
    expect((await call('POST', '/preview', admin, { ...plan, plan: id })).json.result.effects).toEqual([
      expect.objectContaining({ iccid: second, deviceName: 'Twin', does: ['mail', 'command'] }),
    ]);
    await run();
    expect(await takeMails()).toEqual([`Twin, ${second}: 100% · Twin`]);
    expect((await plansOf(user))[0]!.notDone).toEqual([]);
    const { rows } = await app.owner.query(
      `select i.serial from bulk_job_items i join bulk_jobs j on j.id = i.job_id where j.organization_id = $1 and j.action ->> 'name' = 'Twin'`,
      [own.organizationId],
    );
    expect(rows).toEqual([{ serial: twin.serial }]);
    expect(await allowanceLeft(app.reader, own, twin.id, new Date(NOW))).toBe(-1e9);
    await clear();
    // Without use for two cycles, the SIMs that vehicles have are those of the plan.
    const sims = async () =>
      (await call('POST', '/preview', admin, { ...fields, name: 'All', appliesTo: 'all', plan: null })).json.result.use.sims;
    app.clock.set('2027-03-20T12:00:00Z');
    expect(await sims()).toBe(4);
    // The second modem has not reported for two days in which the first one has.
    await app.owner.query("update usage_heads set at = at + interval '2 days' where router_id = $1 and modem = 1", [
      twin.routerId,
    ]);
    expect(await sims()).toBe(3);
    app.clock.set(NOW);
    await endJobs();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = any ($1)`, [[first, second]]);
  });

  test('USE-03-partial NTF-02-partial recipients of chosen groups get the shares of vehicles of these groups, and those of pools', async () => {
    const north = await app.seeding.group(own, 'North');
    const iccid = '8901260000000000066';
    const tram = await addDevice(app, own, fresh(), { group: north, columns: { vehicle_number: 'Tram', iccid } });
    await use(iccid, tram, '2026-11-16', 4 * GB);
    const subscribe = (mail: string, gids: readonly string[]) =>
      app.call('POST', '/data_manager/v1/notify/user', { as: admin, body: { mail, events: ['DATA_USE'], gids } });
    await subscribe('all@fleet.example', ['all']);
    await subscribe('north@fleet.example', [north]);
    await takeMails();
    const mailed = async () => {
      await app.owner.query('delete from mails');
      await app.owner.query('delete from notification_throttles');
      await run();
      await notifyEvents({ database: app.database, clock: app.clock, log: silentLog, origin: () => 'https://cloud.test' });
      const { rows } = await app.owner.query<{ recipient: string; plain: string }>(
        'select recipient, plain from mails order by recipient',
      );
      return rows.map(({ recipient, plain }) => [
        recipient,
        ...['Bus 1', A, 'Tram', 'Pool'].filter((text) => plain.includes(text)),
      ]);
    };
    await add({ appliesTo: 'all', allowance: 4 * GB, shares: [80] });
    expect(await mailed()).toEqual([
      ['all@fleet.example', 'Bus 1', A, 'Tram'],
      ['north@fleet.example', 'Tram'],
    ]);
    await clear();
    await add({ name: 'Pool', appliesTo: 'all', isPool: true, allowance: GB, shares: [80] });
    expect(await mailed()).toEqual([
      ['all@fleet.example', 'Pool'],
      ['north@fleet.example', 'Pool'],
    ]);
    await clear();
    for (const mail of ['all@fleet.example', 'north@fleet.example'])
      await app.owner.query('delete from notification_subscriptions where mail = $1', [mail]);
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = $1`, [iccid]);
  });

  test('USE-03-partial a pool reaches its share together; a SIM without a device or another profile is noted as such', async () => {
    await add({ name: 'Pool', appliesTo: 'all', isPool: true, allowance: 1 * GB, shares: [150] });
    await takeMails();
    await run();
    expect(await takeMails()).toEqual(['150% · Pool']);
    await clear();
    await add({ name: 'Switch', appliesTo: 'all', allowance: 1 * GB, action: 'profile', shares: [100] });
    await run();
    const { rows } = await app.owner.query<{ outcome: string }>(
      `select outcome from usage_plan_events where iccid = $1 and share = 0`,
      [A],
    );
    expect(rows).toEqual([{ outcome: 'no_profile' }]);
    // People see it with the plan.
    const [plan] = await plansOf(user);
    expect(plan!.notDone).toEqual([{ reason: 'no_profile', sims: 1 }]);
    await clear();
  });

  test('USE-03-partial SIM-08-partial a plan undoes no deletion of the eSIM that it would switch to, and leaves a device that is transferred meanwhile', async () => {
    const iccid = makeIccid(70);
    const coach = await addDevice(app, own, fresh(), { columns: { iccid, carrier: 'Verizon' } });
    await use(iccid, coach, '2026-11-16', 8 * GB);
    await onRouter(coach, 2, iccid, 'In Use');
    const other = await onRouter(coach, 3, makeIccid(71), 'Activated');
    const statusOf = async (as: Actor) => (await app.call('GET', `${BASE}/profile/${other}`, { as })).json.result.status;
    const outcome = async () =>
      (await app.owner.query('select outcome from usage_plan_events where iccid = $1 and share = 0', [iccid])).rows;
    const plan = { name: 'Other', appliesTo: 'all', allowance: 6 * GB, action: 'profile', shares: [100] };
    await add(plan);
    const removed = () => app.call('DELETE', `${BASE}/profile/${other}`, { as: admin });
    await collide(app, `select 1 from esim_profiles where id = '${other}' for update`, removed, () => run());
    expect([await statusOf(admin), await outcome()]).toEqual(['Deleting...', [{ outcome: 'no_profile' }]]);
    await clear();

    await app.owner.query("update esim_profiles set status = 'Activated' where id = $1", [other]);
    await add(plan);
    const body = { origin: own.organizationId, target: sibling.organizationId, serials: [coach.serial] };
    const transferred = () => app.call('POST', `${BASE}/org/device`, { as: mainPerson, body });
    await collide(app, `select 1 from routers where id = '${coach.routerId}' for update`, transferred, () => run());
    expect([await statusOf(app.person(sibling, 'admin')), await outcome()]).toEqual(['Activated', [{ outcome: 'no_profile' }]]);
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = $1`, [iccid]);
  });

  test('USE-03-partial a plan that switches the routers of a large fleet locks 200 of them at a time', async () => {
    const numbers = Array.from({ length: 201 }, (_, index) => makeIccid(5_000 + index));
    const routers = numbers.map(fresh);
    const registered = await app.seeding.routers({ kind: 'main', mainAccountId: own.mainAccountId }, routers);
    const devices = await app.seeding.devices(own, routers);
    const set = 'update devices d set iccid = n.iccid from unnest($1::uuid[], $2::text[]) n (id, iccid) where d.id = n.id';
    await app.owner.query(set, [devices, numbers]);
    await app.owner.query(
      "insert into usage_sims (organization_id, iccid, carrier) select $1, iccid, 'Verizon' from unnest($2::text[]) iccid",
      [own.organizationId, numbers],
    );
    await app.owner.query(
      `insert into usage_cycles select $1, '2026-11-01', iccid, id, $4, 0 from unnest($2::text[], $3::uuid[]) n (iccid, id)`,
      [own.organizationId, numbers, devices, 8 * GB],
    );
    await add({ name: 'Fleet', appliesTo: 'all', allowance: 6 * GB, action: 'profile', shares: [100] });
    const ids = registered.map(({ id }) => id);
    const free: number[] = [];
    const locked: typeof switchToOthers = async (...order) => {
      const { rows } = await app.owner.query('select from routers where id = any ($1) for no key update skip locked', [ids]);
      free.push(rows.length);
      return switchToOthers(...order);
    };
    await takeMails();
    await run(app.clock.now(), locked);
    expect(free).toEqual([1, 200]);
    await takeMails();
    expect((await plansOf(user))[0]!.notDone).toEqual([{ reason: 'no_profile', sims: 201 }]);
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = any ($1)`, [numbers]);
  });

  test('USE-03-partial an organization where it fails keeps no other from its plans', async () => {
    const theirs = app.person(sibling, 'admin');
    const iccid = makeIccid(6_000);
    const insert = 'insert into usage_sims (organization_id, iccid, carrier, chosen_plan_id) values ($1, $2, $3, $4)';
    const plan = (await call('POST', '', theirs, { ...fields, name: 'Theirs' })).json.result.id as string;
    await add({ name: 'Ours', appliesTo: 'all' });
    await app.owner.query(insert, [sibling.organizationId, iccid, '', plan]);
    await app.owner.query("update usage_matching set requested_at = '2026-01-01' where organization_id = $1", [
      own.organizationId,
    ]);
    const failing = async (table: string, work: () => Promise<unknown>) => {
      await app.owner
        .query(`create function fail_here() returns trigger language plpgsql as 'begin raise exception $$timeout$$; end';
        create trigger fail_here before insert or update on ${table} for each row
          when (new.organization_id = '${own.organizationId}') execute function fail_here()`);
      await expect(work()).rejects.toThrow(own.organizationId);
      await app.owner.query('drop function fail_here cascade');
    };
    await failing('usage_sims', () => run());
    expect((await plansOf(theirs))[0]!.use.sims).toBe(1);
    await run();
    await app.owner.query('insert into usage_cycles values ($1, $2, $3, $4, $5, 0)', [
      sibling.organizationId,
      '2026-11-01',
      iccid,
      bus.id,
      8 * GB,
    ]);
    await app.owner.query('delete from usage_plan_events');
    await app.owner.query('update usage_plans set allowance = $2 where organization_id = $1', [own.organizationId, 1]);
    await failing('usage_plan_events', () => jobs().at(-1)!.run(app.clock.now()));
    const { rows } = await app.owner.query('select share from usage_plan_events where iccid = $1 order by 1', [iccid]);
    expect(rows).toEqual([{ share: 80 }, { share: 100 }]);
    await call('DELETE', `/${plan}`, theirs);
    for (const table of ['usage_cycles', 'usage_sims']) await app.owner.query(`delete from ${table} where iccid = $1`, [iccid]);
    await clear();
  });

  test('USE-03-partial a plan switches to the next eSIM also while the preloaded one is on the router without being set up', async () => {
    const [preloaded, iccid, other] = [makeIccid(80), makeIccid(81), makeIccid(82)];
    const coach = await addDevice(app, own, fresh(), { columns: { iccid, carrier: 'Verizon' } });
    await use(iccid, coach, '2026-11-16', 8 * GB);
    await onRouter(coach, 2, iccid, 'In Use');
    const next = await onRouter(coach, 3, other, 'Activated');
    await reports(coach, [preloaded, iccid, other], iccid);
    await add({ name: 'Next', appliesTo: 'all', allowance: 6 * GB, action: 'profile', shares: [100] });
    await run();
    const { result } = (await app.call('GET', `${BASE}/profile/${next}`, { as: admin })).json;
    const { rows } = await app.owner.query('select outcome from usage_plan_events where iccid = $1 and share = 0', [iccid]);
    expect([result.status, rows]).toEqual(['Assigning...', [{ outcome: 'started' }]]);
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = $1`, [iccid]);
  });

  test('USE-03-partial a plan switches to the eSIM after the one in use, after the last one to the first, and to none that reached its own allowance', async () => {
    const numbers = [makeIccid(90), makeIccid(91), makeIccid(92)];
    const coach = await addDevice(app, own, fresh(), { columns: { carrier: 'Verizon' } });
    const keys: string[] = [];
    for (const [index, number] of numbers.entries()) {
      keys.push(await onRouter(coach, index + 2, number, 'Activated'));
      await use(number, coach, '2026-11-15', 0);
    }
    /** The eSIM is in use, and reaches its allowance. @returns the one that is requested then */
    const nextAfter = async (position: number) => {
      const states = keys.map((key, index) => [key, index === position ? 'In Use' : 'Activated']);
      for (const state of states) await app.owner.query('update esim_profiles set status = $2 where id = $1', state);
      await app.owner.query('update devices set iccid = $2 where id = $1', [coach.id, numbers[position]]);
      await use(numbers[position]!, coach, '2026-11-16', 8 * GB);
      await run();
      const { rows } = await app.owner.query<{ id: string }>(
        "select id from esim_profiles where device_id = $1 and status = 'Assigning...'",
        [coach.id],
      );
      return rows.map(({ id }) => keys.indexOf(id));
    };
    await add({ name: 'Round', appliesTo: 'all', allowance: 6 * GB, action: 'profile', shares: [100] });
    expect(await nextAfter(1)).toEqual([2]);
    expect(await nextAfter(2)).toEqual([0]);
    expect(await nextAfter(0)).toEqual([]);
    const { rows } = await app.owner.query('select iccid, outcome from usage_plan_events where iccid = any ($1) and share = 0', [
      numbers,
    ]);
    expect(new Map(rows.map((row) => [row.iccid, row.outcome]))).toEqual(
      new Map(numbers.map((number, index) => [number, index === 0 ? 'no_profile' : 'started'])),
    );
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = any ($1)`, [numbers]);
  });

  test('USE-03-partial a plan switches to no eSIM that used the allowance of a plan that only mails, or its pool, and again to one that a larger plan has now', async () => {
    const numbers = [makeIccid(100), makeIccid(101), makeIccid(102)] as const;
    const [first, mailed, last] = numbers;
    // On no router.
    const other = makeIccid(103);
    const all = [...numbers, other];
    const coach = await addDevice(app, own, fresh(), { columns: { carrier: 'Verizon' } });
    const keys: string[] = [];
    for (const [index, number] of numbers.entries()) keys.push(await onRouter(coach, index + 2, number, 'Activated'));
    for (const number of all) await use(number, coach, '2026-11-15', 0);
    await add({ name: 'Round', appliesTo: 'all', allowance: 6 * GB, action: 'profile', shares: [100] });
    const choose = (plan: string, iccids: string[], remove = false) => call('POST', `/${plan}/sims`, admin, { iccids, remove });
    const pool = await add({ name: 'Pool', isPool: true, allowance: 6 * GB });
    await choose(pool, [last, other]);
    await choose(await add({ name: 'Mails', allowance: 6 * GB }), [mailed]);
    await run();
    await use(mailed, coach, '2026-11-16', 9 * GB);
    // The other SIM of the pool has used what both may.
    await use(other, coach, '2026-11-16', 12 * GB);
    /** The eSIM is in use, and reaches its allowance. @returns the one that is requested then */
    const nextAfter = async (number: string) => {
      for (const [index, key] of keys.entries())
        await app.owner.query('update esim_profiles set status = $2 where id = $1', [
          key,
          numbers[index] === number ? 'In Use' : 'Activated',
        ]);
      await app.owner.query('update devices set iccid = $2 where id = $1', [coach.id, number]);
      await use(number, coach, '2026-11-16', 8 * GB);
      await run();
      const { rows } = await app.owner.query<{ iccid: string }>(
        "select iccid from esim_profiles where device_id = $1 and status = 'Assigning...'",
        [coach.id],
      );
      return rows.map(({ iccid }) => iccid);
    };
    const afterFirst = await nextAfter(first);
    await choose(pool, [last], true);
    await choose(await add({ name: 'Large', allowance: 100 * GB }), [first]);
    await run();
    const afterLast = await nextAfter(last);
    expect({ afterFirst, afterLast }).toEqual({ afterFirst: [], afterLast: [first] });
    await clear();
    for (const table of ['usage_days', 'usage_cycles', 'usage_sims'])
      await app.owner.query(`delete from ${table} where iccid = any ($1)`, [all]);
  });

  test('USE-03-partial when its author may not act any more a plan mails but does nothing else, says so with its use and in the log, and acts once someone else saves it', async () => {
    const leaving: Actor = { ...app.person(own, 'admin'), email: 'leaving@highline.invalid' };
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Stop', kind: 'reboot' } });
    const plan = { ...fields, appliesTo: 'all', allowance: 4 * GB, shares: [100] };
    const outcomes = async () =>
      (
        await app.owner.query<{ outcome: string }>(
          `select outcome from usage_plan_events where organization_id = $1 and share = 0 order by cycle_from`,
          [own.organizationId],
        )
      ).rows.map(({ outcome }) => outcome);
    const log = async () => (await app.logOf(own.organizationId)).filter((line) => line.includes('did nothing'));
    for (const [name, action] of [
      ['Command', { action: 'command', command: json.result.id }],
      ['Profile', { action: 'profile' }],
    ] as const) {
      await takeMails();
      const saved = { ...plan, name, ...action };
      const id = await add(saved);
      await app.owner.query('update usage_plans set actor = $2 where id = $1', [id, leaving]);
      left.add(leaving.email);
      required.clear();
      await run();
      await run();
      expect(await takeMails()).toEqual([`Bus 1, ${A}: 100% · ${name}`]);
      expect(await outcomes()).toEqual(['not_allowed']);
      expect([...required]).toEqual([name === 'Command' ? 'commands.run' : 'esims.use']);
      expect((await plansOf(user))[0]!.notDone).toEqual([{ reason: 'not_allowed', sims: 1 }]);
      expect((await log()).at(-1)).toBe(
        `Data plan ${name} did nothing at the allowance, since who saved it may not act any more. SIMs: 1`,
      );
      expect((await call('PUT', `/${id}`, admin, { ...saved, version: 1 })).status).toBe(200);
      await run();
      expect(await takeMails()).toEqual([]);
      const begun = name === 'Command' ? 'started' : 'no_profile';
      expect(await outcomes()).toEqual([begun]);
      expect((await plansOf(user))[0]!.notDone.map(({ reason }) => reason)).not.toContain('not_allowed');
      await clear();
    }
    expect(await log()).toHaveLength(2);
    left.clear();
  });

  test('USE-03-partial a plan stores who saved it without a session, and its command is a job in that name', async () => {
    const { json } = await app.call('POST', `${BASE}/commands`, { as: admin, body: { name: 'Find', kind: 'report' } });
    await add({ name: 'Named', appliesTo: 'all', allowance: 4 * GB, action: 'command', command: json.result.id });
    await run();
    const stored = { ...admin, sessionId: '' };
    const { rows } = await app.owner.query(
      `select p.actor as plan, j.actor as job from usage_plans p, bulk_jobs j where p.organization_id = $1 and j.organization_id = $1
         and j.action ->> 'name' = 'Find'`,
      [own.organizationId],
    );
    expect(rows).toEqual([{ plan: stored, job: stored }]);
    await clear();
  });
});

describe('the time zone of data use', () => {
  test('USE-03-partial days and cycles are of the zone that an admin chooses: from the next midnight there on, or at once where nothing was counted', async () => {
    const { own: other, admin: theirs } = await openHome(app);
    const choose = (as: Actor, zone: string) => app.call('PUT', `${BASE}/usage/zone`, { as, body: { zone } });
    const month = async (as: Actor) => (await app.call('GET', `${BASE}/usage/month`, { as })).json.result;
    expect((await choose(theirs, 'Mars/Olympus')).json.error.key).toBe('request.invalid');
    expect((await choose(user, 'Asia/Taipei')).status).toBe(403);
    expect((await choose(theirs, 'Asia/Taipei')).json.result).toEqual({ zone: 'Asia/Taipei', from: null });
    expect(await month(theirs)).toMatchObject({ zone: 'Asia/Taipei', nextZone: null, today: '2026-11-20' });
    // It is noon in UTC: the zone of an organization with use changes at its next midnight.
    expect((await choose(admin, 'America/Chicago')).json.result).toEqual({ zone: 'America/Chicago', from: '2026-11-21' });
    expect(await month(user)).toMatchObject({ zone: 'UTC', nextZone: { zone: 'America/Chicago', from: '2026-11-21' } });
    expect((await choose(admin, 'UTC')).json.result).toEqual({ zone: 'UTC', from: null });
    expect(await month(user)).toMatchObject({ zone: 'UTC', nextZone: null });
    await app.owner.query('delete from usage_zones where organization_id = any ($1)', [
      [own.organizationId, other.organizationId],
    ]);
  });

  test('USE-03-partial a cycle of the 31st begins on the 30th of November, at midnight of the zone', async () => {
    const id = await add({ name: 'Carrier month', cycleDay: 31, appliesTo: 'all' });
    await run();
    await app.owner.query("insert into usage_zones values ($1, '1970-01-01Z', 'America/Chicago')", [own.organizationId]);
    // 21:00 of the 30th in Chicago.
    app.clock.set('2026-12-01T03:00:00Z');
    expect((await plansOf(admin)).find((plan) => plan.id === id)!.use).toMatchObject({
      cycleFrom: '2026-11-30',
      cycleUntil: '2026-12-31',
    });
    const last = (await app.call('GET', `${BASE}/usage`, { as: user, query: { limit: '5', cycle: 'last' } })).json.result;
    expect(last.find((row: { id: string }) => row.id === A)).toMatchObject({
      cycleFrom: '2026-10-31',
      cycleUntil: '2026-11-30',
    });
    app.clock.set(NOW);
    await app.owner.query('delete from usage_zones where organization_id = $1', [own.organizationId]);
    await clear();
  });
});

describe('what routers report that they did not use', () => {
  /** Seconds, sent, received and uptime of each report, and what was really used. */
  const histories: [string, [seconds: number, sent: number, received: number, uptime: number][], number][] = [
    [
      'a modem that began again, with both counters above 2 GiB before',
      [
        [0, 3e9, 2.6e9, 86_400],
        [60, 1e6, 5e6, 86_460],
      ],
      6e6,
    ],
    [
      'a report of zeros',
      [
        [0, 5e9, 9e9, 86_400],
        [60, 0, 0, 86_460],
        [120, 5.001e9, 9.002e9, 86_520],
      ],
      3e6,
    ],
    [
      'counters that a restart of the router did not reset',
      [
        [0, 500e6, 900e6, 90_000],
        [300, 510e6, 920e6, 30],
        [600, 510e6, 921e6, 10],
      ],
      31e6,
    ],
    [
      'an uptime of 32 bit that began again',
      [
        [0, 500e6, 900e6, 4_294_967],
        [60, 500.1e6, 900.2e6, 45],
      ],
      0.3e6,
    ],
  ];

  test('USE-01-partial USE-03-partial are not shown as used, and no plan acts at its allowance', async () => {
    const plan = await add({ name: 'Fifty MB', allowance: 50e6, appliesTo: 'all', shares: [100] });
    const usage = createUsage({
      database: app.database,
      clock: app.clock,
      log: silentLog,
      retentionDays: 60,
      settings: { collectMs: 1 },
    });
    await usage.start();
    for (const [index, [name, reports, used]] of histories.entries()) {
      const iccid = `890126000000000010${index}`;
      const device = await addDevice(app, own, fresh(), { columns: { iccid } });
      await app.owner.query("update router_ownership set owned_from = '2026-01-01' where device_id = $1", [device.id]);
      for (const [seconds, sent, received, uptime] of reports)
        await usage.reported(
          device.routerId,
          [
            {
              at: Date.parse(NOW) - 3_600_000 + seconds * 1_000,
              values: Object.entries({
                'Device.Cellular.Interface.1.Stats.BytesSent': sent,
                'Device.Cellular.Interface.1.Stats.BytesReceived': received,
                'Device.Cellular.Interface.1.USIM.ICCID': iccid,
                'Device.DeviceInfo.UpTime': uptime,
              }),
            },
          ],
          { modem: 1, sims: new Map([[1, 1]]) },
        );
      const { devices } = (await app.call('GET', `${BASE}/usage/of`, { as: user, query: { devices: device.id } })).json.result;
      expect(devices, name).toEqual([expect.objectContaining({ iccid, total: used })]);
    }
    await usage.stop();
    await run();
    const { rows } = await app.owner.query<{ iccid: string }>('select iccid from usage_plan_events where plan_id = $1', [plan]);
    expect(rows.filter(({ iccid }) => iccid.startsWith('8901260000000000'))).toEqual([]);
    await takeMails();
    await clear();
  });
});
