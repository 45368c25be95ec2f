import type { bulkJobs, routerSettings, sentCommands } from '@highline/contract';
import type { Traits } from '@highline/testkit/agent';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startOwnAgent, startStrictAgent, type AgentUnderTest, type RunningStrictAgent } from '../../testing/agents.ts';
import { openRolloutFixture, type GroupMember, type RolloutFixture } from '../../testing/rollouts.ts';

const SETTINGS = '/data_manager/v1/dm/settings';
const DEVICE = '/data_manager/v1/dm/device/settings';
const SSID = 'WiFi.SSID[name=passengers].SSID';
const NTP = 'Time.NTPServer1';
const CHANNEL = 'WiFi.Radio[band=5GHz].Channel';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
const APN = 'Cellular.AccessPoint[name=internet].APN';

let fixture: RolloutFixture;
const running: AgentUnderTest[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture({ sentCommands: { responseMs: 2_000, repeatMs: 500 } });
});
afterAll(() => fixture.close());
afterEach(async () => {
  for (const agent of running.splice(0)) await agent.stop();
});

const org = () => fixture.scope.organizationId;
type Values = Readonly<Record<string, string | null>>;
interface At {
  readonly group?: string;
  readonly device?: string;
}
const listOf = (values: Values) => Object.entries(values).map(([path, value]) => ({ path, value }));
const save = (at: At, values: Values) =>
  fixture.call<routerSettings.LevelSettings>('PUT', SETTINGS, { org: org(), ...at, values: listOf(values) });
const preview = (at: At, values: Values) =>
  fixture.call<routerSettings.SettingsPreview>('POST', `${SETTINGS}/preview`, { org: org(), ...at, values: listOf(values) });
const level = (query: string) => fixture.call<routerSettings.LevelSettings>('GET', `${SETTINGS}?${query}`);
const ofDevice = ({ device }: GroupMember) => fixture.call<routerSettings.DeviceSettings>('GET', `${DEVICE}?device=${device}`);
const list = (query: string) => fixture.call<routerSettings.SettingsRow[]>('GET', `${SETTINGS}/devices?limit=50&${query}`);
const apply = ({ device }: GroupMember, wait?: number) =>
  fixture.call<sentCommands.SentCommand>('POST', '/data_manager/v1/dm/device/commands', {
    org: org(),
    device,
    kind: 'apply-settings',
    ...(wait === undefined ? {} : { wait }),
  });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => String(error),
  );

async function ended(router: GroupMember): Promise<routerSettings.DeviceSettings> {
  await expect.poll(async () => (await ofDevice(router)).command?.ended ?? null, { timeout: 20_000 }).not.toBeNull();
  return ofDevice(router);
}
/** Look again: within ten seconds a router is read once. */
async function look(router: GroupMember): Promise<routerSettings.DeviceSettings> {
  await fixture.server.owner.query(
    "update router_settings_states set checked_at = checked_at - interval '1 minute' where device_id = $1",
    [router.device],
  );
  return ofDevice(router);
}
async function isOnline({ device }: GroupMember): Promise<void> {
  await expect
    .poll(
      async () => (await fixture.server.owner.query('select presence from devices where id = $1', [device])).rows[0]?.presence,
    )
    .toBe('online');
}
async function strict(router: GroupMember, traits: Partial<Traits> = {}): Promise<RunningStrictAgent> {
  const started = startStrictAgent(fixture.address(), router, traits);
  running.push(started);
  await isOnline(router);
  return started;
}
const statesOf = ({ values }: routerSettings.DeviceSettings) =>
  Object.fromEntries(values.map(({ path, state }) => [path, state]));

