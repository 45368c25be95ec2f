import { makeMac } from '@highline/usp';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { purgeEndedBindings } from './bindings.purge.ts';

const BINDING = '/data_manager/v1/binding/group';
const NOW = '2026-11-20T12:00:00Z';

const app = useTestApp(NOW);
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let group: string;
let ids: string[];
let count = 0;
let firmware: string;
let config: string;

/** A group of four routers: two reported their model (one of them runs 2.0 and is online), two are unknown. */
beforeEach(async () => {
  app.clock.set(NOW);
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  admin = app.person(own, 'admin');
  group = await app.seeding.group(own, 'North');
  ids = await claim(4, group);
  await app.owner.query(`update devices set model = 'HL', firmware = '1.0' where id = $1`, [ids[0]]);
  await app.owner.query(`update devices set model = 'HL', firmware = '2.0', presence = 'online' where id = $1`, [ids[1]]);
  firmware = await app.seeding.firmware(main, { model: 'HL', version: '2.0' });
  config = await app.seeding.config(own, { name: 'north.cfg' });
  await app.takeOutbox();
});

async function routersOf(many: number) {
  const routers = Array.from({ length: many }, () => ({
    serial: `RB${String(++count).padStart(5, '0')}`,
    mac: makeMac(0x77000 + count),
  }));
  await app.seeding.routers(main, routers);
  return routers;
}

async function claim(many: number, key?: string): Promise<string[]> {
  const routers = await routersOf(many);
  return app.seeding.devices(
    own,
    routers.map((router) => ({ ...router, ...(key === undefined ? {} : { group: key }) })),
  );
}

const bind = (kind: 'firmware' | 'config', body: object, as = admin) =>
  app.call('POST', `${BINDING}/${kind}`, {
    as,
    body: { group, [kind]: kind === 'firmware' ? firmware : config, schedule: 'immediate', ...body },
  });
/** The router reports a version of the config file. */
const runsConfig = (device: string, number: number) =>
  app.owner.query(
    `update devices set config = 'north.cfg', config_version =
      (select encode(sha256, 'hex') from config_versions where config_id = $2 and number = $3) where id = $1`,
    [device, config, number],
  );
const rolloutsOf = async (as = admin) => (await app.call('GET', `${BINDING}/rollouts`, { as, query: { group } })).json.result;
const targetsOf = async (rollout: string, query: Record<string, string> = {}) =>
  (await app.call('GET', `${BINDING}/targets`, { as: admin, query: { rollout, limit: 10, ...query } })).json;
const impact = async (body: object) => (await app.call('POST', `${BINDING}/impact`, { as: admin, body })).json.result;
async function serialInLowerCase(device: string): Promise<string> {
  const { rows } = await app.owner.query<{ serial: string }>('select lower(serial) as serial from devices where id = $1', [
    device,
  ]);
  return rows[0]!.serial;
}
const epoch = (at: string) => Date.parse(at) / 1_000;

