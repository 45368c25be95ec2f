import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { cellAt } from '../coverage/index.ts';
import { diagnoseDevices } from './diagnosis.job.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:20:00Z';

const app = useTestApp(NOW);
const fresh = routersNamed('DG');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let siblingUser: Actor;
let unrelated: Actor;
let well: TestDevice;
let shared: TestDevice;
let late: TestDevice;
let flapping: TestDevice;
let fleet: TestDevice[];

const run = (now = NOW) => diagnoseDevices(app.database, new Date(now));
const at = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();
const lose = async (device: TestDevice, minutes: number, reason = 'no-answer') => {
  await app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [device.routerId, at(minutes), 'offline', reason]);
  await app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [
    device.routerId,
    at(minutes - 0.5),
    'online',
    'connected',
  ]);
};

const list = async (as: Actor, query: Record<string, string>) => {
  const { status, json } = await app.call('GET', `${BASE}/devices`, { as, query: { limit: '50', ...query } });
  expect(status).toBe(200);
  return (json.result as { device: string; diagnosis: string | null }[]).map(({ device, diagnosis }) => [device, diagnosis]);
};
const findings = async (as: Actor, { id }: TestDevice) =>
  (await app.call('GET', `${BASE}/device`, { as, query: { device: id } })).json.result.findings as object[];
const attention = async (as: Actor) => (await app.call('GET', `${BASE}/attention`, { as })).json.result.diagnoses as object[];

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-11-18', '2026-11-22')");
  await app.owner.query(
    "update telemetry_rollup set rolled_until = '2026-11-20T12:00:00Z', closed_until = '2026-11-20T12:00:00Z'",
  );
  const home = await openHome(app);
  ({ own, sibling, user, mainPerson } = home);
  siblingUser = app.person(sibling, 'user');
  unrelated = app.person((await openHome(app)).own, 'admin');
  const add = (columns: Record<string, unknown> = {}) =>
    addDevice(app, own, fresh(), { columns: { presence: 'online', presence_since: at(600), ...columns } });
  [well, shared, late, flapping] = [await add(), await add(), await add(), await add({ carrier: 'Alpha' })] as [TestDevice, TestDevice, TestDevice, TestDevice]; // prettier-ignore
  fleet = await Promise.all(Array.from({ length: 4 }, () => add({ carrier: 'Beta' })));
  await app.owner.query("update router_ownership set owned_from = '2026-11-18'");
  await app.owner.query(
    `insert into router_rejections (router_id, at, reason, address) values ($1, now(), 'identity-shared', '192.0.2.7')`,
    [shared.routerId],
  );
  await app.owner.query('update routers set clock_skew_ms = -400000 where id = any ($1)', [[late.routerId, shared.routerId]]);
  for (const minutes of [4, 9, 14, 19, 24, 29]) await lose(flapping, minutes);
  // Of the server, not of the router.
  for (const minutes of [5, 10, 15, 20, 25]) await lose(well, minutes, 'server-restarted');
  // A carrier that is away takes all of its vehicles with it, ten times in many hours.
  for (let outage = 0; outage < 11; outage++) for (const device of fleet) await lose(device, 40 + outage * 100);
  await run();
});

