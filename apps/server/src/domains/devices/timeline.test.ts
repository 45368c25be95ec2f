import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordRouterEvents, purgeRouterEvents } from '../router-state/index.ts';
import { createRouterAlarms } from '../notifications/index.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

const DM = '/data_manager/v1/dm';

let app: TestApp;
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let count = 0;

// The clock is set to days near the real date: connectivity has partitions only around today.
const start = Date.now() - 60 * 60_000;
const minute = (number: number) => new Date(start + number * 60_000);

beforeAll(async () => {
  app = await openTestApp(minute(0).toISOString());
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  admin = app.person(own, 'admin');
});
beforeEach(() => app.clock.set(minute(0).toISOString()));
afterAll(() => app.close());

async function device(group?: string) {
  count += 1;
  const router = { serial: `TL${count}`, mac: `00B2D00000${String(count).padStart(2, '0')}` };
  const [registered] = await app.seeding.routers(main, [router]);
  const [id] = await app.seeding.devices(own, [{ ...router, ...(group === undefined ? {} : { group }) }]);
  return { ...router, routerId: registered!.id, id: id! };
}

const happen = (routerId: string, at: Date, kind: string, reason: string) =>
  app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [routerId, at, kind, reason]);

const timeline = (id: string, query: Record<string, string | number> = {}, as = admin) =>
  app.call('GET', `${DM}/device/timeline`, { as, query: { device: id, ...query } });

interface Item {
  readonly kind: string;
  readonly event?: string;
  readonly state?: string;
  readonly subject?: string;
}
const titlesOf = (response: { json: { result: Item[] } }) =>
  response.json.result.map(({ kind, event, state, subject }) => [kind, event ?? subject ?? state].join(' '));