describe('binding', () => {
  test('GRP-06-partial GRP-08-partial every device of the group gets a target; routers with the version count at once; one event is sent', async () => {
    const { status, json } = await bind('firmware', {});
    expect(status).toBe(200);
    expect(json.result).toEqual({
      firmware: [{ profile: firmware, otaSchedule: 'immediate', postpone: null, name: '2.0', version: null, state: 'running' }],
      config: [],
      status: [
        { group, file: firmware, success: 1, fail: 0, kind: 'firmware', failed: 0, rolledBack: 0, unsupported: 0, busy: 0 },
      ],
    });
    const [rollout] = await rolloutsOf();
    expect(rollout).toMatchObject({
      kind: 'firmware',
      name: '2.0',
      total: 4,
      offline: 3,
      by: admin.email,
      failureThreshold: 20,
      canaries: 0,
    });
    expect(rollout.states).toMatchObject({ waiting: 3, successful: 1 });
    const topics = (await app.takeOutbox()).map(({ topic }) => topic);
    expect([...topics].sort()).toEqual(['devices', 'firmware', 'groups', 'rollouts']);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe('Bound firmware 2.0 to group North');
    const { result, total } = await targetsOf(rollout.id, { state: 'waiting', sort: 'serial' });
    expect(total).toBe(3);
    expect(result[0]).toMatchObject({ device: ids[0], reason: 'offline', current: '1.0', attempt: 0, checkedBy: null });
  });

  test('GRP-08-partial binding the same again changes nothing; another schedule, file or version is a new rollout', async () => {
    await bind('firmware', {});
    const [first] = await rolloutsOf();
    await app.takeOutbox();
    await bind('firmware', {});
    expect(await app.takeOutbox()).toEqual([]);
    expect((await rolloutsOf())[0].id).toBe(first.id);
    await bind('firmware', { schedule: 'bootup' });
    const [second] = await rolloutsOf();
    expect(second).toMatchObject({ schedule: 'bootup', total: 4 });
    expect(second.id).not.toBe(first.id);
    await bind('config', {});
    await app.seeding.config(own, { name: 'north.cfg', contents: 'new\n' });
    await bind('config', {});
    expect((await rolloutsOf()).map(({ version }: { version: number | null }) => version)).toEqual([null, 2]);
  });

  test('GRP-07-partial another schedule for a version that is not the newest binds that version, with its window, and is compared with it', async () => {
    const window = { zone: 'UTC', minVoltage: 12 };
    await bind('config', { window });
    await app.seeding.config(own, { name: 'north.cfg', contents: 'new\n' });
    await runsConfig(ids[0]!, 1);
    expect(await impact({ group, config, configVersion: 1 })).toMatchObject({ config: { already: 1, change: 3 } });
    expect(await impact({ group, config })).toMatchObject({ config: { already: 0, change: 4 } });
    const { status } = await bind('config', { configVersion: 1, schedule: 'bootup' });
    expect(status).toBe(200);
    expect((await rolloutsOf())[0]).toMatchObject({ version: 1, schedule: 'bootup', window });
    const { confirmation: confirmed } = (await impact({ group, config, configVersion: 1 })).config;
    const body = { config, configVersion: 1, schedule: 'immediate', confirmed: { config: confirmed } };
    expect((await app.call('PUT', `/data_manager/v1/dm/group/${group}`, { as: admin, body })).status).toBe(200);
    expect((await rolloutsOf())[0]).toMatchObject({ version: 1, schedule: 'immediate', window });
    expect((await bind('config', { configVersion: 3 })).json.error.key).toBe('config.not_found');
  });

  test('GRP-07-partial a postponed binding keeps its time, in epoch seconds as number or text', async () => {
    for (const postpone of [epoch('2026-12-01T03:30:00Z'), String(epoch('2026-12-01T03:30:00Z'))]) {
      await bind('config', { schedule: 'bootup', postpone });
      expect((await rolloutsOf())[0]).toMatchObject({ schedule: 'bootup', postpone: epoch('2026-12-01T03:30:00Z') });
    }
    // Saved again after its time, with nothing changed.
    app.clock.set('2026-12-05T00:00:00Z');
    const again = await bind('config', { schedule: 'bootup', postpone: epoch('2026-12-01T03:30:00Z') }, app.person(own, 'admin'));
    expect(again.status).toBe(200);
  });

  test('GRP-08-partial once the postpone time has passed, other files are bound with it, and none with another past time', async () => {
    const postpone = epoch('2026-12-01T03:30:00Z');
    await bind('firmware', { schedule: 'bootup', postpone });
    app.clock.set('2026-12-05T00:00:00Z');
    const as = app.person(own, 'admin');
    const other = await app.seeding.config(own, { name: 'other.cfg' });
    const save = (body: object) =>
      app.call('PUT', `/data_manager/v1/dm/group/${group}`, { as, body: { schedule: 'bootup', ...body } });
    expect((await save({ config, postpone: postpone + 1_800 })).json.error.key).toBe('binding.schedule');
    expect((await save({ firmware: '', config, postpone })).status).toBe(200);
    expect((await save({ config: other, postpone })).status).toBe(200);
    expect(await rolloutsOf(as)).toMatchObject([{ name: 'other.cfg', schedule: 'bootup', postpone }]);
  });

  test.each([
    ['in the past', { schedule: 'bootup', postpone: epoch(NOW) - 1 }],
    ['now', { schedule: 'bootup', postpone: epoch(NOW) }],
    ['without bootup', { schedule: 'immediate', postpone: epoch(NOW) + 3_600 }],
    ['beyond every calendar', { schedule: 'bootup', postpone: '999999999999' }],
    ['text', { schedule: 'bootup', postpone: 'tomorrow' }],
    ['negative', { schedule: 'bootup', postpone: -5 }],
    ['an unknown schedule', { schedule: 'later' }],
  ])('GRP-07-partial a postpone %s is rejected', async (_, body) => {
    const { status } = await bind('firmware', body);
    expect(status).toBe(400);
    expect(await rolloutsOf()).toEqual([]);
  });

  test('an image for another model than a router of the group is rejected, naming the models', async () => {
    await app.owner.query(`update devices set model = 'HL-OLD' where id = $1`, [ids[2]]);
    const { status, json } = await bind('firmware', {});
    expect([status, json.error.key, json.error.detail]).toEqual([409, 'firmware.wrong_model', { models: ['HL-OLD'] }]);
  });

  test('a file or group that does not exist, or is another organization’s, is not found', async () => {
    const foreign = {
      group: await app.seeding.group(sibling, 'Theirs'),
      config: await app.seeding.config(sibling, { name: 'their.cfg' }),
    };
    const cases: [number, Promise<{ status: number }>][] = [
      [404, bind('firmware', { group: foreign.group })],
      [404, bind('firmware', { group: 'no-such-id' })],
      [404, bind('firmware', { firmware: 'nothing' })],
      [404, bind('firmware', { firmware: config })],
      [404, bind('config', { config: foreign.config })],
      [404, app.call('DELETE', `${BINDING}/config`, { as: admin, query: { group: foreign.group } })],
      [404, app.call('GET', `${BINDING}/rollouts`, { as: admin, query: { group: foreign.group } })],
      [404, app.call('GET', `${BINDING}/targets`, { as: admin, query: { rollout: 'x' } })],
      [404, app.call('POST', `${BINDING}/rollout`, { as: admin, body: { rollout: 'x', action: 'pause' } })],
      [404, app.call('POST', `${BINDING}/impact`, { as: admin, body: { group: foreign.group, firmware } })],
      [404, app.call('POST', `${BINDING}/impact`, { as: admin, body: { config, add: ['no-such-id'] } })],
    ];
    for (const [expected, response] of cases) expect((await response).status).toBe(expected);
  });

  test('GRP-08-partial removing a binding ends its rollout; removing it again changes nothing', async () => {
    await bind('config', {});
    await app.takeOutbox();
    const remove = () => app.call('DELETE', `${BINDING}/config`, { as: admin, query: { group, mode: 'all', postpone: '' } });
    expect((await remove()).json.result).toEqual({ firmware: [], config: [], status: [] });
    expect(await rolloutsOf()).toEqual([]);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe('Removed config file north.cfg from group North');
    await app.takeOutbox();
    await remove();
    expect(await app.takeOutbox()).toEqual([]);
  });

  test('the default group is bound by its key, also with its plus signs read as spaces', async () => {
    for (const key of ['default+group+id', 'default group id']) {
      const { status } = await bind('config', { group: key, schedule: key.includes('+') ? 'immediate' : 'bootup' });
      expect(status).toBe(200);
    }
    const { json } = await app.call('GET', BINDING, { as: admin, query: { limit: 1 } });
    expect(json).toMatchObject({
      total: 2,
      result: [{ group: 'default+group+id', config: [{ name: 'north.cfg', otaSchedule: 'bootup' }] }],
    });
  });

  test('two users who bind at once leave one active binding, and every device one target', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => bind('config', { schedule: n % 2 === 0 ? 'immediate' : 'bootup' })),
    );
    for (const { status } of responses) expect(status).toBe(200);
    const all = await rolloutsOf();
    expect(all).toHaveLength(1);
    expect(all[0].total).toBe(4);
  });

  test('a device that moves in while a file is bound gets its target, in either order', async () => {
    const loose = await claim(8);
    const moves = loose.map((device) => app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device, group } }));
    const responses = await Promise.all([bind('config', {}), ...moves]);
    for (const { status } of responses) expect(status).toBe(200);
    expect((await rolloutsOf())[0].total).toBe(12);
  });
});

