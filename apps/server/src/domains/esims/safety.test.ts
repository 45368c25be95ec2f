import { randomBytes } from 'node:crypto';
import type { ConnectionImpact, esims } from '@highline/contract';
import { makeEid, makeIccid } from '@highline/usp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';

// No user action disconnects a router without a preview: over HTTP, against what routers have reported.

const ONE = '/data_manager/v1/dm/profile';
const SIM = 'Device.TrustedElements.SIM.1.';
const HEADER = 'SN,EID,Activation Code,ICCID,APN1,APN2,NAME';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;
let count = 0;

interface Router {
  readonly serial: string;
  readonly device: string;
  readonly eid: string;
}
let router: Router;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  admin = app.person(own, 'admin');
});
beforeEach(async () => {
  router = await newRouter();
});

async function newRouter(): Promise<Router> {
  count += 1;
  const made = { serial: `SF${String(count).padStart(5, '0')}`, mac: randomBytes(6).toString('hex').toUpperCase() };
  await app.seeding.routers(main, [made]);
  const [device] = await app.seeding.devices(own, [made]);
  await app.owner.query('update devices set vehicle_number = $2 where id = $1', [device, `Bus ${count}`]);
  return { serial: made.serial, device: device!, eid: makeEid(count) };
}

/** A profile in a router's report. */
interface Reported {
  readonly active?: boolean;
  readonly preloaded?: boolean;
  readonly carrier?: string;
  readonly apn?: string;
}

/** The router has reported its eUICC with these profiles; null = it has no eUICC. */
async function reports(profiles: readonly Reported[] | null, { device, eid } = router): Promise<void> {
  const all = profiles?.map((profile, index) => ({
    path: `${SIM}Profile.${index + 1}.`,
    iccid: makeIccid(index + 1),
    active: false,
    preloaded: false,
    name: null,
    carrier: '',
    apn: null,
    apn2: null,
    priority: null,
    ...profile,
  }));
  const esim = all === undefined ? null : { path: SIM, eid, count: all.length, profiles: all };
  await app.owner.query(`update routers set reported = reported || jsonb_build_object('esim', $2::jsonb) where device_id = $1`, [
    device,
    JSON.stringify(esim),
  ]);
}

const code = () => `1$smdp.example.com$${randomBytes(6).toString('hex').toUpperCase()}`;
const post = (path: string, body: object, query: Record<string, string> = {}) =>
  app.call('POST', `${ONE}/${path}`, { as: admin, body, query });
const add = (more: object = {}, query: Record<string, string> = {}) =>
  post('', { serial: router.serial, eid: router.eid, ac: code(), apn: 'fleet', ...more }, query);
/** A profile that is on the router at this instance. */
async function onRouter(instance: number, status = 'Activated', more: object = {}): Promise<esims.Profile> {
  const { result } = (await add(more)).json as { result: esims.Profile };
  await app.owner.query(
    'update esim_profiles set status = $2, path = $3, carrier = $4, iccid = $5, due_at = null where id = $1',
    [result.pk, status, `${SIM}Profile.${instance}.`, `Carrier ${instance}`, makeIccid(instance)],
  );
  return result;
}
const cards = async () =>
  (await app.call('GET', `${ONE}s`, { as: admin, query: { serial: router.serial, eid: router.eid } })).json
    .result as esims.Profile[];
const statuses = async () => Object.fromEntries((await cards()).map(({ pk, status, priority }) => [pk, [status, priority]]));
const stored = async () => JSON.stringify((await app.owner.query('select * from esim_profiles order by id')).rows);
const send = (lines: readonly string[], query: Record<string, string> = {}) =>
  app.call('POST', `${ONE}/batch`, {
    as: admin,
    query,
    body: {},
    file: `${[HEADER, ...lines].join('\n')}\n`,
    fileName: 'esims.csv',
  });
const none = { carrier: 0, unreachable: 0, accessPoint: 0, vehicles: [] };