describe('the timeline of a device', () => {
  test('contains its connections, rollouts, user actions on it alone and among others, and alarms, newest first', async () => {
    const group = await app.seeding.group(own, 'Depot');
    const [first, second] = [await device(), await device()];
    await happen(first.routerId, minute(1), 'online', 'connected');
    app.clock.set(minute(2).toISOString());
    await app.call('PATCH', `${DM}/device`, { as: admin, body: { device: first.id, vehicleNumber: 'Bus 7' } });
    app.clock.set(minute(3).toISOString());
    const file = await app.seeding.config(own, { name: 'depot.cfg' });
    const rollout = await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
    app.clock.set(minute(4).toISOString());
    await app.call('PATCH', `${DM}/group/${group}`, { as: admin, body: { add: [first.id, second.id] } });
    await app.database.write((tx) =>
      recordRouterEvents(
        tx,
        [
          {
            routerId: first.routerId,
            kind: 'rollout',
            subject: 'config',
            label: 'depot.cfg',
            state: 'failed',
            reason: 'no-space',
            rolloutId: rollout,
          },
          { routerId: first.routerId, kind: 'alarm', subject: 'BATTERY_LOW', state: 'raised', reason: '10.9 V' },
        ],
        minute(5),
      ),
    );
    await happen(first.routerId, minute(6), 'offline', 'no-answer');
    app.clock.set(minute(7).toISOString());
    await app.call('DELETE', `${DM}/group`, { as: admin, body: { groups: [group] } });
    const whole = await timeline(first.id);
    expect(titlesOf(whole)).toEqual([
      'rollout ended',
      'action Deleted group Depot',
      'connection offline',
      'rollout failed',
      'alarm BATTERY_LOW',
      'rollout waiting',
      'action Changed devices of group Depot',
      'action Changed vehicle number of device TL1',
      'connection online',
      'action Added device TL1',
    ]);
    const [, action, lost, failed, alarm] = whole.json.result;
    expect(action).toMatchObject({ email: 'admin@highline.invalid', role: 'admin', at: Math.floor(minute(7).getTime() / 1_000) });
    expect(lost).toMatchObject({ reason: 'no-answer' });
    // The group is deleted with its bindings, so there is no link to it; the step still names its file.
    expect(failed).toMatchObject({ file: 'config', label: 'depot.cfg', state: 'failed', reason: 'no-space', group: null });
    expect(alarm).toMatchObject({ state: 'raised', reason: '10.9 V' });
    const found = await app.call('GET', '/data_manager/v1/operation_log', {
      as: admin,
      query: { entry: action.seq, limit: 5 },
    });
    expect(found.json.result.map(({ subject }: { subject: string }) => subject)).toEqual(['Deleted group Depot']);
    expect(titlesOf(await timeline(second.id, { kind: 'rollout' }))).toEqual(['rollout ended', 'rollout waiting']);
    for (const [kind, number] of [
      ['connection', 2],
      ['action', 4],
      ['rollout', 3],
      ['alarm', 1],
    ] as const)
      expect((await timeline(first.id, { kind })).json.result, kind).toHaveLength(number);
  });

  test('links to the group of a running rollout, contains a retry, and nothing twice', async () => {
    const group = await app.seeding.group(own, 'Running');
    const { id, routerId } = await device(group);
    const file = await app.seeding.config(own, { name: 'run.cfg' });
    const rollout = await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
    await app.owner.query("update rollout_targets set state = 'failed' where router_id = $1", [routerId]);
    app.clock.set(minute(1).toISOString());
    const body = { rollout, action: 'retry' };
    expect((await app.call('POST', '/data_manager/v1/binding/group/rollout', { as: admin, body })).status).toBe(200);
    const { result } = (await timeline(id, { kind: 'rollout' })).json;
    expect(result).toMatchObject([
      { state: 'waiting', group, label: 'run.cfg' },
      { state: 'waiting', group },
    ]);
  });

  test('is read in pages by key, also where many events have one time', async () => {
    const { id, routerId } = await device();
    for (let number = 1; number <= 30; number += 1)
      await happen(routerId, minute(1 + Math.floor(number / 10)), number % 2 === 0 ? 'online' : 'offline', `reason ${number}`);
    await app.database.write((tx) =>
      recordRouterEvents(
        tx,
        Array.from({ length: 15 }, (_, number) => ({ routerId, kind: 'alarm', subject: `A${number}`, state: 'happened' })),
        minute(2),
      ),
    );
    const all = (await timeline(id, { limit: 200 })).json;
    expect([all.result.length, all.next]).toEqual([46, null]);
    const ids: string[] = [];
    for (let query: { limit: number; cursor?: string } | undefined = { limit: 7 }; query !== undefined;) {
      const page = await timeline(id, query);
      ids.push(...page.json.result.map((item: { id: string }) => item.id));
      const next = page.json.next as string | null;
      query = next === null ? undefined : { limit: 7, cursor: next };
    }
    expect(ids).toEqual(all.result.map((item: { id: string }) => item.id));
    expect(new Set(ids).size).toBe(46);
    expect((await timeline(id)).json.result).toHaveLength(20);
    const broken = ['x', Buffer.from('["2026-13-45 00:00:00+00","alarm","1"]').toString('base64url')];
    broken.push(Buffer.from('["2026-02-30 00:00:00+00","alarm","1"]').toString('base64url'));
    broken.push(Buffer.from('["2026-11-05 00:00:00+00","alarm","\\u0000"]').toString('base64url'));
    for (const wrong of broken) expect((await timeline(id, { cursor: wrong })).status, wrong).toBe(400);
    expect((await timeline(id, { kind: 'secret' })).status).toBe(400);
  });

  test('HKS-02-partial an API key reads of it what it reads elsewhere: who did what with the log, alerts with theirs', async () => {
    const first = await device();
    await happen(first.routerId, minute(1), 'online', 'connected');
    await app.call('PATCH', `${DM}/device`, { as: admin, body: { device: first.id, vehicleNumber: 'Bus 7' } });
    const kindsFor = async (operations: string[], query = {}) => {
      const as = Object.assign(app.person(own, 'admin'), {
        key: { id: newId(), label: 'Board', organizationId: null, operations },
      });
      const { status, json, text } = await timeline(first.id, query, as);
      expect(status, text).toBe(200);
      return new Set(json.result.map(({ kind }: Item) => kind));
    };
    expect(await kindsFor(['devices.timeline'])).toEqual(new Set(['connection']));
    expect(await kindsFor(['devices.timeline'], { kind: 'action' })).toEqual(new Set());
    expect(await kindsFor(['devices.timeline', 'logs.list'])).toEqual(new Set(['connection', 'action']));
  });

  test('a router that changed organizations reveals no foreign users; a transferred one keeps its events without names', async () => {
    const first = await device();
    const alarm = (at: Date, subject: string) =>
      app.database.write((tx) =>
        recordRouterEvents(tx, [{ routerId: first.routerId, kind: 'alarm', subject, state: 'raised' }], at),
      );
    await happen(first.routerId, minute(1), 'online', 'connected');
    await alarm(minute(1), 'BEFORE');
    app.clock.set(minute(2).toISOString());
    await app.call('DELETE', `${DM}/devices`, { as: admin, body: { devices: [first.id] } });
    await alarm(minute(3), 'BETWEEN');
    app.clock.set(minute(4).toISOString());
    const [again] = await app.seeding.devices(sibling, [first]);
    await alarm(minute(5), 'AFTER');
    const unrelated = app.person(sibling, 'user');
    expect(titlesOf(await timeline(again!, {}, unrelated))).toEqual(['alarm AFTER', `action Added device ${first.serial}`]);
    expect((await timeline(again!)).status).toBe(404);
    expect((await timeline(first.id)).status).toBe(404);
    app.clock.set(minute(6).toISOString());
    const transfer = { origin: sibling.organizationId, target: own.organizationId, serials: [first.serial] };
    const moved = await app.call('POST', '/data_manager/v1/dm/org/device', {
      as: app.person(main, 'main'),
      body: transfer,
    });
    expect(moved.status, moved.text).toBe(200);
    expect(titlesOf(await timeline(again!))).toEqual([
      `action Received device ${first.serial} from another organization`,
      'alarm AFTER',
    ]);
    expect((await timeline(again!, {}, unrelated)).status).toBe(404);
  });

  test('contains the alarms that a router reports, and one that flaps once a minute', async () => {
    const { id, routerId } = await device();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log });
    app.clock.set(minute(1).toISOString());
    await app.takeOutbox();
    for (let flap = 0; flap < 20; flap += 1)
      await Promise.all([true, false].map((isOn) => reports.recordReport(routerId, { kind: 'battery-low', isOn })));
    expect(await app.takeOutbox()).toContainEqual(expect.objectContaining({ topic: 'devices', ids: [id] }));
    app.clock.set(minute(3).toISOString());
    await reports.recordReport(routerId, { kind: 'thermal-protection', isOn: true });
    await reports.recordReport(routerId, { kind: 'battery-low', isOn: true });
    await reports.stop();
    const { result } = (await timeline(id, { kind: 'alarm' })).json;
    expect(result.map(({ event, state }: Item) => `${event} ${state}`)).toEqual([
      'BATTERY_LOW raised',
      'THERMAL_5G_PROTECT raised',
      'BATTERY_LOW_CLEAR cleared',
      'BATTERY_LOW raised',
    ]);
  });

  test('events of routers are deleted after a while, in batches', async () => {
    const { id } = await device();
    const before = (await app.owner.query('select 1 from router_events')).rows.length;
    expect(before).toBeGreaterThan(10);
    const fact = "insert into router_facts (router_id, at, fact, value) values (gen_random_uuid(), $1, 'carrier', 'Verizon')";
    await app.owner.query(fact, [new Date(start)]);
    expect(await purgeRouterEvents(app.database, 30, new Date(start + 29 * 86_400_000))).toBe(0);
    expect(await purgeRouterEvents(app.database, 30, new Date(start + 32 * 86_400_000))).toBe(before + 1);
    expect(titlesOf(await timeline(id))).toEqual([expect.stringContaining('action Added')]);
  });
});