describe('TPL-02-partial settings by level', () => {
  test('each value says where it comes from; a level is saved against its version and takes only values of the schema', async () => {
    const group = await fixture.group();
    const [router] = await fixture.members(group, 1);
    expect(await save({}, { [NTP]: 'time.example.com', [SSID]: 'Fleet' })).toMatchObject({ level: 'organization', version: 1 });
    await save({ group }, { [SSID]: 'Bus {{serial}}' });
    const device = await save({ device: router!.device }, { [CHANNEL]: '48' });
    expect(device.inherited).toEqual([
      { path: SSID, value: 'Bus {{serial}}', from: 'group' },
      { path: NTP, value: 'time.example.com', from: 'organization' },
    ]);
    const shown = await ofDevice(router!);
    expect(shown.state).toBe('not-sent');
    expect(shown.values.map(({ path, from, resolved }) => [path, from, resolved])).toEqual([
      [SSID, 'group', `Bus ${router!.serial}`],
      [CHANNEL, 'device', '48'],
      [NTP, 'organization', 'time.example.com'],
    ]);
    expect(shown.values[0]?.overrides).toEqual([{ path: SSID, value: 'Fleet', from: 'organization' }]);
    expect((await level(`group=${group}`)).exceptions).toBe(1);
    expect(await errorOf(save({ group }, { [SSID]: '🚌'.repeat(9) }))).toContain('settings.invalid_value');
    expect(await errorOf(save({ group }, { [SSID]: null }))).toContain('settings.invalid_value');
    expect(await errorOf(save({ group }, { ['WiFi.SSID.1.SSID']: 'x' }))).toContain('request.invalid');
    expect(await errorOf(save({ group, device: router!.device }, {}))).toContain('settings.one_level');
    expect(await errorOf(save({ group: 'nothing' }, {}))).toContain('group.not_found');
    expect(await errorOf(save({ device: 'nothing' }, {}))).toContain('not_found');
    // The same once more is no new version.
    expect((await save({ group }, { [SSID]: 'Bus {{serial}}' })).version).toBe(1);
    await save({}, {});
  });

  test('TPL-03-partial the difference names values, vehicles and variables before anything is sent', async () => {
    const group = await fixture.group();
    const routers = await fixture.members(group, 3);
    await save({ group }, { [SSID]: 'Old', [APN]: 'internet' });
    await save({ device: routers[0]!.device }, { [SSID]: 'Own' });
    await fixture.server.owner.query("update devices set vehicle_number = '2104' where id = $1", [routers[1]!.device]);
    const found = await preview({ group }, { [SSID]: 'Bus {{vehicle}}', [APN]: 'fleet' });
    expect(found).toMatchObject({ devices: 3, changing: 3 });
    expect(found.changes).toEqual([
      { path: APN, before: 'internet', after: 'fleet', isSecret: false, devices: 3, canCut: true },
      { path: SSID, before: 'Old', after: 'Bus 2104', isSecret: false, devices: 1, canCut: false },
    ]);
    expect(found.problems).toEqual([
      { path: SSID, kind: 'variable', text: 'vehicle', devices: 1, serials: [routers[2]!.serial] },
    ]);
  });
});

describe('TPL-02-partial settings reach routers', () => {
  test('a group is set on both agents, with one exception; a router that is off gets it when it connects', async () => {
    const group = await fixture.group();
    const [own, other, off] = (await fixture.members(group, 3)) as [GroupMember, GroupMember, GroupMember];
    const ours = startOwnAgent(fixture.address(), own);
    running.push(ours);
    await isOnline(own);
    const { agent } = await strict(other);
    await save({ group }, { [SSID]: 'Bus WLAN', [NTP]: 'time.example.com', [PASSPHRASE]: `it's "quoted" \\` });
    await save({ device: other.device }, { [SSID]: 'Exception' });
    const job = await fixture.call<bulkJobs.BulkJob>('POST', '/data_manager/v1/dm/jobs', {
      org: org(),
      action: { kind: 'send', send: 'apply-settings', wait: 24 },
      selection: { filter: { group } },
    });
    expect(job.kind).toBe('send');
    for (const router of [own, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const shown = await ended(router);
      expect(shown.command).toMatchObject({ state: 'done', message: '' });
      expect(statesOf(shown)).toEqual({ [SSID]: 'as-set', [PASSPHRASE]: 'hidden', [NTP]: 'as-set' });
      expect(shown.state).toBe('as-set');
    }
    expect(agent.value('Device.WiFi.SSID.1.SSID')).toBe('Exception');
    expect(agent.value('Device.WiFi.SSID.1.Alias')).toBe('passengers');
    expect(agent.value('Device.WiFi.AccessPoint.1.Security.KeyPassphrase')).toBe(`it's "quoted" \\`);
    expect((await ofDevice(off)).command?.state).toBe('waiting');
    expect((await list(`group=${group}&state=not-sent`)).map(({ serial_number: serial }) => serial)).toEqual([off.serial]);
    const late = await strict(off);
    await ended(off);
    expect(late.agent.value('Device.WiFi.SSID.1.SSID')).toBe('Bus WLAN');
    // Secrets are nowhere but sealed.
    const { rows } = await fixture.server.owner.query<{ text: string }>(
      `select e::text as text from audit_entries e union all select c::text from sent_commands c union all select o::text from outbox o
        union all select s::text from router_settings s union all select t::text from router_settings_states t`,
    );
    expect(rows.filter(({ text }) => text.includes('quoted'))).toEqual([]);
    expect((await level(`group=${group}`)).values.find(({ path }) => path === PASSPHRASE)?.value).toBeNull();
    // What is kept is not sent again, and nothing is left to do.
    expect((await save({ group }, { [SSID]: 'Bus WLAN', [NTP]: 'time.example.com', [PASSPHRASE]: null })).version).toBe(1);
    ours.cutPower();
    await expect
      .poll(async () => statesOf(await look(own)), { timeout: 20_000 })
      .toEqual({
        [SSID]: 'as-set',
        [PASSPHRASE]: 'hidden',
        [NTP]: 'as-set',
      });
  }, 60_000);

  test('a router that takes one object at a time is set step by step, and one that only says so differs', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router, { mostSetObjects: 1, ignoredParameters: ['Device.Time.NTPServer1'] });
    await save({ group }, { [SSID]: 'Bus', [CHANNEL]: '48', [NTP]: 'time.example.com', [APN]: 'fleet' });
    await apply(router);
    const shown = await ended(router);
    expect(statesOf(shown)).toEqual({ [SSID]: 'as-set', [CHANNEL]: 'as-set', [NTP]: 'differs', [APN]: 'missing' });
    expect(shown).toMatchObject({ state: 'differs', command: { state: 'failed', reason: 'rejected' } });
    expect(shown.command?.message).toContain(NTP);
    expect(agent.value('Device.WiFi.Radio.1.Channel')).toBe('48');
  }, 60_000);

  test('a network is the same after its number changed over a restart', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const started = await strict(router, { renumbersNetworks: true });
    await save({ group }, { [SSID]: 'First' });
    await apply(router);
    await ended(router);
    started.reboot();
    await expect.poll(() => started.agent.value('Device.WiFi.SSID.2.SSID')).toBe('First');
    await isOnline(router);
    await save({ group }, { [SSID]: 'Second' });
    await apply(router, 1);
    await expect.poll(() => started.agent.value('Device.WiFi.SSID.2.SSID'), { timeout: 20_000 }).toBe('Second');
  }, 60_000);
});

