import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { bulkJobs, routerSettings, sentCommands } from '@highline/contract';
import type { Traits } from '@highline/testkit/agent';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startOwnAgent, startStrictAgent, type AgentUnderTest, type RunningStrictAgent } from '../../testing/agents.ts';
import { formOf, send } from '../../testing/call.ts';
import { workbookOf } from '../../platform/xlsx/list-workbook.ts';
import { openRolloutFixture, type GroupMember, type GroupRouter, type RolloutFixture } from '../../testing/rollouts.ts';

const SETTINGS = '/data_manager/v1/dm/settings';
const DEVICE = '/data_manager/v1/dm/device/settings';
const SSID = 'WiFi.SSID[name=passengers].SSID';
const NTP = 'Time.NTPServer1';
const CHANNEL = 'WiFi.Radio[band=5GHz].Channel';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
const APN = 'Cellular.AccessPoint[name=internet].APN';

/** Statements that wait for the transaction of this connection. */
const WAITING =
  'select count(*)::int as n from pg_locks w where not w.granted and pg_backend_pid() = any(pg_blocking_pids(w.pid))';

let fixture: RolloutFixture;
const running: AgentUnderTest[] = [];

beforeAll(async () => {
  fixture = await openRolloutFixture();
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
const ofDevice = ({ device }: Pick<GroupMember, 'device'>) =>
  fixture.call<routerSettings.DeviceSettings>('GET', `${DEVICE}?device=${device}`);
const list = (query: string) => fixture.call<routerSettings.SettingsRow[]>('GET', `${SETTINGS}/devices?limit=50&${query}`);
const apply = ({ device }: Pick<GroupMember, 'device'>, wait?: number) =>
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

async function ended(router: Pick<GroupMember, 'device'>): Promise<routerSettings.DeviceSettings> {
  await expect.poll(async () => (await ofDevice(router)).command?.ended ?? null).not.toBeNull();
  return ofDevice(router);
}
/** Look again: within ten seconds a router is read once. */
async function look(router: Pick<GroupMember, 'device'>): Promise<routerSettings.DeviceSettings> {
  await fixture.server.owner.query(
    "update router_settings_states set checked_at = checked_at - interval '1 minute' where device_id = $1",
    [router.device],
  );
  return ofDevice(router);
}
async function isOnline({ device }: Pick<GroupMember, 'device'>): Promise<void> {
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
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
/** Status of the page at a port of this machine. */
const pageAt = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => String(status),
    () => 'closed',
  );
const notAsSet = ({ values }: routerSettings.DeviceSettings) =>
  values.filter(({ state }) => state !== 'as-set' && state !== 'hidden').map(({ path, state }) => `${path} ${state}`);
const statesOf = ({ values }: routerSettings.DeviceSettings) =>
  Object.fromEntries(values.map(({ path, state }) => [path, state]));

describe('TPL-02 settings by level', () => {
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
    expect(await errorOf(save({ group }, { ['WiFi.SSID.1.SSID']: 'x' }))).toContain('settings.unknown_path');
    expect(await errorOf(save({ group, device: router!.device }, {}))).toContain('settings.one_level');
    expect(await errorOf(save({ group: 'nothing' }, {}))).toContain('group.not_found');
    expect(await errorOf(save({ device: 'nothing' }, {}))).toContain('not_found');
    // The same once more is no new version.
    expect((await save({ group }, { [SSID]: 'Bus {{serial}}' })).version).toBe(1);
    await save({}, {});
  });

  test('TPL-03 the difference names values, vehicles and variables before anything is sent', async () => {
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

describe('TPL-03 versions', () => {
  test('a level returns to any version, with the secrets that it had then', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router);
    await save({ group }, { [SSID]: 'First', [PASSPHRASE]: 'the first one' });
    await save({ group }, { [SSID]: 'Second', [PASSPHRASE]: 'the second one' });
    await save({ group }, { [SSID]: 'Third' });
    const versions = (query: string) => fixture.call<routerSettings.SettingsVersion[]>('GET', `${SETTINGS}/versions?${query}`);
    const all = await versions(`group=${group}`);
    expect(all.map(({ version, values }) => [version, values[0]?.value])).toEqual([
      [3, 'Third'],
      [2, 'Second'],
      [1, 'First'],
    ]);
    expect(JSON.stringify(all)).not.toContain('the first one');
    expect((await versions(`group=${group}&before=2`)).map(({ version }) => version)).toEqual([1]);
    expect(await errorOf(versions('group=nothing'))).toContain('group.not_found');
    const back = { org: org(), group, values: all[2]!.values };
    expect(await errorOf(fixture.call('PUT', SETTINGS, back))).toContain('settings.invalid_value');
    expect(await errorOf(fixture.call('PUT', SETTINGS, { ...back, secretsOf: 9 }))).toContain('settings.no_version');
    const found = await fixture.call<routerSettings.SettingsPreview>('POST', `${SETTINGS}/preview`, { ...back, secretsOf: 1 });
    expect(found.changes).toMatchObject([
      { path: SSID, before: 'Third', after: 'First' },
      { path: PASSPHRASE, isSecret: true },
    ]);
    expect(await fixture.call('PUT', SETTINGS, { ...back, secretsOf: 1 })).toMatchObject({ version: 4 });
    await apply(router);
    await expect.poll(() => agent.value('Device.WiFi.AccessPoint.1.Security.KeyPassphrase')).toBe('the first one');
    expect(agent.value('Device.WiFi.SSID.1.SSID')).toBe('First');
  });
});

describe('TPL-02 settings reach routers', () => {
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
      .poll(async () => statesOf(await look(own)))
      .toEqual({
        [SSID]: 'as-set',
        [PASSPHRASE]: 'hidden',
        [NTP]: 'as-set',
      });
  });

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
  });

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
    await expect.poll(() => started.agent.value('Device.WiFi.SSID.2.SSID')).toBe('Second');
  });
});