describe('routers that go first', () => {
  const waves = { rule: 'person' };
  const named = (id: string | undefined) => ({ first: { devices: [id] }, waves });

  test('WIN-01-partial those chosen by id, serial number or tag are the first wave; binding the same again changes nothing', async () => {
    await app.owner.query(`update devices set tags = '{spare}', vehicle_number = 'Bus 9' where id = $1`, [ids[2]]);
    expect((await bind('config', { first: { tag: 'spare' }, waves: { rule: 'person', shares: [50] } })).status).toBe(200);
    const [rollout] = await rolloutsOf();
    expect(rollout).toMatchObject({
      canaries: 1,
      waves: { open: 0, rule: 'person', waits: 'person', waves: [{ routers: 1 }, { routers: 2 }, { routers: 1 }] },
    });
    await bind('config', { first: { tag: 'spare' }, waves: { rule: 'person', shares: [50] } });
    expect((await rolloutsOf())[0].id).toBe(rollout.id);
    await bind('config', {});
    expect((await rolloutsOf())[0].id).toBe(rollout.id);
    const input = { group, config, first: { tag: 'spare' }, waves: { rule: 'person', shares: [50] } };
    expect((await impact(input)).first).toEqual({ routers: 1, offline: 1, vehicles: ['Bus 9'], waves: [2, 1] });
    expect((await impact({ group, config, canaries: 2 })).first).toMatchObject({ routers: 2, offline: 1, waves: [2] });
    const serial = await serialInLowerCase(ids[0]!);
    expect((await impact({ group, config, ...named(serial) })).first).toMatchObject({ routers: 1 });
    // A router that joins later belongs to the last wave.
    const [joined] = await claim(1, group);
    await app.call('PATCH', `/data_manager/v1/dm/group/${group}`, { as: admin, body: { remove: [joined] } });
    await app.call('PATCH', `/data_manager/v1/dm/group/${group}`, { as: admin, body: { add: [joined] } });
    expect((await rolloutsOf())[0].waves.waves).toMatchObject([{ routers: 1 }, { routers: 2 }, { routers: 2 }]);
    expect((await bind('config', named(serial))).status).toBe(200);
    expect((await rolloutsOf())[0]).toMatchObject({ canaries: 1, waves: { waves: [{ routers: 1 }, { routers: 4 }] } });
  });

  test('WIN-01-partial of another organization they do not exist, and outside of the group they cannot go first', async () => {
    const [foreign] = await app.seeding.devices(sibling, await routersOf(1));
    const [loose] = await claim(1);
    for (const [body, status, code] of [
      [named(foreign), 404, 'not_found'],
      [named('nothing'), 404, 'not_found'],
      [named(loose), 400, 'binding.first'],
      [{ first: { tag: 'unused' } }, 400, 'binding.first'],
      [{ waves }, 400, 'binding.waves'],
      [{ ...named(ids[0]), waves: { rule: 'hours' } }, 400, 'binding.waves'],
      [{ ...named(ids[0]), waves: { rule: 'person', shares: [50, 20] } }, 400, 'binding.waves'],
    ] as const) {
      const { status: got, json } = await bind('config', body);
      expect([got, json.error.key], JSON.stringify(body)).toEqual([status, code]);
    }
    expect(await rolloutsOf()).toEqual([]);
    const { status } = await app.call('POST', `${BINDING}/impact`, { as: admin, body: { group, config, ...named(foreign) } });
    expect(status).toBe(404);
  });

  test('WIN-01-partial WIN-02-partial the effect of the same file is that of the waves and the window that it keeps', async () => {
    const window = { zone: 'UTC', hours: [{ days: [6], from: '02:00', until: '04:00' }] };
    await bind('config', { first: { devices: [ids[0]] }, waves: { rule: 'person', shares: [50] }, window });
    const kept = await impact({ group, config });
    expect(kept.first).toMatchObject({ routers: 1, waves: [2, 1] });
    expect(kept.window).toMatchObject({ opens: epoch('2026-11-21T02:00:00Z') });
    expect(await impact({ group, config, canaries: 0, window: null })).toMatchObject({ first: null, window: null });
    expect(await impact({ group, firmware })).toMatchObject({ first: null, window: null });
    expect(await impact({ group, canaries: 2 })).toMatchObject({ first: { routers: 2 }, window: null });
  });

  test('WIN-01-partial a change of something else goes on with those of them that are not deleted, and says so when none is left', async () => {
    const [gone, left] = ids as [string, string];
    await bind('config', { first: { devices: [gone, left] }, waves });
    const remove = (device: string) =>
      app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [device] } });
    expect((await remove(gone)).status).toBe(200);
    expect((await bind('config', { failureThreshold: 30 })).status).toBe(200);
    expect((await rolloutsOf())[0]).toMatchObject({ failureThreshold: 30, canaries: 1, waves: { waves: [{ routers: 1 }, {}] } });
    expect((await bind('config', { ...named(gone), schedule: 'bootup' })).json.error).toMatchObject({
      key: 'not_found',
      field: 'first',
    });
    await remove(left);
    expect((await bind('config', { schedule: 'bootup' })).json.error.key).toBe('binding.first');
  });

  test('WIN-01-partial going on and back is for those who may bind, once, and in the log; what is no wave is rejected', async () => {
    await bind('config', named(ids[0]));
    const [{ id }] = await rolloutsOf();
    const to = (wave: number, as = admin) =>
      app.call('POST', `${BINDING}/rollout`, { as, body: { rollout: id, action: 'wave', wave } });
    expect((await to(1, app.person(own, 'user'))).status).toBe(403);
    expect((await to(1, app.person(sibling, 'admin'))).status).toBe(404);
    expect((await to(2)).status).toBe(400);
    for (let twice = 0; twice < 2; twice++) expect((await to(1)).json.result.waves).toMatchObject({ open: 1, waits: null });
    const { rows } = await app.owner.query(`select action from audit_entries where chain_id = $1 and subject_kind = 'rollout'`, [
      own.organizationId,
    ]);
    expect(rows).toEqual([{ action: 'Continued the rollout of north.cfg with wave 2 of 2' }]);
  });
});