describe('TPL-02-partial secrets', () => {
  test('one that cannot be opened fails its command with that reason, and is entered again', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router);
    await save({ group }, { [PASSPHRASE]: 'the first one' });
    await fixture.server.owner.query(
      'update router_settings set sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) where group_key = $1',
      [group],
    );
    await apply(router);
    expect((await ended(router)).command).toMatchObject({ state: 'failed', message: expect.stringContaining('Enter it again') });
    expect(await errorOf(save({ group }, { [PASSPHRASE]: null, [NTP]: 'time.example.com' }))).toContain('secret.unreadable');
    await save({ group }, { [PASSPHRASE]: 'the second one' });
    await apply(router);
    await expect.poll(() => agent.value('Device.WiFi.AccessPoint.1.Security.KeyPassphrase')).toBe('the second one');
  });
});

describe('TPL-05-partial drift', () => {
  test('a value changed at the router is shown with its time, and adopted or restored', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router);
    await save({ group }, { [SSID]: 'Bus', [CHANNEL]: '48' });
    await apply(router);
    await ended(router);
    agent.change('Device.WiFi.SSID.1.SSID', 'Mine');
    const drifted = await look(router);
    expect(drifted.state).toBe('differs');
    const value = drifted.values.find(({ path }) => path === SSID);
    expect(value).toMatchObject({ state: 'differs', actual: 'Mine', resolved: 'Bus' });
    expect(value?.since).not.toBeNull();
    expect(await list(`group=${group}&state=differs`)).toMatchObject([{ differs: 1, since: value?.since }]);
    // Restored.
    await apply(router);
    await expect.poll(() => agent.value('Device.WiFi.SSID.1.SSID')).toBe('Bus');
    await expect.poll(async () => (await look(router)).state).toBe('as-set');
    // Adopted: from then on it is an exception.
    agent.change('Device.WiFi.SSID.1.SSID', 'Mine');
    await expect.poll(async () => (await look(router)).state).toBe('differs');
    const adopted = await fixture.call<routerSettings.DeviceSettings>('POST', `${DEVICE}/adopt`, {
      org: org(),
      device: router.device,
    });
    expect(adopted.values.find(({ path }) => path === SSID)).toMatchObject({ from: 'device', value: 'Mine' });
    await expect.poll(async () => (await look(router)).state).toBe('as-set');
    expect(await errorOf(fixture.call('POST', `${DEVICE}/adopt`, { org: org(), device: router.device }))).toContain(
      'settings.nothing_differs',
    );
    // Nothing is set any more: nothing is compared.
    await save({ device: router.device }, {});
    await save({ group }, {});
    expect((await look(router)).state).toBe('none');
  }, 60_000);
});