describe('adding', () => {
  test('SIM-04-partial a checked import returns what will be added and what changes carrier, and writes nothing', async () => {
    await reports([{ active: true, preloaded: true, carrier: 'AT&T', apn: 'iot' }]);
    const before = await stored();
    const lines = [`${router.serial},${router.eid},${code()},,fleet,,New`, `UNKNOWN,${router.eid},${code()},,fleet,,`];
    const { result } = (await send(lines, { dryRun: '1' })).json as { result: esims.ProfileImportResult };
    expect(result).toMatchObject({ dryRun: true, success: 1, total: 2, failed: 1, ids: [], impact: none });
    expect(await stored()).toBe(before);
    const done = (await send(lines, { confirmed: result.impact.confirmation })).json;
    expect(done.result).toMatchObject({ dryRun: false, success: 1, impact: none });
    // Below the preloaded one that was not set up, which the router uses.
    expect((await cards()).map(({ ac, act, priority }) => [ac === 'preload', act, priority])).toEqual([
      [true, true, 1],
      [false, false, 2],
    ]);
  });

  test('SIM-04-partial an import that sets up the preloaded one in use with another APN reports it, and is rejected when its effect has changed by then', async () => {
    await reports([{ active: true, preloaded: true, carrier: 'AT&T', apn: 'iot' }]);
    const lines = [`${router.serial},${router.eid},pre,${makeIccid(1)},other.apn,,`];
    const { result } = (await send(lines, { dryRun: '1' })).json as { result: esims.ProfileImportResult };
    expect(result.impact).toMatchObject({
      carrier: 0,
      accessPoint: 1,
      vehicles: [{ serial: router.serial, vehicle: `Bus ${count}`, kind: 'access-point', from: 'iot', to: 'other.apn' }],
    });
    const before = await stored();
    await reports([{ active: true, preloaded: true, carrier: 'AT&T', apn: 'changed' }]);
    const late = await send(lines, { confirmed: result.impact.confirmation });
    expect([late.status, late.json.error.key]).toEqual([409, 'impact.changed']);
    expect((late.json.error.detail as ConnectionImpact).vehicles[0]).toMatchObject({ from: 'changed', to: 'other.apn' });
    expect(await stored()).toBe(before);
  });

  test('SIM-07-partial a profile that is posted with the first priority is placed below the one in use; checked, nothing is written', async () => {
    await reports([{ active: true, preloaded: true }]);
    const checked = await add({ priority: 1 }, { dryRun: '1' });
    expect(checked.json).toMatchObject({ status: 'Checked', result: { pk: '', priority: 2 }, impact: none });
    expect(await cards()).toHaveLength(1);
    expect((await add({ priority: 1 })).json).toMatchObject({ status: 'Created', result: { priority: 2 }, impact: none });
  });

  test('SIM-07-partial a router without an eUICC is rejected with an explanation by form, API call and CSV; one that never connected is not', async () => {
    const read = () => app.call('GET', `${ONE}s`, { as: admin, query: { serial: router.serial, eid: router.eid } });
    expect((await read()).json.router).toEqual({ vehicle: `Bus ${count}`, hasEuicc: null });
    await reports([{ active: true, preloaded: true }]);
    expect((await read()).json.router).toMatchObject({ hasEuicc: true });
    await reports(null);
    const text = 'This router has no eUICC: it reports a plain SIM or none. eSIMs need a router with an eUICC.';
    for (const response of [await read(), await add()])
      expect([response.status, response.json.error.key, response.json.error.message]).toEqual([409, 'esim.no_euicc', text]);
    const file = await send([`${router.serial},${router.eid},${code()},,fleet,,`]);
    expect(file.json.error.detail.fail[0]).toMatchObject({ row: 2, serial: router.serial, error: text });
    expect(await stored()).not.toContain(router.serial);
  });
});