describe('windows', () => {
  const hours = [{ days: [6], from: '02:00', until: '04:00' }];

  test('WIN-02-partial what can never be is rejected, a foreign geofence does not exist, and the effect says who would wait', async () => {
    const fence = async (scope: OrganizationScope) => {
      const { rows } = await app.owner.query<{ id: string }>(
        `insert into geofences (id, organization_id, name, shape, corners) values (gen_random_uuid(), $1, 'Yard', '{}'::jsonb, 1) returning id`,
        [scope.organizationId],
      );
      return rows[0]!.id;
    };
    const [yard, foreign] = [await fence(own), await fence(sibling)];
    for (const [window, status, code] of [
      [{ zone: 'UTC' }, 400, 'binding.window'],
      [{ zone: 'Mars/Base', hours }, 400, 'request.invalid'],
      [{ zone: 'UTC', hours: [{ days: [6], from: '25:00', until: '04:00' }] }, 400, 'request.invalid'],
      [{ zone: 'UTC', geofences: [foreign] }, 404, 'not_found'],
      [{ zone: 'UTC', geofences: ['yard'] }, 404, 'not_found'],
    ] as const)
      for (const response of [
        await bind('config', { window }),
        await app.call('POST', `${BINDING}/impact`, { as: admin, body: { group, config, window } }),
      ])
        expect([response.status, response.json.error.key], JSON.stringify(window)).toEqual([status, code]);
    expect(await rolloutsOf()).toEqual([]);
    const readings = { ignitionOffMinutes: 10, minVoltage: 12, minSignal: -110, uplinks: ['ethernet', 'wifi'] };
    const window = { zone: 'America/Chicago', local: true, hours, geofences: [yard], ...readings };
    expect((await impact({ group, config, window })).window).toEqual({
      opens: epoch('2026-11-21T08:00:00Z'),
      noIgnition: 1,
      noPosition: 1,
      noVoltage: 1,
      noSignal: 1,
      noUplink: 1,
    });
    // A program may write ids in capital letters.
    await bind('config', { window: { ...window, geofences: [yard.toUpperCase(), yard] } });
    const [rollout] = await rolloutsOf();
    expect(rollout.window).toEqual({ ...window, geofences: [yard, yard] });
    await bind('config', {});
    expect((await rolloutsOf())[0].id).toBe(rollout.id);
    await bind('config', { window: null });
    expect((await rolloutsOf())[0]).toMatchObject({ window: null });
  });
});