const mapping = (name: string, externalPort: number, more: Values = {}): Values => ({
  [`NAT.PortMapping[name=${name}].ExternalPort`]: String(externalPort),
  [`NAT.PortMapping[name=${name}].Protocol`]: 'TCP',
  [`NAT.PortMapping[name=${name}].InternalClient`]: '192.168.1.10',
  [`NAT.PortMapping[name=${name}].InternalPort`]: '80',
  [`NAT.PortMapping[name=${name}].Enable`]: 'true',
  ...more,
});
const aliasesOf = (agent: RunningStrictAgent['agent']) =>
  [1, 2, 3, 4, 5, 6].flatMap((number) => agent.value(`Device.NAT.PortMapping.${number}.Alias`) ?? []);

describe('TPL-01 every part of the form reaches routers', () => {
  test('our agent has each of them, a forwarded port leads to a device of the vehicle, and an entry goes when nothing sets it', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    running.push(startOwnAgent(fixture.address(), router, { wan: 'satellite', forwardsOn: '127.0.0.1' }));
    await isOnline(router);
    const port = await freePort();
    const values: Values = {
      'IP.Interface[pool=lan].IPv4Address[at=1].SubnetMask': '255.255.0.0',
      'DHCPv4.Server.Pool[name=lan].MinAddress': '192.168.1.50',
      'DNS.Client.Server[name=backup].DNSServer': '192.0.2.53',
      ...mapping('printer', port),
      'Firewall.Chain[at=1].Rule[name=quiet].Order': '1',
      'Firewall.Chain[at=1].Rule[name=quiet].Target': 'Drop',
      'Firewall.Chain[at=1].Rule[name=quiet].DestIP': '198.51.100.7',
      'Firewall.Chain[at=1].Rule[name=quiet].Enable': 'true',
      'Routing.Router[at=1].IPv4Forwarding[name=depot].DestIPAddress': '10.9.0.0',
      'Routing.Router[at=1].IPv4Forwarding[name=depot].DestSubnetMask': '255.255.0.0',
      'Routing.Router[at=1].IPv4Forwarding[name=depot].GatewayIPAddress': '192.168.1.2',
      'Routing.Router[at=1].IPv4Forwarding[name=depot].Enable': 'true',
      'Routing.Router[at=1].IPv4Forwarding[uplink=mobile].ForwardingMetric': '5',
      'Routing.Router[at=1].IPv4Forwarding[uplink=ethernet].ForwardingMetric': '8',
      'Cellular.RoamingEnabled': 'true',
      'Cellular.Interface[at=1].PreferredAccessTechnology': 'LTE',
      'Users.User[user=admin].Password': 'a long password',
      'SSH.Server[at=1].IdleTimeout': '60',
      [NTP]: 'time.example.com',
      [SSID]: 'Bus',
      [APN]: 'fleet',
    };
    await save({ group }, values);
    await apply(router, 1);
    expect((await ended(router)).command).toMatchObject({ state: 'done', message: '' });
    await expect.poll(async () => notAsSet(await look(router))).toEqual([]);
    const { values: shown } = await ofDevice(router);
    expect(shown.map(({ path }) => path).toSorted()).toEqual(Object.keys(values).toSorted());
    await expect.poll(() => pageAt(port)).toContain('200');
    // Nothing sets it any more.
    await save({ group }, { [SSID]: 'Bus' });
    await apply(router, 1);
    await expect.poll(async () => (await look(router)).state).toBe('as-set');
    await expect.poll(() => pageAt(port)).toBe('closed');
  });

  test('entries are found by their names over a restart, and what a router rejects changes nothing of it', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const started = await strict(router, { renumbersNetworks: true });
    const { agent } = started;
    await save({ group }, { ...mapping('camera', 8443), ...mapping('printer', 8080), [SSID]: 'Bus' });
    await apply(router);
    expect((await ended(router)).command).toMatchObject({ state: 'done' });
    expect(aliasesOf(agent).toSorted()).toEqual(['camera', 'printer']);
    started.reboot();
    await expect.poll(() => agent.value('Device.NAT.PortMapping.1.Alias')).toBeUndefined();
    await isOnline(router);
    await save({ group }, { ...mapping('camera', 8444), [SSID]: 'Bus' });
    await apply(router, 1);
    await expect.poll(() => aliasesOf(agent)).toEqual(['camera']);
    await expect.poll(async () => (await look(router)).state).toBe('as-set');
    // This router takes no routes from us: what was accepted before is set back.
    await save(
      { group },
      {
        ...mapping('camera', 9000),
        ...mapping('second', 9001),
        [SSID]: 'Never',
        [CHANNEL]: '36',
        'Routing.Router[at=1].IPv4Forwarding[name=depot].DestIPAddress': '10.9.0.0',
        'Routing.Router[at=1].IPv4Forwarding[name=depot].DestSubnetMask': '255.255.0.0',
        'Routing.Router[at=1].IPv4Forwarding[name=depot].GatewayIPAddress': '192.168.1.2',
        'Routing.Router[at=1].IPv4Forwarding[name=depot].Enable': 'true',
      },
    );
    await apply(router, 1);
    await expect.poll(async () => (await look(router)).command?.state).toBe('failed');
    const shown = await look(router);
    expect(shown.command?.message).toContain('IPv4Forwarding');
    expect(statesOf(shown)['Routing.Router[at=1].IPv4Forwarding[name=depot].Enable']).toBe('differs');
    expect(aliasesOf(agent)).toEqual(['camera']);
    expect(shown.values.find(({ path }) => path === SSID)?.actual).toBe('Bus');
  });

  test('a schema file adds parameters of other models, and other ranges for one family', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router);
    const path = 'LocalAgent.Controller[at=2].PeriodicNotifInterval';
    const schema = {
      name: 'Strict SX',
      models: ['HL-R3*'],
      settings: [
        { path, label: { en: 'Report interval', zh: '回報間隔' }, type: 'number', least: 60, most: 3_600, can_cut: true },
        { path: NTP, label: { en: 'Time server' }, type: 'choice', options: ['a.example.com', 'b.example.com'] },
      ],
    };
    expect(await errorOf(save({ group }, { [path]: '120' }))).toContain('settings.unknown_path');
    const put = (body: unknown) => fixture.call<unknown[]>('PUT', `${SETTINGS}/schemas`, { org: org(), schema: body });
    expect(await put(schema)).toEqual([schema]);
    expect(await errorOf(save({ group }, { [path]: '5' }))).toContain('settings.invalid_value');
    await save({ group }, { [path]: '120', [NTP]: 'c.example.com' });
    await apply(router);
    const shown = await ended(router);
    expect(statesOf(shown)).toEqual({ [path]: 'as-set', [NTP]: 'invalid' });
    expect(agent.value('Device.LocalAgent.Controller.2.PeriodicNotifInterval')).toBe('120');
    // What is no schema is not stored.
    for (const wrong of [
      { ...schema, settings: [{ ...schema.settings[0], path: 'Device..x' }] },
      { ...schema, settings: [{ ...schema.settings[0], path: 'NAT.PortMapping[name=*].ExternalPort' }] },
      { ...schema, settings: [{ ...schema.settings[0], least: 9, most: 1 }] },
      { ...schema, settings: [{ path: 'X_ACME_Gps.Note', label: { en: 'x' }, type: 'text', least: 201 }] },
      { ...schema, settings: [] },
    ])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await errorOf(put(wrong))).toContain('request.invalid');
    const remove = (name: string) => fixture.call<unknown[]>('POST', `${SETTINGS}/schemas/delete`, { org: org(), name });
    expect(await errorOf(remove('Other'))).toContain('settings.no_schema');
    const others = Array.from({ length: 9 }, (_, index) => `Other ${index}`);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const name of others) await put({ ...schema, name, models: ['X1*'] });
    expect(await errorOf(put({ ...schema, name: 'Eleventh' }))).toContain('settings.too_many_schemas');
    expect(await put({ ...schema, name: 'STRICT sx' })).toHaveLength(10);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    for (const name of others) await remove(name);
    expect(await remove('STRICT sx')).toEqual([]);
    expect(statesOf(await ofDevice(router))).toEqual({ [NTP]: 'not-sent' });
  });

  test('what a schema file had stays stored without it, and a secret stays one when a file says otherwise', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const [plain, key, note] = ['X_ACME_Gps.Mode', 'X_ACME_Gps.Key', 'X_ACME_Gps.Note'];
    const setting = (path: string, more: Readonly<Record<string, unknown>> = {}) => ({
      path,
      label: { en: path },
      type: 'text',
      ...more,
    });
    const put = (...settings: readonly unknown[]) =>
      fixture.call('PUT', `${SETTINGS}/schemas`, { org: org(), schema: { name: 'Acme', models: ['A10*'], settings } });
    await put(setting(plain), setting(key, { secret: true }), setting(note));
    await save({ group }, { [plain]: 'fine', [key]: 'the key', [note]: 'was plain' });
    await save({ device: router.device }, { [key]: 'own key', [plain]: 'own' });
    expect((await level(`device=${router.device}`)).inherited).toEqual([
      { path: plain, value: 'fine', from: 'group' },
      { path: key, value: null, from: 'group' },
      { path: note, value: 'was plain', from: 'group' },
    ]);
    // The key is no secret for the file any more, and the note is one.
    await put(setting(plain), setting(key), setting(note, { secret: true }));
    const shown = Object.fromEntries((await level(`group=${group}`)).values.map(({ path, value }) => [path, value]));
    expect(shown).toEqual({ [plain]: 'fine', [key]: null, [note]: null });
    const saved = await save({ group }, { ...shown, [NTP]: 'time.example.com' });
    expect(Object.fromEntries(saved.values.map(({ path, value }) => [path, value]))).toEqual({
      ...shown,
      [NTP]: 'time.example.com',
    });
    const stored = await fixture.server.owner.query<{ content: string }>(
      'select content::text as content from router_settings where group_key = $1 and replaced_at is null',
      [group],
    );
    expect(stored.rows[0]?.content).not.toContain('was plain');
    // Without the file, everything stays: over a save of the form, and over a file of values.
    await fixture.call('POST', `${SETTINGS}/schemas/delete`, { org: org(), name: 'Acme' });
    await save({ group }, { ...shown, [NTP]: 'other.example.com' });
    expect(await errorOf(save({ group }, { ...shown, [plain]: 'changed' }))).toContain('settings.unknown_path');
    await fixture.call('POST', `${DEVICE}/import`, { org: org(), csv: `SN,${NTP},${SSID}\n${router.serial},,Bus\n` });
    expect(Object.fromEntries((await level(`device=${router.device}`)).values.map(({ path, value }) => [path, value]))).toEqual({
      [key]: null,
      [plain]: 'own',
      [SSID]: 'Bus',
    });
    // A version that had it comes back with what is stored.
    await save({ group }, { [NTP]: 'without.example.com' });
    const versions = await fixture.call<routerSettings.SettingsVersion[]>('GET', `${SETTINGS}/versions?group=${group}`);
    const former = versions.find(({ values: own }) => own.length === 4)!;
    await fixture.call('PUT', SETTINGS, { org: org(), group, values: former.values, secretsOf: former.version });
    await put(setting(plain), setting(key, { secret: true }), setting(note, { secret: true }));
    const { values } = await level(`group=${group}`);
    expect(values.map(({ path }) => path).toSorted()).toEqual([plain, key, note, NTP].toSorted());
    await fixture.call('POST', `${SETTINGS}/schemas/delete`, { org: org(), name: 'Acme' });
  });

  test('a schema file cannot make a password readable, nor hide what can cut a router off', async () => {
    const put = (setting: Readonly<Record<string, unknown>>) =>
      errorOf(
        fixture.call('PUT', `${SETTINGS}/schemas`, {
          org: org(),
          schema: { name: 'Open', models: ['A10*'], settings: [{ label: { en: 'x' }, type: 'text', ...setting }] },
        }),
      );
    for (const wrong of [
      { path: 'X_ACME_Vpn.Password' },
      { path: 'X_ACME_Vpn.Password', secret: false },
      { path: 'X_ACME_Vpn.Password', type: 'number' },
      { path: 'X_ACME_Wifi.AP[at=1].KeyPassphrase' },
      { path: 'X_ACME_Vpn.ClientSecretText' },
      { path: 'IPsec.Profile[at=1].PreSharedKey' },
      { path: 'Users.User[at=1].Password', secret: true },
      { path: 'LocalAgent.Controller[at=1].Enable', type: 'flag' },
      { path: 'LocalAgent.Controller[at=1].EndpointID', can_cut: false },
      { path: 'Firewall.Enable', type: 'flag' },
    ])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect([wrong, await put(wrong)]).toEqual([wrong, expect.stringContaining('request.invalid')]);
    for (const right of [
      { path: 'X_ACME_Vpn.AllowPassword', type: 'flag' },
      { path: 'X_ACME_Vpn.PasswordLength', type: 'number' },
      { path: 'Users.User[at=1].Password', secret: true, can_cut: true },
    ])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await put(right)).toBe('accepted');
    await fixture.call('POST', `${SETTINGS}/schemas/delete`, { org: org(), name: 'Open' });
  });

  test('two entries with the same port are named before anything is sent, and the rest is set', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    await strict(router);
    const values = { ...mapping('camera', 8443), ...mapping('printer', 8443), ...mapping('other', 9443), [SSID]: 'Bus' };
    const port = (name: string) => `NAT.PortMapping[name=${name}].ExternalPort`;
    const { problems } = await preview({ group }, values);
    expect(problems.filter(({ kind }) => kind === 'invalid')).toEqual(
      ['camera', 'printer'].map((name) => ({
        path: port(name),
        kind: 'invalid',
        text: '8443',
        devices: 1,
        serials: [router.serial],
      })),
    );
    await save({ group }, values);
    await apply(router);
    const states = statesOf(await ended(router));
    expect(states).toMatchObject({
      [port('camera')]: 'invalid',
      [port('printer')]: 'invalid',
      [port('other')]: 'as-set',
      [SSID]: 'as-set',
    });
    // Over levels too; another protocol is another port.
    await save({ group }, mapping('camera', 8443));
    expect((await preview({ device: router.device }, mapping('own', 8443))).problems.map(({ path }) => path)).toContain(
      port('own'),
    );
    const udp = mapping('own', 8443, { 'NAT.PortMapping[name=own].Protocol': 'UDP' });
    expect((await preview({ device: router.device }, udp)).problems).toEqual([]);
  });

  test('a level has at most 32 entries of a list, and 5,000 forwarded ports are rejected', async () => {
    const group = await fixture.group();
    const forwards = (count: number) =>
      Object.assign({}, ...Array.from({ length: count }, (_, at) => mapping(`m${at}`, 9_000 + at))) as Values;
    expect(await errorOf(save({ group }, forwards(33)))).toContain('settings.too_many_entries');
    expect(await errorOf(save({ group }, forwards(5_000)))).toMatch(/request\.(?:invalid|too_large)/u);
  });

  test('who saves what another person saved meanwhile is rejected, and a device that was transferred takes no draft', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    await save({ group }, { [SSID]: 'First' });
    const account = await fixture.server.seeding.account(fixture.scope, 'second@highline.invalid', 'admin');
    const bearer = await fixture.server.seeding.bearer(account);
    const put = (at: At, etag: string) =>
      send(`${fixture.server.url}${SETTINGS}`, {
        method: 'PUT',
        bearer,
        headers: { 'if-match': etag },
        body: { org: org(), ...at, values: listOf({ [SSID]: 'Second' }) },
      });
    const etag = (await send(`${fixture.server.url}${SETTINGS}?org=${org()}&group=${group}`, { bearer })).headers.get('etag')!;
    expect((await put({ group }, etag)).status).toBe(200);
    const late = await put({ group }, etag);
    expect([late.status, late.text]).toEqual([412, expect.stringContaining('conflict.stale')]);
    const main = { kind: 'main', mainAccountId: fixture.scope.mainAccountId } as const;
    const { organizationId: target } = await fixture.server.seeding.organization(main, 'Buyer');
    const seller = await fixture.server.seeding.bearer(
      await fixture.server.seeding.account(main, 'main@highline.invalid', 'main'),
    );
    await save({ device: router.device }, { [SSID]: 'Own' });
    const transfer = { bearer: seller, body: { target, serials: [router.serial] } };
    expect((await send(`${fixture.server.url}/data_manager/v1/dm/org/device`, transfer)).status).toBe(200);
    expect(await errorOf(save({ device: router.device }, { [SSID]: 'Draft' }))).toContain('not_found');
    const { rows } = await fixture.server.owner.query('select from router_settings where device_id = $1', [router.device]);
    expect(rows).toEqual([]);
  });
});

