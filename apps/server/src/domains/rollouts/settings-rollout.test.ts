import type { alerts, rollouts, routerSettings } from '@highline/contract';
import type { Traits } from '@highline/testkit/agent';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reportWaitingSettings } from '../alerts/index.ts';
import { startOwnAgent, startStrictAgent, type AgentUnderTest } from '../../testing/agents.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../../testing/rollouts.ts';

const SETTINGS = '/data_manager/v1/dm/settings';
const BINDING = '/data_manager/v1/binding';
const SSID = 'WiFi.SSID[name=passengers].SSID';
const NTP = 'Time.NTPServer1';
const APN = 'Cellular.AccessPoint[name=internet].APN';

let fixture: RolloutFixture;
const running: AgentUnderTest[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.stop()));
});

const org = () => fixture.scope.organizationId;
interface At {
  readonly group?: string;
  readonly device?: string;
}
const save = (at: At, values: Readonly<Record<string, string>>) =>
  fixture.call<routerSettings.LevelSettings>('PUT', SETTINGS, {
    org: org(),
    ...at,
    values: Object.entries(values).map(([path, value]) => ({ path, value })),
  });
const send = (at: Pick<At, 'group'>, version: number, more: object = {}) =>
  fixture.call<rollouts.Rollout>('POST', `${BINDING}/settings`, { org: org(), ...at, version, ...more });
const present = async ({ group }: Pick<At, 'group'>) => {
  const of = group === undefined ? '' : `&group=${group}`;
  const all = await fixture.call<rollouts.Rollout[]>('GET', `${BINDING}/group/rollouts?org=${org()}${of}`);
  return all.find(({ kind }) => kind === 'settings');
};
const resultsOf = async ({ id }: rollouts.Rollout) =>
  new Map(
    (await fixture.targets(id)).map(({ device, state, reason, detail, attempt }) => [device, { state, reason, detail, attempt }]),
  );
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
async function strict(router: GroupMember, traits: Partial<Traits> = {}) {
  const started = startStrictAgent(fixture.address(), router, traits);
  running.push(started);
  await areOnline([router]);
  return started.agent;
}
const online = "select 1 from devices where presence = 'online' and id = any($1)";
async function areOnline(routers: readonly Pick<GroupMember, 'device'>[]): Promise<void> {
  const ids = routers.map(({ device }) => device);
  await expect.poll(async () => (await fixture.server.owner.query(online, [ids])).rowCount).toBe(routers.length);
}
async function becomes(rollout: rollouts.Rollout, { device }: Pick<GroupMember, 'device'>, expected: object): Promise<void> {
  await expect.poll(async () => (await resultsOf(rollout)).get(device)).toMatchObject(expected);
}
/** Alerts about rollouts of settings that wait, some hours later. */
const waiting = async (hours: number) => {
  await reportWaitingSettings(
    { database: fixture.server.database, origin: () => 'https://highline.test' },
    new Date(Date.now() + hours * 3_600_000),
  );
  const path = `/data_manager/v1/alerts?kind=settings-waiting&limit=50&org=${org()}`;
  return (await fixture.call<alerts.Alert[]>('GET', path)).map(({ state, rule }) => [state, rule]);
};

test('TPL-03 a draft goes to the chosen routers first, to the others when a person continues, with a result for each, and back to any version', async () => {
  const group = await fixture.group();
  const [first, second, third] = (await fixture.members(group, 3)) as [GroupMember, GroupMember, GroupMember];
  const agents = [
    await strict(first),
    await strict(second),
    await strict(third, { ignoredParameters: [`Device.${NTP}`] }),
  ] as const;
  const names = () => agents.map((agent) => agent.value('Device.WiFi.SSID.1.SSID'));
  await save({ group }, { [SSID]: 'Old' });
  const before = await send({ group }, 1);
  expect(before).toMatchObject({ kind: 'settings', profile: '', name: '1', version: 1, waves: null, total: 3 });
  await expect.poll(names).toEqual(['Old', 'Old', 'Old']);
  await expect.poll(async () => (await present({ group }))?.states.successful).toBe(3);

  await save({ group }, { [SSID]: 'New', [NTP]: 'time.example.com' });
  expect(await errorOf(send({ group }, 1))).toContain('binding.settings');
  expect(await errorOf(send({ group: 'nothing' }, 1))).toContain('group.not_found');
  const rollout = await send({ group }, 2, { first: { devices: [first.device] }, waves: { rule: 'person' } });
  await becomes(rollout, first, { state: 'successful' });
  await becomes(rollout, second, { state: 'waiting', reason: 'later-wave' });
  expect(names()).toEqual(['New', 'Old', 'Old']);
  expect((await present({ group }))?.waves).toMatchObject({ open: 0, waits: 'person' });
  await fixture.call('POST', `${BINDING}/group/rollout`, { org: org(), rollout: rollout.id, action: 'wave', wave: 1 });
  await becomes(rollout, second, { state: 'successful' });
  await becomes(rollout, third, { state: 'failed', reason: 'settings-differ', detail: `${NTP}: not changed` });
  expect(names()).toEqual(['New', 'New', 'New']);

  // What is saved meanwhile is not sent by it, and neither is anything to who joins.
  const [late] = (await fixture.members(group, 1)) as [GroupMember];
  await strict(late);
  expect((await resultsOf(rollout)).has(late.device)).toBe(false);
  await save({ group }, { [SSID]: 'Draft' });
  await fixture.control(rollout.id, 'retry');
  await becomes(rollout, third, { state: 'waiting', reason: 'settings-changed' });
  expect(names()).toEqual(['New', 'New', 'New']);

  const versions = await fixture.call<routerSettings.SettingsVersion[]>('GET', `${SETTINGS}/versions?group=${group}`);
  const { values } = versions.find(({ version }) => version === 1)!;
  await fixture.call('PUT', SETTINGS, { org: org(), group, values, secretsOf: 1 });
  const back = await send({ group }, 4, { window: { zone: 'UTC', minVoltage: 90 } });
  await becomes(back, first, { state: 'waiting', reason: 'window-no-voltage' });
  const now = await send({ group }, 4);
  await expect.poll(names).toEqual(['Old', 'Old', 'Old']);
  await expect.poll(async () => (await present({ group }))?.states.successful).toBe(4);
  expect((await present({ group }))?.id).toBe(now.id);
});