describe('Use now', () => {
  test('SIM-10-partial it names vehicle and carriers, writes nothing when checked, and then requests exactly that from the router', async () => {
    await reports([{ preloaded: true }, { active: true, carrier: 'Carrier 2' }, {}]);
    const [used, spare] = [await onRouter(2, 'In Use'), await onRouter(3)];
    const before = await stored();
    const { impact } = (await post('use', { profile: spare.pk }, { dryRun: '1' })).json as { impact: ConnectionImpact };
    const change = { serial: router.serial, vehicle: `Bus ${count}`, kind: 'carrier', from: 'Carrier 2', to: 'Carrier 3' };
    expect(impact).toMatchObject({ carrier: 1, unreachable: 0, vehicles: [change] });
    expect(await stored()).toBe(before);
    const done = await post('use', { profile: spare.pk }, { confirmed: impact.confirmation });
    expect(done.json.result.status).toBe('Assigning...');
    expect(await statuses()).toMatchObject({
      [used.pk]: ['In Use', used.priority],
      [spare.pk]: ['Assigning...', spare.priority],
    });
    expect((await app.logOf(own.organizationId)).at(-1)).toMatch(/^Switched to eSIM .* of device /u);
    // For the one in use it withdraws the request.
    await post('use', { profile: used.pk });
    expect(await statuses()).toMatchObject({ [used.pk]: ['In Use', used.priority], [spare.pk]: ['Activated', spare.priority] });
  });

  test('SIM-10-partial when the router has switched to another profile meanwhile, it is rejected with its present effect', async () => {
    await reports([{ preloaded: true }, { active: true }, {}]);
    const [, spare] = [await onRouter(2, 'In Use'), await onRouter(3)];
    const { impact } = (await post('use', { profile: spare.pk }, { dryRun: '1' })).json;
    await reports([{ preloaded: true, active: true, carrier: 'Home' }, {}, {}]);
    const late = await post('use', { profile: spare.pk }, { confirmed: impact.confirmation });
    expect([late.status, late.json.error.key]).toEqual([409, 'impact.changed']);
    expect(late.json.error.detail.vehicles[0]).toMatchObject({ from: 'Home', to: 'Carrier 3' });
    expect((await cards()).find(({ pk }) => pk === spare.pk)!.status).toBe('Activated');
  });

  test('SIM-10-partial WIN-02-partial a switch that the router has begun is not withdrawn; using the former one, or an order with it first, requests the switch back', async () => {
    await reports([{ preloaded: true }, { active: true }, {}]);
    const [used, spare] = [await onRouter(2, 'In Use', { priority: 2 }), await onRouter(3, 'Assigning...')];
    await app.owner.query(
      "update esim_profiles set step = 'enable', step_key = 'esim-' || id, step_begun_at = now() where id = $1",
      [spare.pk],
    );
    const before = await stored();
    for (const { pk } of [used, spare]) {
      const late = await post('use', { profile: pk, window: null });
      expect([late.status, late.json.error.key]).toEqual([409, 'esim.switching']);
    }
    expect(await stored()).toBe(before);
    expect((await app.logOf(own.organizationId)).at(-1)).toMatch(/^Added eSIM /u);
    const change = { carrier: 1, vehicles: [{ from: 'Carrier 3', to: 'Carrier 2' }] };
    const orders = [
      { profile: used.pk, priority: 1 },
      { profile: spare.pk, priority: 3 },
    ];
    expect((await post('order', { order: orders }, { dryRun: '1' })).json.impact).toMatchObject(change);
    expect((await post('use', { profile: used.pk })).json.impact).toMatchObject(change);
    const both = { [used.pk]: ['Assigning...', 2], [spare.pk]: ['Assigning...', 3] };
    expect(await statuses()).toMatchObject(both);
    // The request to switch back waits, and can be withdrawn.
    expect((await post('use', { profile: used.pk, window: null })).status).toBe(200);
    await post('order', { order: orders });
    expect(await statuses()).toMatchObject({ [used.pk]: ['Assigning...', 1], [spare.pk]: ['Assigning...', 3] });
  });

  test('SIM-10-partial a profile that is not on the router cannot be used', async () => {
    const { pk } = (await add()).json.result;
    expect((await post('use', { profile: pk })).json.error.key).toBe('esim.not_on_router');
  });
});