describe('TPL-04 values that can cut a router off', () => {
  test('a wrong APN and a rule that locks us out are taken back by the router itself, over a power cut too, and the command says so', async () => {
    const group = await fixture.group();
    const [one, two] = (await fixture.members(group, 2)) as [GroupMember, GroupMember];
    const agents = [one, two].map((router) => startOwnAgent(fixture.address(), router, {}, { callHomeMs: 1_500 }));
    running.push(...agents);
    await Promise.all([one, two].map((router) => isOnline(router)));
    await save({ group }, { [SSID]: 'Bus', [APN]: 'noconnection' });
    await save(
      { device: two.device },
      {
        [APN]: 'fleet',
        'Firewall.Chain[at=1].Rule[name=all].Order': '1',
        'Firewall.Chain[at=1].Rule[name=all].Target': 'Drop',
        'Firewall.Chain[at=1].Rule[name=all].DestPort': new URL(fixture.address()).port,
        'Firewall.Chain[at=1].Rule[name=all].Enable': 'true',
      },
    );
    await Promise.all([one, two].map((router) => apply(router, 1)));
    // It is gone, and its command waits for it.
    await expect.poll(() => agents[0]!.router.condition).toBe('connecting');
    agents[0]!.cutPower();
    for (const router of [one, two]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const shown = await ended(router);
      expect(shown.command).toMatchObject({ state: 'failed', reason: 'rejected' });
      expect(shown.command?.message).toContain('returned to its former one');
    }
    const first = await look(one);
    expect(statesOf(first)).toEqual({ [SSID]: 'as-set', [APN]: 'returned' });
    expect(first.values.find(({ path }) => path === APN)?.actual).not.toBe('noconnection');
    expect(statesOf(await look(two))['Firewall.Chain[at=1].Rule[name=all].Target']).toBe('returned');
    // A right one is kept.
    await save({ group }, { [SSID]: 'Bus', [APN]: 'fleet' });
    await apply(one, 1);
    await expect.poll(async () => notAsSet(await look(one))).toEqual([]);
  });

  const CHAIN = 'Device.Firewall.Chain.1.';
  const RULE = 'Firewall.Chain[at=1].Rule[name=all]';
  const [rulePath, apnPath] = [`${CHAIN}Rule.1.`, 'Device.Cellular.AccessPoint.1.'];
  const rule = { Order: '1', Target: 'Accept', DestPort: '8443', Enable: 'true' };
  const ruleWith = (more: Partial<typeof rule>) =>
    Object.fromEntries(Object.entries({ ...rule, ...more }).map(([name, value]) => [`${RULE}.${name}`, value]));

  /** A router with a firewall rule and an APN, both as they are set. @param writes called with the object of each Set or Delete; true = no answer */
  async function ruled(writes: (object: string, router: GroupRouter) => boolean, takesOneObject = false): Promise<GroupRouter> {
    const [router] = await fixture.routers(await fixture.group(), 1, {
      takesOneObject,
      values: {
        [`${CHAIN}RuleNumberOfEntries`]: '1',
        ...Object.fromEntries(Object.entries({ Alias: 'all', ...rule }).map(([name, value]) => [rulePath + name, value])),
        'Device.Cellular.AccessPointNumberOfEntries': '1',
        [`${apnPath}Alias`]: 'internet',
        [`${apnPath}APN`]: 'internet',
      },
      ignoresWrite: (object) => writes(object, router!),
    });
    await router!.connect();
    await isOnline(router!);
    await save({ device: router!.device }, { ...ruleWith({}), [APN]: 'internet' });
    expect(notAsSet(await look(router!))).toEqual([]);
    return router!;
  }
  async function returns(router: GroupRouter): Promise<routerSettings.DeviceSettings> {
    await router.closed();
    await router.connect();
    fixture.clock.move(31_000);
    return ended(router);
  }

  test('a rule whose removal cuts the router off before it can answer is removed once, and the command says that it returned', async () => {
    let received = 0;
    const router = await ruled((object, own) => {
      if (object !== rulePath) return false;
      received++;
      own.cut();
      return true;
    });
    await save({ device: router.device }, { [APN]: 'internet' });
    await apply(router, 1);
    await expect.poll(() => received).toBe(1);
    const { command } = await returns(router);
    expect(command).toMatchObject({ state: 'failed', reason: 'rejected' });
    expect(command?.message).toBe(`${RULE}: the router did not connect with this value and returned to its former one`);
    expect(received).toBe(1);
  });

  test('an APN that was not sent, since the removal of a rule before it ended the connection, is sent when the router is back', async () => {
    const received: string[] = [];
    const router = await ruled((object, own) => {
      received.push(object);
      if (object !== rulePath) return false;
      for (const path of [...own.values.keys()].filter((each) => each.startsWith(rulePath))) own.values.delete(path);
      own.cut();
      return true;
    });
    await save({ device: router.device }, { [APN]: 'fleet' });
    await apply(router, 1);
    await expect.poll(() => received).toEqual([rulePath]);
    expect((await returns(router)).command).toMatchObject({ state: 'done' });
    expect(received).toEqual([rulePath, apnPath]);
    expect(router.valueOf(`${apnPath}APN`)).toBe('fleet');
  });

  test('of what the router rejected together and takes one by one, what was not sent alone is sent when the router is back', async () => {
    const received: string[] = [];
    const router = await ruled((object, own) => {
      received.push(object);
      if (received.length > 1) return false;
      if (object === apnPath) own.values.set(`${apnPath}APN`, 'fleet');
      else own.values.set(`${rulePath}DestPort`, '9443');
      own.cut();
      return true;
    }, true);
    await save({ device: router.device }, { ...ruleWith({ DestPort: '9443' }), [APN]: 'fleet' });
    await apply(router, 1);
    await expect.poll(() => received).toHaveLength(1);
    expect((await returns(router)).command).toMatchObject({ state: 'done' });
    expect(received.toSorted()).toEqual([apnPath, rulePath]);
  });

  test('an APN that was not sent, since the connection ended before, is sent when the router is back', async () => {
    const received: string[] = [];
    const router = await ruled((object) => received.push(object) === 0);
    await save({ device: router.device }, { ...ruleWith({}), [APN]: 'fleet' });
    const { owner } = fixture.server;
    const client = new Client(fixture.shared.ownerUrl);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select from router_settings_states where device_id = $1 for update', [router.device]);
      await apply(router, 1);
      await expect.poll(async () => (await client.query(WAITING)).rows[0]?.n).toBe(1);
      router.cut();
      const isOffline = "select from devices where id = $1 and presence = 'offline'";
      await expect.poll(async () => (await owner.query(isOffline, [router.device])).rowCount).toBe(1);
    } finally {
      await client.end();
    }
    expect((await returns(router)).command).toMatchObject({ state: 'done' });
    expect(received).toEqual([apnPath]);
  });

  test('the question before names the vehicles that do not return by themselves', async () => {
    const group = await fixture.group();
    const [one, two] = (await fixture.members(group, 2)) as [GroupMember, GroupMember];
    await fixture.server.owner.query(
      "update routers set model = case serial when $1 then 'SX-40' else 'HL-R320' end where serial in ($1, $2)",
      [one.serial, two.serial],
    );
    expect((await preview({ group }, { [APN]: 'fleet' })).withoutReturn).toEqual({ devices: 1, serials: [one.serial] });
    expect((await preview({ group }, { [SSID]: 'Bus' })).withoutReturn).toEqual({ devices: 0, serials: [] });
  });
});