test('TPL-03-partial IAM-07-partial what is saved for one device while a rollout waits for its router is not sent by it, where rollouts are approved', async () => {
  const group = await fixture.group();
  const [other, off] = (await fixture.members(group, 2)) as [GroupMember, GroupMember];
  const { version } = await save({ group }, { [NTP]: 'approved.example.com' });
  const rollout = await send({ group }, version);
  expect(await present({ group })).toMatchObject({ id: rollout.id, outdated: 0 });
  await save({ device: off.device }, { [NTP]: 'draft.example.com' });
  // The exception of a device counts, unless what is sent is approved.
  expect(await present({ group })).toMatchObject({ id: rollout.id, outdated: 0 });
  await fixture.server.owner.query(
    `insert into approval_policies (company_id, main_account_id, organization_id, rollouts_above, factory_reset, settings, deletion,
       changed_by_email, updated_at) values ($1, $2, $1, 100, false, false, false, 'x@y.invalid', now())`,
    [org(), fixture.scope.mainAccountId],
  );
  expect(await present({ group })).toMatchObject({ id: rollout.id, outdated: 1 });
  const agents = [await strict(other), await strict(off)] as const;
  await becomes(rollout, other, { state: 'successful' });
  await becomes(rollout, off, { state: 'waiting', reason: 'settings-changed' });
  const { rows } = await fixture.server.owner.query('select phase from rollout_targets where device_id = $1', [off.device]);
  expect(rows).toEqual([{ phase: 'idle' }]);
  expect(agents[0].value('Device.Time.NTPServer1')).toBe('approved.example.com');
  expect(agents[1].value('Device.Time.NTPServer1')).not.toBe('draft.example.com');
  expect(await waiting(2)).toEqual([['firing', rollout.id]]);
  const next = await send({ group }, version);
  await becomes(next, off, { state: 'successful' });
  expect(agents[1].value('Device.Time.NTPServer1')).toBe('draft.example.com');
  expect(await waiting(2)).toEqual([['resolved', rollout.id]]);
  await fixture.server.owner.query('delete from approval_policies where company_id = $1', [org()]);
  await fixture.server.owner.query("delete from alerts where kind = 'settings-waiting'");
  await fixture.server.owner.query("delete from mails where subject like 'Routers wait for settings%'");
});

test('TPL-03 settings of the organization go to all of its routers as one rollout, with what a group sets otherwise', async () => {
  const groups = [await fixture.group(), await fixture.group()] as const;
  const [one] = (await fixture.members(groups[0], 1)) as [GroupMember];
  // The last one is off all the time.
  const [two, off] = (await fixture.members(groups[1], 2)) as [GroupMember, GroupMember];
  const agents = [await strict(one), await strict(two)];
  const { version } = await save({}, { [NTP]: 'all.example.com' });
  await save({ group: groups[1] }, { [NTP]: 'own.example.com' });
  const rollout = await send({}, version);
  expect(await present({ group: groups[0] })).toBeUndefined();
  for (const each of [one, two]) await becomes(rollout, each, { state: 'successful' });
  expect(agents.map((agent) => agent.value('Device.Time.NTPServer1'))).toEqual(['all.example.com', 'own.example.com']);
  expect(await present({})).toMatchObject({ id: rollout.id, outdated: 0 });
  // What a group saves meanwhile is sent to no one unreviewed: its routers wait, which is said, and admins get one alert.
  await save({ group: groups[1] }, { [NTP]: 'draft.example.com' });
  expect(await present({})).toMatchObject({ id: rollout.id, outdated: 1 });
  await becomes(rollout, off, { state: 'waiting', reason: 'settings-changed' });
  expect(await waiting(0)).toEqual([]);
  expect(await waiting(2)).toEqual([['firing', rollout.id]]);
  expect(await waiting(3)).toEqual([['firing', rollout.id]]);
  const mails = await fixture.server.owner.query("select 1 from mails where subject like 'Routers wait for settings%'");
  expect(mails.rowCount).toBe(1);
  // The next one ends it.
  const next = await send({}, version);
  expect(await present({})).toMatchObject({ id: next.id, outdated: 0 });
  expect(await waiting(4)).toEqual([['resolved', rollout.id]]);
});