describe('the impact before saving', () => {
  test('WIN-04 a version written otherwise is the same before and after it is bound, and one that is older than what runs is named', async () => {
    const written = await app.seeding.firmware(main, { model: 'HL', version: 'v2.0.1' });
    await app.owner.query(`update devices set firmware = '2.0.1' where id = $1`, [ids[0]]);
    await app.owner.query(`update devices set firmware = 'V2.1' where id = $1`, [ids[1]]);
    expect(await impact({ group, firmware: written })).toMatchObject({ firmware: { already: 1, older: 1, newer: ['V2.1'] } });
    await bind('firmware', { firmware: written });
    const [rollout] = await rolloutsOf();
    // Nothing is downloaded to a router that runs it, however it writes it.
    const { result } = await targetsOf(rollout.id, { state: 'successful' });
    expect(result.map(({ device, current, attempt }: Record<string, unknown>) => ({ device, current, attempt }))).toEqual([
      { device: ids[0], current: '2.0.1', attempt: 0 },
    ]);
  });

  test('counts devices that change, have it, are offline, and cannot take it', async () => {
    await app.owner.query(
      `update routers set reported = '{"ota":{"firmware":false}}' where id = (select router_id from devices where id = $1)`,
      [ids[2]],
    );
    expect(await impact({ group, firmware, config })).toEqual({
      firmware: {
        routers: 4,
        change: 2,
        already: 1,
        offline: 2,
        unsuited: 1,
        otherModels: [],
        ofOtherModel: 0,
        older: 0,
        newer: [],
        unsigned: 2,
        vehicles: [],
        confirmation: expect.any(String),
      },
      config: {
        routers: 4,
        change: 3,
        already: 0,
        offline: 2,
        unsuited: 1,
        otherModels: [],
        ofOtherModel: 0,
        older: 0,
        newer: [],
        unsigned: 0,
        vehicles: [expect.any(String)],
        confirmation: expect.any(String),
      },
      first: null,
      window: null,
    });
    await app.owner.query(`update devices set firmware = 'v2.10' where id = $1`, [ids[0]]);
    expect(await impact({ group, firmware })).toMatchObject({ firmware: { change: 2, older: 1, newer: ['v2.10'] } });
    await app.owner.query(`update devices set firmware = 'v2.0' where id = $1`, [ids[0]]);
    expect(await impact({ group, firmware })).toMatchObject({ firmware: { change: 1, already: 2, older: 0 } });
    const [loose] = await claim(1);
    await app.owner.query(`update devices set model = 'HL-OLD' where id = $1`, [loose]);
    const [joins, leaves] = [await serialInLowerCase(loose!), await serialInLowerCase(ids[0]!)];
    const moved = await impact({ group, firmware, add: [joins], remove: [leaves] });
    expect(moved.firmware).toMatchObject({ routers: 4, unsuited: 2, otherModels: ['HL-OLD'], ofOtherModel: 1 });
    expect(await impact({ firmware, add: [loose] })).toMatchObject({ firmware: { routers: 1 }, config: null });
    expect(await app.takeOutbox()).not.toContainEqual(expect.objectContaining({ topic: 'rollouts' }));
  });
});