describe('TPL-02 values of devices from CSV', () => {
  const deadlocks = async () =>
    Number(
      (await fixture.server.owner.query('select deadlocks from pg_stat_database where datname = current_database()')).rows[0]
        .deadlocks,
    );
  const importCsv = (csv: string, dryRun = false) =>
    fixture.call<routerSettings.SettingsImport>('POST', `${DEVICE}/import${dryRun ? '?dryRun=1' : ''}`, { org: org(), csv });

  test('rows are checked before anything is saved; good ones are saved, bad ones are listed by number', async () => {
    const group = await fixture.group();
    const [one, two, three] = (await fixture.members(group, 3)) as [GroupMember, GroupMember, GroupMember];
    const other = await fixture.server.owner.query<{ serial: string }>(
      'select serial from routers where organization_id is distinct from $1 limit 1',
      [org()],
    );
    await fixture.server.owner.query("update devices set vehicle_number = '7' where id = $1", [one.device]);
    const csv = [
      `SN;${SSID};${CHANNEL}`,
      `${one.serial};Bus {{vehicle}};48`,
      `${two.serial};"Bus; {{vehicle}}";`,
      `${three.serial};${'x'.repeat(33)};48`,
      `${one.serial};again;`,
      `${other.rows[0]?.serial ?? 'HL-NONE'};Foreign;`,
      `${three.serial};Bus;48;more`,
      '',
    ].join('\r\n');
    const checked = await importCsv(csv, true);
    const expected = {
      rows: 6,
      changed: 2,
      unchanged: 0,
      failed: 4,
      fail: [
        { row: 4, serial: three.serial, kind: 'value', path: SSID },
        { row: 5, serial: one.serial, kind: 'twice', path: '' },
        { row: 6, serial: other.rows[0]?.serial ?? 'HL-NONE', kind: 'device', path: '' },
        { row: 7, serial: three.serial, kind: 'cells', path: '' },
      ],
      doubted: 1,
      doubts: [{ row: 3, serial: two.serial, path: SSID, kind: 'variable', text: 'vehicle' }],
    };
    expect(checked).toEqual({ dryRun: true, ...expected, file: { ignored: [] } });
    expect((await ofDevice(one)).values).toEqual([]);
    expect(await importCsv(csv)).toEqual({ dryRun: false, ...expected, file: { ignored: [] } });
    expect((await ofDevice(one)).values.map(({ path, resolved, from }) => [path, resolved, from])).toEqual([
      [SSID, 'Bus 7', 'device'],
      [CHANNEL, '48', 'device'],
    ]);
    // Again it changes nothing; a hyphen removes, an empty cell does not.
    expect(await importCsv(`SN,${SSID},${CHANNEL}\n${one.serial},-,\n`)).toMatchObject({ changed: 1, failed: 0 });
    expect((await ofDevice(one)).values.map(({ path }) => path)).toEqual([CHANNEL]);
    expect(await importCsv(`SN,${CHANNEL}\n${one.serial},48\n`)).toMatchObject({ changed: 0, unchanged: 1 });
    // Serial numbers are typed in any case, and copied with what no one sees.
    const [lower, padded] = [one.serial.toLowerCase(), `\u200b${one.serial}\u00a0`];
    expect(lower).not.toBe(one.serial);
    expect(await importCsv(`SN,${CHANNEL}\n${lower},44\n${padded},40\n`)).toMatchObject({
      changed: 1,
      fail: [{ row: 3, serial: one.serial, kind: 'twice' }],
    });
    // A passphrase is sealed like any other.
    await importCsv(`SN,${PASSPHRASE}\n${one.serial},a passphrase\n`);
    expect((await ofDevice(one)).values.find(({ path }) => path === PASSPHRASE)?.value).toBeNull();
  });

  test('rows that lost a deadlock are saved once it is over, and none of them is said to be there twice', async () => {
    const group = await fixture.group();
    const [one, two] = (await fixture.members(group, 2)) as [GroupMember, GroupMember];
    const before = await deadlocks();
    // A connection of its own: that of the owner also renews sessions for calls.
    const client = new Client(fixture.shared.ownerUrl);
    await client.connect();
    await client.query('begin');
    await client.query('select from devices where id = $1 for update', [two.device]);
    const imported = importCsv(`SN,${CHANNEL}\n${one.serial},40\n${two.serial},44\n`);
    await expect.poll(async () => (await client.query<{ n: number }>(WAITING)).rows[0]?.n).toBe(1);
    // It has written to the log of the organization for the first row.
    await client.query('select from audit_heads where chain_id = $1 for update', [org()]);
    await client.query('commit');
    await client.end();
    expect(await imported).toMatchObject({ rows: 2, changed: 2, failed: 0, fail: [] });
    // PostgreSQL counts some seconds later.
    await expect.poll(deadlocks).toBeGreaterThan(before);
    expect((await ofDevice(one)).values.map(({ resolved }) => resolved)).toContain('40');
    expect((await ofDevice(two)).values.map(({ resolved }) => resolved)).toContain('44');
  });

  describe('and from files, as every import reads them', () => {
    type Contents = string | Uint8Array<ArrayBuffer>;
    const importFile = (contents: Contents, query = '') =>
      fixture.call<routerSettings.SettingsImport>('POST', `${DEVICE}/import/file?${query}`, formOf({ org: org() }, { contents }));
    const ssidOf = async (device: GroupMember) => (await ofDevice(device)).values.find(({ path }) => path === SSID)?.value;
    const newMember = async () => (await fixture.members(await fixture.group(), 1))[0]!;

    test('BLK-05-partial an old code page is recognized, and another one chosen; what is damaged is listed and not saved', async () => {
      const one = await newMember();
      const inLatin = Buffer.from(`SN;${SSID}\r\n${one.serial};Z\u00fcrich 7\r\n`, 'latin1');
      expect(await importFile(new Uint8Array(inLatin))).toMatchObject({
        changed: 1,
        failed: 0,
        file: { encoding: 'windows-1252', encodingAssumed: true },
      });
      expect(await ssidOf(one)).toBe('Z\u00fcrich 7');
      expect(await importFile(new Uint8Array(inLatin), 'encoding=windows-1250&dryRun=true')).toMatchObject({
        unchanged: 1,
        file: { encoding: 'windows-1250' },
      });
      const damaged = `SN,${SSID}\n${one.serial},Z\ufffdrich 8\n`;
      const fault = { failed: 1, changed: 0, fail: [{ row: 2, serial: one.serial, kind: 'unreadable', path: SSID }] };
      expect(await importFile(damaged)).toMatchObject(fault);
      expect(await importCsv(damaged)).toMatchObject(fault);
      expect(await ssidOf(one)).toBe('Z\u00fcrich 7');
      // By a form either.
      expect(await errorOf(save({ device: one.device }, { [SSID]: 'Z\ufffdrich 8' }))).toContain('settings.');
      expect(await ssidOf(one)).toBe('Z\u00fcrich 7');
    });

    test('BLK-05-partial what a spreadsheet has made of true and false is a switch, in a file, a workbook and a text; a name stays as it is', async () => {
      const enable = SSID.replace(/SSID$/u, 'Enable');
      const one = await newMember();
      const shown = async () => {
        const values = new Map((await ofDevice(one)).values.map(({ path, value }) => [path, value]));
        return [values.get(enable), values.get(SSID)];
      };
      const table = (value: string) => `SN,${enable},${SSID}\r\n${one.serial},${value},True\r\n`;
      expect(await importFile(table('FALSE'))).toMatchObject({ changed: 1, failed: 0 });
      expect(await shown()).toEqual(['false', 'True']);
      const workbook = workbookOf(Readable.from([table('TRUE')]), { name: 'Settings', kinds: [] });
      expect(await importFile(new Uint8Array(await buffer(workbook)))).toMatchObject({ changed: 1, failed: 0 });
      expect(await shown()).toEqual(['true', 'True']);
      expect(await importCsv(table('False'))).toMatchObject({ changed: 1, failed: 0 });
      expect(await shown()).toEqual(['false', 'True']);
      expect(await importCsv(table('yes'))).toMatchObject({ failed: 1, fail: [{ kind: 'value', path: enable }] });
    });

    test.each(['en-US', 'zh-TW'])(
      'BLK-05-partial the download of the list in %s with a column added, as CSV and as workbook',
      async (language) => {
        const one = await newMember();
        const { seeding, url } = fixture.server;
        const bearer = await seeding.bearer(
          await seeding.account(fixture.scope, `${one.serial}-${language}@highline.invalid`, 'admin'),
        );
        const { text } = await send(`${url}${SETTINGS}/devices/export?language=${language}&search=${one.serial}`, { bearer });
        expect(text).toContain(one.serial);
        const [header, ...all] = text.trimEnd().split('\r\n');
        const lines = all.filter((line) => line.includes(one.serial));
        const added = [`${header},${SSID}`, ...lines.map((line) => `${line},'=Bus`)].join('\r\n');
        const result = await importFile(added);
        expect(result).toMatchObject({ rows: 1, changed: 1, failed: 0 });
        expect(result.file.ignored).toContain(language === 'en-US' ? 'Vehicle' : '車輛');
        expect(await ssidOf(one)).toBe('=Bus');
        const lists = workbookOf(Readable.from([added.replace("'=Bus", 'Bus 8')]), { name: 'Settings', kinds: [] });
        const workbook = new Uint8Array(await buffer(lists));
        expect(await importFile(workbook)).toMatchObject({ changed: 1, file: { sheet: 'Settings' } });
        expect(await ssidOf(one)).toBe('Bus 8');
      },
    );

    test('BLK-05-partial the titles of serial numbers of our lists, and serial numbers that a spreadsheet would shorten', async () => {
      const one = await newMember();
      await fixture.server.owner.query("update devices set serial = '000123456789' where id = $1", [one.device]);
      await fixture.server.owner.query("update routers set serial = '000123456789' where serial = $1", [one.serial]);
      for (const title of ['Device Serial#', '裝置序號', 'SN']) {
        const csv = `${title},${SSID}\n'000123456789,${title === 'SN' ? 'Last' : title}\n`;
        expect(await importFile(csv), title).toMatchObject({ changed: 1, failed: 0 });
        expect(await importCsv(csv), title).toMatchObject({ unchanged: 1, failed: 0 });
      }
    });

    test('TPL-02-partial a file that is no such table is rejected as a whole', async () => {
      const keyOf = (file: Contents) => errorOf(importFile(file));
      expect(await keyOf('x')).toContain('csv.header');
      expect(await keyOf('SN\nHL-1\n')).toContain('settings.no_table');
      expect(await keyOf(`SN,${SSID}\n${'HL-1,Bus\n'.repeat(2_001)}`)).toContain('settings.no_table');
      expect(await keyOf('SN,WiFi.SSID.1.SSID\nHL-1,Bus\n')).toContain('settings.unknown_path');
      expect(await keyOf(`SN,${SSID},${SSID}\nHL-1,Bus,Other\n`)).toContain('settings.twice');
    });
  });

  test('a text that is no such table is rejected as a whole', async () => {
    for (const csv of ['x', 'SN\nHL-1\n', `"SN,${SSID}`, `${SSID}\nBus\n`, `SN,${SSID}\n${'HL-1,Bus\n'.repeat(2_001)}`])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await errorOf(importCsv(csv))).toContain('settings.no_table');
    expect(await errorOf(importCsv('SN,WiFi.SSID.1.SSID\nHL-1,Bus\n'))).toContain('settings.unknown_path');
    expect(await errorOf(importCsv(`SN,${SSID},${NTP},${SSID}\nHL-1,Bus,,Other\n`))).toContain('settings.twice');
  });
});