describe('a changed order', () => {
  const order = (desired: readonly (readonly [esims.Profile, number])[], query: Record<string, string> = {}) =>
    post('order', { order: desired.map(([{ pk: profile }, priority]) => ({ profile, priority })) }, query);

  test('SIM-06-partial one that puts another profile first names the new carrier of the vehicle; others have no impact', async () => {
    await reports([{ preloaded: true }, { active: true }, {}, {}]);
    const used = await onRouter(2, 'In Use', { priority: 2 });
    const [spare, third] = [await onRouter(3), await onRouter(4)];
    const first = (await cards())[0]!;
    expect(first.pk).toBe('');
    const quiet = await order([
      [spare, third.priority],
      [third, spare.priority],
    ]);
    expect(quiet.json.impact).toMatchObject(none);
    expect((await statuses())[used.pk]![0]).toBe('In Use');
    const desired = [
      [third, 1],
      [used, 3],
    ] as const;
    const { impact } = (await order(desired, { dryRun: '1' })).json;
    expect(impact).toMatchObject({ carrier: 1, vehicles: [{ from: 'Carrier 2', to: 'Carrier 4' }] });
    expect((await statuses())[third.pk]![0]).toBe('Activated');
    const done = await order(desired, { confirmed: impact.confirmation });
    expect(done.json.result.map(({ pk }: esims.Profile) => pk)).toContain(third.pk);
    expect(await statuses()).toMatchObject({ [third.pk]: ['Assigning...', 1], [used.pk]: ['In Use', 3] });
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Changed the order of the eSIMs of device ${router.serial}`);
    // Moved back before anything was sent to the router.
    await order([
      [used, 1],
      [third, 3],
    ]);
    expect(await statuses()).toMatchObject({ [third.pk]: ['Activated', 3], [used.pk]: ['In Use', 1] });
  });

  test('SIM-06-partial an order with two at one position, twice the same or of another router is rejected', async () => {
    const [one, two] = [await onRouter(2), await onRouter(3)];
    // One that is left out moves to the end.
    await order([[one, two.priority]]);
    expect((await statuses())[one.pk]![1]).toBe(two.priority);
    expect((await statuses())[two.pk]![1]).toBeGreaterThan(two.priority);
    expect(
      (
        await order([
          [one, 3],
          [one, 4],
        ])
      ).json.error.key,
    ).toBe('esim.order_incomplete');
    router = await newRouter();
    const other = await onRouter(2);
    expect(
      (
        await order([
          [one, 3],
          [other, 4],
        ])
      ).status,
    ).toBe(404);
  });

  test('SIM-07-partial a save whose priority makes another one first has the same impact', async () => {
    await reports([{ preloaded: true }, { active: true }, {}]);
    const [used, spare] = [await onRouter(2, 'In Use'), await onRouter(3)];
    const patch = (query: Record<string, string>) =>
      app.call('PATCH', `${ONE}/${spare.pk}`, { as: admin, body: { priority: 1 }, query });
    // The preloaded one is first and on the router: this puts another before it.
    const { impact } = (await patch({ dryRun: '1' })).json;
    expect(impact).toMatchObject({ carrier: 1, vehicles: [{ from: 'Carrier 2', to: 'Carrier 3' }] });
    expect((await statuses())[spare.pk]).toEqual(['Activated', spare.priority]);
    expect((await patch({ confirmed: 'f'.repeat(64) })).json.error.key).toBe('impact.changed');
    await patch({ confirmed: impact.confirmation });
    expect((await statuses())[spare.pk]).toEqual(['Assigning...', 1]);
    expect((await statuses())[used.pk]![0]).toBe('In Use');
  });
});

describe('deleting and access points', () => {
  const remove = (pk: string, query: Record<string, string> = {}) => app.call('DELETE', `${ONE}/${pk}`, { as: admin, query });

  test('SIM-08-partial deleting the one in use names the profile that the vehicle switches to, or that it becomes unreachable', async () => {
    await reports([{ preloaded: true, carrier: 'Home' }, { active: true }, {}]);
    const [used, spare] = [await onRouter(2, 'In Use'), await onRouter(3)];
    const { impact } = (await remove(used.pk, { dryRun: '1' })).json;
    expect(impact).toMatchObject({ carrier: 1, unreachable: 0, vehicles: [{ from: 'Carrier 2', to: 'Home' }] });
    expect((await remove(spare.pk, { dryRun: '1' })).json.impact).toMatchObject(none);
    expect((await statuses())[used.pk]![0]).toBe('In Use');
    // Meanwhile it has no other usable profile.
    await reports([{ preloaded: false, active: false }, { active: true }, {}]);
    await app.owner.query("update esim_profiles set status = 'Fail to activate' where id = $1", [spare.pk]);
    const late = await remove(used.pk, { confirmed: impact.confirmation });
    expect(late.json.error).toMatchObject({ key: 'impact.changed', detail: { carrier: 0, unreachable: 1 } });
    const again = await remove(used.pk, { confirmed: late.json.error.detail.confirmation });
    expect(again.json).toMatchObject({ result: { status: 'Deleting...' }, impact: { unreachable: 1 } });
  });

  test('SIM-08-partial while the one in use is being deleted, deleting or switching from its successor names what the vehicle then uses', async () => {
    await reports([{ preloaded: true, carrier: 'Home' }, { active: true }, {}, {}]);
    const [used, next, last] = [await onRouter(2, 'In Use'), await onRouter(3), await onRouter(4)];
    await app.owner.query(
      'update esim_profiles set priority = case id when $1 then 1 when $2 then 2 else 4 end where device_id = $3',
      [used.pk, next.pk, router.device],
    );
    const checked = (await remove(next.pk, { dryRun: '1' })).json.impact;
    expect(checked).toMatchObject(none);
    expect((await remove(used.pk)).json.impact).toMatchObject({ vehicles: [{ from: 'Carrier 2', to: 'Carrier 3' }] });
    const { impact } = (await post('use', { profile: last.pk }, { dryRun: '1' })).json;
    expect(impact).toMatchObject({ carrier: 1, vehicles: [{ from: 'Carrier 3', to: 'Carrier 4' }] });
    // The preview from before the first deletion is no longer valid.
    const late = await remove(next.pk, { confirmed: checked.confirmation });
    expect([late.status, late.json.error.key]).toEqual([409, 'impact.changed']);
    expect(late.json.error.detail).toMatchObject({ carrier: 1, vehicles: [{ from: 'Carrier 3', to: 'Home' }] });
    await reports([{}, { active: true }, {}, {}]);
    await remove(last.pk);
    expect((await remove(next.pk)).json.impact).toMatchObject({ carrier: 0, unreachable: 1, vehicles: [{ from: 'Carrier 3' }] });
  });

  test('SIM-07-partial another APN of the one in use reports that the vehicle reconnects; of another one it has no impact', async () => {
    await reports([{ preloaded: true }, { active: true }, {}]);
    const [used, spare] = [await onRouter(2, 'In Use'), await onRouter(3)];
    const patch = (pk: string, query: Record<string, string> = {}) =>
      app.call('PATCH', `${ONE}/${pk}`, { as: admin, body: { apn1: 'new.apn' }, query });
    expect((await patch(used.pk, { dryRun: '1' })).json.impact).toMatchObject({
      carrier: 0,
      accessPoint: 1,
      vehicles: [{ kind: 'access-point', from: 'fleet', to: 'new.apn' }],
    });
    expect((await cards()).find(({ pk }) => pk === used.pk)!.apn).toBe('fleet');
    expect((await patch(spare.pk)).json.impact).toMatchObject(none);
  });
});