describe('what is found about devices', () => {
  test('SAY-02 is in the list with column, filter and order, on the page with its evidence, and in what needs attention', async () => {
    expect(await findings(user, shared)).toEqual([
      { kind: 'identity', since: expect.any(Number), cause: 'identity-shared' },
      { kind: 'clock', since: Date.parse(NOW) / 1_000, seconds: -400 },
    ]);
    expect(await findings(user, well)).toEqual([]);
    for (const as of [user, mainPerson]) {
      expect((await list(as, { sort: 'diagnosis' })).slice(0, 4)).toEqual([
        [shared.id, 'identity'],
        [flapping.id, 'unstable'],
        [late.id, 'clock'],
        [well.id, null],
      ]);
      expect(await list(as, { diagnosis: 'clock', sort: 'serial' })).toEqual([[shared.id, 'identity'], [late.id, 'clock']]); // prettier-ignore
      expect((await list(as, { diagnosis: 'any', sort: '-diagnosis' })).map(([id]) => id)).toEqual([
        late.id,
        flapping.id,
        shared.id,
      ]);
      expect(await list(as, { diagnosis: 'heat' })).toEqual([]);
      expect(await attention(as)).toMatchObject([
        { kind: 'identity', total: 1, first: [{ device: shared.id, serial_number: shared.serial }] },
        { kind: 'unstable', total: 1, first: [{ device: flapping.id }] },
        { kind: 'clock', total: 2, first: [{ device: shared.id }, { device: late.id }] },
      ]);
    }
    const wrong = await app.call('GET', `${BASE}/devices`, { as: user, query: { diagnosis: 'gremlins' } });
    expect(wrong.status).toBe(400);
    const { text } = await app.call('GET', `${BASE}/devices/export`, {
      as: user,
      query: { columns: 'serial,diagnosis', sort: 'diagnosis', language: 'zh-TW' },
    });
    expect(text).toContain(`${shared.serial},身分重複使用`);
  });

  test('SAY-03-partial a vehicle that goes on and off is one, and one that a whole fleet lost with it is none', async () => {
    expect(await findings(user, flapping)).toEqual([
      { kind: 'unstable', since: Date.parse(NOW) / 1_000, losses: 6, minutes: 30 },
    ]);
    expect(await findings(user, fleet[0]!)).toEqual([]);
    const { rows } = await app.owner.query('select count(*)::int as minutes from shared_losses where organization_id = $1', [
      own.organizationId,
    ]);
    expect(rows).toEqual([{ minutes: 11 }]);
  });

  test('SAY-02-partial what has just begun is found within a minute, however many vehicles have something already', async () => {
    const device = await addDevice(app, own, fresh());
    await app.owner.query(
      `insert into device_diagnoses (organization_id, device_id, main_account_id, kind, number, is_first, since, computed_at, evidence)
       select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, 'identity', 1, true, $3, $3, '{}' from generate_series(1, 2100) n`,
      [own.organizationId, own.mainAccountId, at(60)],
    );
    await app.owner.query(
      `insert into router_rejections (router_id, at, reason, address) values ($1, now(), 'identity-shared', '192.0.2.7')`,
      [device.routerId],
    );
    await run();
    expect(await findings(user, device)).toMatchObject([{ kind: 'identity' }]);
    await app.owner.query('delete from router_rejections where router_id = $1', [device.routerId]);
    await run();
    expect(await findings(user, device)).toEqual([]);
  });

  test('SAY-02-partial no one else sees it: not another organization, and not the next one after a transfer', async () => {
    for (const as of [unrelated, siblingUser]) {
      expect(await list(as, { diagnosis: 'any' })).toEqual([]);
      expect(await attention(as)).toEqual([]);
      expect((await app.call('GET', `${BASE}/device`, { as, query: { device: shared.id } })).status).toBe(404);
    }
    const moved = fresh();
    const device = await addDevice(app, own, moved);
    await app.owner.query('update routers set clock_skew_ms = 900000 where id = $1', [device.routerId]);
    await app.owner.query("update diagnosis_pass set computed_until = '-infinity'");
    await run();
    expect((await findings(user, device)).length).toBe(1);
    const transfer = { target: sibling.organizationId, serials: [device.serial] };
    const done = await app.call('POST', `${BASE}/org/device`, { as: mainPerson, body: transfer });
    expect(done.json.result).toEqual({ transferred: 1 });
    expect(await list(siblingUser, { diagnosis: 'any' })).toEqual([]);
    expect(await findings(siblingUser, device)).toEqual([]);
    await app.owner.query("update diagnosis_pass set computed_until = '-infinity'");
    await run();
    const { rows } = await app.owner.query('select organization_id from device_diagnoses where device_id = $1', [device.id]);
    // The clock of the router is what it was: the new organization finds it itself.
    expect(rows).toEqual([{ organization_id: sibling.organizationId }]);
  });

  test('SAY-02-partial a place is weak where others lost connections too: what the vehicle itself lost there a week ago is not theirs', async () => {
    await app.owner.query("select ensure_coverage_partitions('2026-11-12', '2026-11-22')");
    const [device, other] = [await addDevice(app, own, fresh()), await addDevice(app, own, fresh())];
    await app.owner.query(`update router_ownership set owned_from = '2026-11-12' where router_id = $1`, [device.routerId]);
    const cell = cellAt(41.88, -87.63);
    const lost = ({ id, routerId }: TestDevice, slot: string, drops: number) =>
      app.owner.query(
        `with found as (insert into coverage_slots values ($1, $2, $3, $4, $5, '', '', 0, '{}', '{}', $6, 60) returning *)
         insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds)
         select organization_id, cell, slot::date, '', '', 8, 0, drops, lost_seconds from found
         on conflict (organization_id, cell, day, carrier, technology) do update set drops = coverage_days.drops + excluded.drops`,
        [routerId, slot, own.organizationId, id, cell, drops],
      );
    for (let hours = 1; hours <= 12; hours++) await lose(device, hours * 70 + 3);
    await lost(device, '2026-11-20T08:00:00Z', 12);
    // More than seven times 24 hours ago, on the first day that counts.
    await lost(device, '2026-11-13T03:00:00Z', 12);
    const found = async () => {
      await app.owner.query("update diagnosis_pass set computed_until = '-infinity'");
      await run();
      return findings(user, device);
    };
    const place = { latitude: expect.closeTo(41.88, 1), longitude: expect.closeTo(-87.63, 1), losses: 12 };
    const since = Date.parse(NOW) / 1_000;
    expect(await found()).toEqual([{ kind: 'drops', since, losses: 12, place }]);
    await lost(other, '2026-11-13T03:00:00Z', 3);
    expect(await found()).toEqual([{ kind: 'place', since, losses: 12, place, others: 3 }]);
    const ofRole = (...rights: string[]) =>
      findings(Object.assign(app.person(own, 'user'), { ownRole: { id: newId(), name: 'Desk', rights } }), device);
    expect(await ofRole('devices.read')).toEqual([{ kind: 'place', since, losses: 12, place: null, others: 3 }]);
    expect(await ofRole('devices.read', 'positions.read')).toEqual([{ kind: 'place', since, losses: 12, place, others: 3 }]);
  });

  test('SAY-02-partial it is gone when its reason is, keeps its time while it lasts, and a pass goes on where it was interrupted', async () => {
    const later = '2026-11-20T13:20:00Z';
    await app.owner.query('delete from router_rejections where router_id = $1', [shared.routerId]);
    const middle = [well, shared, late, flapping].map(({ id }) => id).toSorted()[1]!;
    await app.owner.query('update diagnosis_pass set target = $1, after_device = $2', ['2026-11-20T13:00:00Z', middle]);
    await run(later);
    const passed = (await app.owner.query('select target, computed_until from diagnosis_pass')).rows;
    expect(passed).toEqual([{ target: null, computed_until: new Date('2026-11-20T13:00:00Z') }]);
    expect(await findings(user, shared)).toEqual([{ kind: 'clock', since: Date.parse(NOW) / 1_000, seconds: -400 }]);
    expect(await findings(user, flapping)).toEqual([]);
    // Twice is the same.
    await run(later);
    expect(await findings(user, shared)).toHaveLength(1);
  });
});