const ota = { firmware: true, config: true };
const slots = { idle_slot: 'F.2.', config_slot: 'C.1.' };

test.each([
  ['nothing', {}, { firmware: 1, config: 1 }],
  ['its commands and no model', { ota, ...slots }, { firmware: 0, config: 1 }],
  ['another model', { ota, ...slots, model: 'HL-OLD' }, { firmware: 0, config: 1 }],
  ['its model', { ota, ...slots, model: 'HL' }, { firmware: 1, config: 1 }],
  ['no command for config files', { ota: { firmware: true }, ...slots, model: 'HL' }, { firmware: 1, config: 0 }],
  ['no slots', { ota, model: 'HL' }, { firmware: 0, config: 0 }],
])('GRP-06-partial a router that reported %s is counted as the rollout would end it', async (_name, reported, change) => {
  const [device] = await claim(1);
  await app.owner.query('update devices set model = null where id = $1', [device]);
  await app.owner.query('update routers set reported = $2 where id = (select router_id from devices where id = $1)', [
    device,
    reported,
  ]);
  const shown = await impact({ firmware, config, add: [device] });
  expect(shown).toMatchObject({ firmware: { change: change.firmware }, config: { change: change.config } });
  for (const kind of ['firmware', 'config'] as const) expect(shown[kind].unsuited).toBe(1 - change[kind]);
});

test('GRP-06-partial a binding does what was shown, or is rejected with what it would do now', async () => {
  const shown = (await impact({ group, config })).config;
  const [late] = await claim(1);
  await app.owner.query('update devices set group_key = $2 where id = $1', [late, group]);
  const rolloutsBefore = await rolloutsOf();
  const bindConfirmed = (confirmed: string, schedule = 'immediate') =>
    app.call('POST', `${BINDING}/config`, { as: admin, body: { group, config, schedule, confirmed } });
  const rejected = await bindConfirmed(shown.confirmation);
  expect([rejected.status, rejected.json.error.key]).toEqual([409, 'impact.changed']);
  expect(rejected.json.error.detail).toMatchObject({ routers: shown.routers + 1, change: shown.change + 1 });
  expect(await rolloutsOf()).toEqual(rolloutsBefore);
  expect((await bindConfirmed(shown.confirmation, 'bootup')).status).toBe(200);
  expect((await bindConfirmed(rejected.json.error.detail.confirmation)).status).toBe(200);
});