describe('TPL-02 secrets', () => {
  test('one that was confirmed is not any more after a factory reset of the router', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const ours = startOwnAgent(fixture.address(), router);
    running.push(ours);
    await isOnline(router);
    await save({ group }, { [PASSPHRASE]: 'the first one' });
    await apply(router, 1);
    expect(statesOf(await ended(router))).toEqual({ [PASSPHRASE]: 'hidden' });
    ours.resetToFactory();
    await expect.poll(async () => statesOf(await look(router))[PASSPHRASE]).toBe('differs');
  });

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

describe('TPL-05 drift', () => {
  test('a change at the router is reported by itself, with the person whose remote session was open', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const { agent } = await strict(router);
    await save({ group }, { [SSID]: 'Bus', [CHANNEL]: '48', ...mapping('camera', 8443) });
    await apply(router);
    await ended(router);
    await fixture.server.owner.query(
      `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email,
         login_hash, ended_at, end_reason)
       select organization_id, gen_random_uuid(), main_account_id, id, router_id, 'ssh', 'n', gen_random_uuid(), 'kim@lakeshore.example',
         '', now() + interval '1 hour', 'closed' from devices where id = $1`,
      [router.device],
    );
    agent.change('Device.WiFi.SSID.1.SSID', 'Mine');
    // No one looks at it: the list knows it from the router's own notification.
    await expect.poll(() => list(`group=${group}&state=differs`)).toMatchObject([{ differs: 1 }]);
    const { values } = await ofDevice(router);
    expect(values.find(({ path }) => path === SSID)).toMatchObject({ actual: 'Mine', by: 'kim@lakeshore.example' });
    const account = await fixture.server.seeding.account(fixture.scope, 'file@highline.invalid', 'user');
    const bearer = await fixture.server.seeding.bearer(account);
    const file = await send(`${fixture.server.url}${SETTINGS}/devices/export?state=differs&group=${group}`, { bearer });
    expect(file.text).toContain(`${SSID} = Mine`);
    const chinese = await send(`${fixture.server.url}${SETTINGS}/devices/export?group=${group}&language=zh-TW`, { bearer });
    expect(chinese.text).toContain('已設定');
    expect(chinese.text).not.toMatch(/,done\b/u);
    // With the columns of the screen, its times in the zone, and why the last command failed.
    await fixture.server.owner.query(
      `update sent_commands set state = 'failed', message = '=the router says why' where kind = 'apply-settings' and device_id = $1`,
      [router.device],
    );
    await fixture.server.owner.query(
      "update router_settings_states set checked_at = '2026-11-20T08:00:00Z' where device_id = $1",
      [router.device],
    );
    const chosen = await send(
      `${fixture.server.url}${SETTINGS}/devices/export?group=${group}&columns=serial,sent,exceptions,checked&zone=Asia/Taipei`,
      { bearer },
    );
    expect(chosen.text).toBe(
      `Serial Number,Last command,Exceptions,Read\r\n${router.serial},Failed: =the router says why,0,11/20/2026 16:00:00\r\n`,
    );
  });

  test('a device that was moved to another group is not as set until its router was read again', async () => {
    const [group, other] = [await fixture.group(), await fixture.group()];
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    await strict(router);
    await save({ group: other }, { [SSID]: 'Other' });
    await save({ group }, { [SSID]: 'Bus' });
    await apply(router);
    await ended(router);
    expect(await list(`group=${group}`)).toMatchObject([{ state: 'as-set' }]);
    await fixture.server.owner.query('update devices set group_key = $2 where id = $1', [router.device, other]);
    expect(await list(`group=${other}`)).toMatchObject([{ state: 'not-sent' }]);
    await look(router);
    expect(await list(`group=${other}`)).toMatchObject([{ state: 'differs' }]);
  });

  test('what was deleted at the router by hand differs and comes back; a data model that changes with the firmware loses nothing of it', async () => {
    const group = await fixture.group();
    const [router] = (await fixture.members(group, 1)) as [GroupMember];
    const first = await strict(router);
    await save({ group }, { ...mapping('camera', 8443), [SSID]: 'Bus', [NTP]: 'time.example.com' });
    await apply(router);
    await ended(router);
    first.agent.remove('Device.NAT.PortMapping.1.');
    first.agent.remove('Device.WiFi.SSID.1.');
    const port = 'NAT.PortMapping[name=camera].ExternalPort';
    const drifted = statesOf(await look(router));
    expect([drifted[port], drifted[NTP]]).toEqual(['differs', 'as-set']);
    expect(['differs', 'missing']).toContain(drifted[SSID]);
    await apply(router);
    await expect.poll(() => aliasesOf(first.agent)).toEqual(['camera']);
    await expect.poll(async () => statesOf(await look(router))[port]).toBe('as-set');
    await first.stop();

    // Firmware without Wi-Fi and forwarding.
    running.splice(running.indexOf(first), 1);
    const second = await strict(router, { hasNetworks: false, firmware: '2.0.0' });
    await expect.poll(async () => statesOf(await look(router))).toMatchObject({ [port]: 'missing', [SSID]: 'missing' });
    await apply(router, 1);
    await expect.poll(() => second.agent.value('Device.Time.NTPServer1')).toBe('time.example.com');
    await expect.poll(async () => (await look(router)).command).toMatchObject({ state: 'done' });
    expect((await look(router)).state).toBe('not-readable');
    await second.stop();
    running.splice(running.indexOf(second), 1);
    const third = await strict(router, { firmware: '3.0.0' });
    await expect.poll(async () => statesOf(await look(router))).toMatchObject({ [port]: 'differs', [SSID]: 'differs' });
    await apply(router, 1);
    await expect.poll(() => aliasesOf(third.agent)).toEqual(['camera']);
    await expect.poll(async () => notAsSet(await look(router))).toEqual([]);
  });

  test('many are adopted or restored at once', async () => {
    const group = await fixture.group();
    const [one, two, off] = (await fixture.members(group, 3)) as [GroupMember, GroupMember, GroupMember];
    const agents = [await strict(one), await strict(two)];
    await save({ group }, { [SSID]: 'Bus' });
    await Promise.all([one, two].map((router) => apply(router)));
    await Promise.all([one, two].map((router) => ended(router)));
    for (const { agent } of agents) agent.change('Device.WiFi.SSID.1.SSID', 'Mine');
    await expect.poll(async () => (await list(`group=${group}&state=differs`)).length).toBe(2);
    const adoptAll = () => fixture.call<{ devices: number; left: number }>('POST', `${SETTINGS}/adopt`, { org: org(), group });
    expect(await adoptAll()).toEqual({ devices: 2, left: 0 });
    expect((await ofDevice(two)).values[0]).toMatchObject({ from: 'device', value: 'Mine', state: 'as-set' });
    // They need not be read again.
    expect((await list(`group=${group}&state=as-set`)).length).toBe(2);
    expect((await ofDevice(off)).values[0]).toMatchObject({ from: 'group', value: 'Bus' });
    expect(await adoptAll()).toEqual({ devices: 0, left: 0 });
    expect(await errorOf(fixture.call('POST', `${SETTINGS}/adopt`, { org: org(), group: 'nothing' }))).toContain(
      'group.not_found',
    );
  });

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
  });
});