const FLEET = 50;

test('TPL-03 TPL-04 an APN that is wrong on the carrier of 50 routers strands none: each returns by itself, the rollout pauses, and says why', async () => {
  const group = await fixture.group();
  const routers = await fixture.members(group, FLEET + 1);
  // The vehicle with another carrier.
  const other = routers.at(-1)!;
  const agents = routers.map((router) =>
    startOwnAgent(fixture.address(), router, {}, router === other ? {} : { callHomeMs: 2_000 }),
  );
  running.push(...agents);
  await areOnline(routers);
  await save({ device: other.device }, { [APN]: 'fleet' });
  const { version } = await save({ group }, { [APN]: 'noconnection' });
  const rollout = await send({ group }, version);
  await expect
    .poll(async () => (await present({ group }))?.states['rolled-back'], { timeout: 400_000, interval: 1_000 })
    .toBe(FLEET);
  expect(await present({ group })).toMatchObject({ state: 'paused', pausedReason: 'threshold' });
  const each = await resultsOf(rollout);
  expect(each.get(other.device)).toMatchObject({ state: 'successful', attempt: 1 });
  each.delete(other.device);
  const results = new Set(Array.from(each.values(), (result) => JSON.stringify(result)));
  const detail = `${APN}: the router did not connect with this value and returned to its former one`;
  expect(results).toEqual(new Set([JSON.stringify({ state: 'rolled-back', reason: 'settings-returned', detail, attempt: 1 })]));
  await areOnline(routers);
});

const ACCESS_POINT = {
  path: 'Device.Cellular.AccessPoint.1.',
  values: { AccessPointNumberOfEntries: '1', 'AccessPoint.1.Alias': 'internet', 'AccessPoint.1.APN': 'internet' },
};
const NETWORK = {
  path: 'Device.WiFi.SSID.1.',
  values: { SSIDNumberOfEntries: '1', 'SSID.1.Alias': 'passengers', 'SSID.1.SSID': 'Old' },
};

/** A router that loses its connection with each Set of an object, before it can answer, and keeps its values. */
async function cutOffBy({ path, values }: typeof ACCESS_POINT | typeof NETWORK, group: string) {
  const table = path.split('.', 2).join('.');
  const received: string[] = [];
  const [made] = await fixture.routers(group, 1, {
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`${table}.${name}`, value])),
    ignoresWrite(object) {
      if (object !== path) return false;
      received.push(object);
      made!.cut();
      return true;
    },
  });
  await made!.connect();
  const returns = async (times: number) => {
    await expect.poll(() => received.length).toBe(times);
    await made!.closed();
    await made!.connect();
  };
  return { router: made!, received, returns };
}

test('TPL-03 TPL-04 routers that are cut off before they can answer get a wrong APN once: they return, and the rollout pauses', async () => {
  const group = await fixture.group();
  const all = [];
  for (let n = 0; n < 5; n++) all.push(await cutOffBy(ACCESS_POINT, group));
  await areOnline(all.map(({ router }) => router));
  const { version } = await save({ group }, { [APN]: 'noconnection' });
  const rollout = await send({ group }, version);
  await Promise.all(all.map(({ returns }) => returns(1)));
  for (const { router } of all) await becomes(rollout, router, { state: 'rolled-back', reason: 'settings-returned', attempt: 1 });
  await expect.poll(() => present({ group })).toMatchObject({ state: 'paused', pausedReason: 'threshold' });
  expect(all.flatMap(({ received }) => received)).toHaveLength(all.length);
});

test('TPL-03-partial a router that leaves with each request of settings that cannot cut it off gets them up to a limit', async () => {
  const group = await fixture.group();
  const { router, received, returns } = await cutOffBy(NETWORK, group);
  await areOnline([router]);
  const { version } = await save({ group }, { [SSID]: 'Bus' });
  const rollout = await send({ group }, version);
  for (let times = 1; times <= 6; times++) await returns(times);
  await becomes(rollout, router, { state: 'failed', reason: 'no-answer', attempt: 1 });
  expect(received).toHaveLength(6);
});