test('GRP-08-partial devices that join a group, alone or with their deleted group, are counted and named by its bindings at once', async () => {
  const [first, second] = await claim(2);
  const from = await app.seeding.group(own, 'From');
  await app.owner.query(
    "update devices set model = 'HL-R520 5G', presence = 'online', vehicle_number = 'Bus 7', group_key = $2 where id = $1",
    [second, from],
  );
  const moving = async (body: object) =>
    (await app.call('POST', `${BINDING}/move/impact`, { as: admin, body: { group, ...body } })).json.result;
  await bind('config', { schedule: 'bootup' });
  expect(await moving({ add: [first] })).toMatchObject({ firmware: null, config: null });
  await bind('config', { schedule: 'immediate' });
  expect((await moving({ add: [await serialInLowerCase(first!)] })).config).toMatchObject({
    name: 'north.cfg',
    routers: 1,
    change: 1,
    offline: 1,
    vehicles: [],
  });
  expect((await moving({ from: [from] })).config).toMatchObject({ routers: 1, change: 1, offline: 0, vehicles: ['Bus 7'] });
  expect((await moving({ add: [first], from: [from] })).config).toMatchObject({ routers: 2, change: 2 });
  expect((await moving({})).config).toMatchObject({ routers: 0, change: 0 });
});

test('GRP-09-partial devices that join a group are compared with the bound version of its config file, not with the newest', async () => {
  const [device] = await claim(1);
  await bind('config', {});
  await app.seeding.config(own, { name: 'north.cfg', contents: 'new\n' });
  const joining = async () =>
    (await app.call('POST', `${BINDING}/move/impact`, { as: admin, body: { group, add: [device] } })).json.result;
  await runsConfig(device!, 2);
  const { config: shown, confirmation } = await joining();
  expect(shown).toMatchObject({ already: 0, change: 1 });
  await runsConfig(device!, 1);
  expect((await joining()).config).toMatchObject({ already: 1, change: 0 });
  const body = { group, add: [device], confirmed: { joining: confirmation } };
  const { json } = await app.call('PUT', `/data_manager/v1/dm/group/${group}`, { as: admin, body });
  expect([json.error.key, json.error.detail.config.change]).toEqual(['impact.changed', 0]);
});

test('ended bindings are kept for 90 days, active ones for ever', async () => {
  await bind('config', {});
  await bind('config', { schedule: 'bootup' });
  const kept = async () =>
    (await app.owner.query('select 1 from bindings where organization_id = $1', [own.organizationId])).rows.length;
  await purgeEndedBindings(app.database, new Date('2027-02-18T12:00:00Z'));
  expect(await kept()).toBe(2);
  await purgeEndedBindings(app.database, new Date('2027-02-19T12:00:00Z'));
  expect(await kept()).toBe(1);
  expect(await rolloutsOf()).toHaveLength(1);
});

test('a rollout to 5,000 devices is bound in one call, and its routers are read page by page', async () => {
  const many = await app.seeding.group(own, 'Many');
  await app.owner.query(
    `with made as (
       insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
       select gen_random_uuid(), $1, 'BIG' || n, 'BIG' || n, 'os::BIG' || n, sha256(n::text::bytea), $2, gen_random_uuid() from generate_series(1, 5000) n
       returning id, serial, mac, device_id)
     insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key)
     select $2, device_id, $1, id, serial, mac, $3 from made`,
    [own.mainAccountId, own.organizationId, many],
  );
  // As autovacuum does within a minute; without statistics a plan may compare each target with each device.
  await app.owner.query('analyze routers, devices');
  expect((await bind('config', { group: many })).status).toBe(200);
  const { json } = await app.call('GET', `${BINDING}/rollouts`, { as: admin, query: { group: many } });
  const [rollout] = json.result;
  expect(rollout).toMatchObject({ total: 5_000, offline: 5_000 });
  const page = await targetsOf(rollout.id, { sort: '-updated', offset: '4995' });
  expect(page).toMatchObject({ total: 5_000, result: { length: 5 } });
});
