import { expect, test } from 'vitest';
import {
  compareSettings,
  findLeftovers,
  pathsToRead,
  planChanges,
  planNames,
  toReport,
  worstState,
  type PlannedChange,
} from './compare.ts';
import type { LevelContent } from './effective-setting.ts';
import { resolveSettings } from './resolve.ts';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const STAFF = 'WiFi.SSID[name=staff].SSID';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
const APN = 'Cellular.AccessPoint[name=internet].APN';
const now = new Date('2026-11-27T12:00:00Z');
const later = new Date('2026-11-27T13:00:00Z');

const effective = (content: LevelContent) => resolveSettings([{ level: 'group', content }], new Map());
const context = { before: {}, secretOf: () => 'the passphrase', now };
const router = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values));

/** Changes of each step as text. */
const shown = (steps: readonly (readonly PlannedChange[])[]) =>
  steps.map((step) =>
    step.map((change) => {
      if (change.type === 'delete') return `delete ${change.object}`;
      if (change.type === 'set') return `${change.object}${change.parameter}=${change.value}`;
      return `add ${change.table} ${[...change.values].map((each) => each.join('=')).join(' ')}`;
    }),
  );

const two = {
  'Device.WiFi.SSID.1.Alias': 'cpe-1',
  'Device.WiFi.SSID.1.SSID': 'Guest',
  'Device.WiFi.SSID.2.Alias': 'cpe-2',
  'Device.WiFi.SSID.2.SSID': 'Crew',
};

test('TPL-02 a network is found by its alias, else by its order, and then it gets the alias', () => {
  const desired = effective({ [SSID]: { value: 'Bus' }, [STAFF]: { value: 'Crew' } });
  const found = compareSettings(desired, router(two), context);
  expect(found.map(({ object, state, actual }) => [object, state, actual])).toEqual([
    ['Device.WiFi.SSID.1.', 'differs', 'Guest'],
    ['Device.WiFi.SSID.2.', 'as-set', undefined],
  ]);
  expect(planNames(found, router(two)).map(({ object, value }) => [object, value])).toEqual([
    ['Device.WiFi.SSID.1.', 'passengers'],
    ['Device.WiFi.SSID.2.', 'staff'],
  ]);
  // The numbers changed over a restart.
  const renumbered = router({
    'Device.WiFi.SSID.7.Alias': 'staff',
    'Device.WiFi.SSID.7.SSID': 'Crew',
    'Device.WiFi.SSID.9.Alias': 'passengers',
    'Device.WiFi.SSID.9.SSID': 'Guest',
  });
  const again = compareSettings(desired, renumbered, context);
  expect(again.map(({ object }) => object)).toEqual(['Device.WiFi.SSID.9.', 'Device.WiFi.SSID.7.']);
  expect(planNames(again, renumbered)).toEqual([]);
});

test('TPL-02 only what differs is set, and what can cut the router off comes last', () => {
  const desired = effective({
    [SSID]: { value: 'Bus' },
    [STAFF]: { value: 'Crew' },
    'Time.NTPServer1': { value: 'time.example.com' },
    [APN]: { value: 'fleet' },
  });
  const reported = router({
    ...two,
    'Device.Time.NTPServer1': '',
    'Device.Cellular.AccessPoint.1.APN': 'internet',
    'Device.Cellular.AccessPoint.1.Alias': 'ap-1',
  });
  const steps = planChanges(compareSettings(desired, reported, context), [], ({ desired: text }) => text);
  expect(shown(steps)).toEqual([
    ['Device.WiFi.SSID.1.SSID=Bus', 'Device.Time.NTPServer1=time.example.com'],
    ['Device.Cellular.AccessPoint.1.APN=fleet'],
  ]);
  expect(pathsToRead(desired)).toContain('Device.WiFi.SSID.*.SSID');
});

test('TPL-02 a passphrase that cannot be read is known by what was confirmed, and never reported', () => {
  const desired = effective({ [PASSPHRASE]: { secret: 'id-1' } });
  const reported = router({
    ...two,
    'Device.WiFi.AccessPoint.4.SSIDReference': 'Device.WiFi.SSID.1.',
    'Device.WiFi.AccessPoint.4.Security.KeyPassphrase': '',
  });
  const first = compareSettings(desired, reported, context);
  expect(first).toMatchObject([{ state: 'differs', object: 'Device.WiFi.AccessPoint.4.Security.' }]);
  const sent = compareSettings(desired, reported, { ...context, accepted: new Set([PASSPHRASE]) });
  expect(sent[0]?.state).toBe('hidden');
  const before = toReport(sent);
  expect(compareSettings(desired, reported, { ...context, before })[0]?.state).toBe('hidden');
  // Another passphrase was saved since.
  const changed = effective({ [PASSPHRASE]: { secret: 'id-2' } });
  expect(compareSettings(changed, reported, { ...context, before })[0]?.state).toBe('differs');
  // A router that shows it is compared.
  const shown = new Map([...reported, ['Device.WiFi.AccessPoint.4.Security.KeyPassphrase', 'another one']]);
  const [differs] = compareSettings(desired, shown, { ...context, before });
  expect(differs?.state).toBe('differs');
  expect(differs?.actual).toBeUndefined();
});

test('TPL-05 a difference keeps the time since when it is there, and what a router lacks is not readable', () => {
  const desired = effective({ [SSID]: { value: 'Bus' }, [APN]: { value: 'fleet' } });
  const first = compareSettings(desired, router(two), context);
  expect(first.map(({ state }) => state)).toEqual(['differs', 'missing']);
  const second = compareSettings(desired, router(two), { ...context, before: toReport(first), now: later });
  expect(second[0]?.since).toBe(now.toISOString());
  expect(worstState(second.map(({ state }) => state))).toBe('differs');
  expect(worstState(['as-set', 'missing'])).toBe('not-readable');
  expect(worstState(['hidden', 'as-set'])).toBe('as-set');
  expect(worstState(['no-value', 'missing'])).toBe('incomplete');
  expect(worstState([])).toBeUndefined();
});

test('TPL-05 booleans, numbers and lists of addresses are compared by what they mean', () => {
  const desired = effective({
    'WiFi.SSID[name=passengers].Enable': { value: 'true' },
    'DHCPv4.Server.Pool[name=lan].LeaseTime': { value: '3600' },
    'DHCPv4.Server.Pool[name=lan].DNSServers': { value: '192.0.2.1, 192.0.2.2' },
  });
  const reported = router({
    'Device.WiFi.SSID.1.Enable': '1',
    'Device.DHCPv4.Server.Pool.1.LeaseTime': '03600',
    'Device.DHCPv4.Server.Pool.1.DNSServers': '192.0.2.1,192.0.2.2',
  });
  expect(compareSettings(desired, reported, context).map(({ state }) => state)).toEqual(['as-set', 'as-set', 'as-set']);
});

const camera = {
  'NAT.PortMapping[name=camera].ExternalPort': { value: '8443' },
  'NAT.PortMapping[name=camera].Protocol': { value: 'TCP' },
  'NAT.PortMapping[name=camera].InternalClient': { value: '192.168.1.20' },
  'NAT.PortMapping[name=camera].InternalPort': { value: '443' },
  'NAT.PortMapping[name=camera].Enable': { value: 'true' },
};

test('TPL-01 an entry is added with all its values, set where one differs, and deleted when nothing sets it any more', () => {
  const desired = effective(camera);
  const empty = router({ 'Device.NAT.PortMappingNumberOfEntries': '0' });
  const textOf = ({ desired: text }: { desired: string }) => text;
  const first = compareSettings(desired, empty, context);
  expect(first.map(({ state }) => state)).toEqual(['differs', 'differs', 'differs', 'differs', 'differs']);
  expect(shown(planChanges(first, [], textOf))).toEqual([
    [
      'add Device.NAT.PortMapping. Alias=camera ExternalPort=8443 Protocol=TCP InternalClient=192.168.1.20 InternalPort=443 Enable=true',
    ],
  ]);
  // At another number, next to one of another owner.
  const there = {
    'Device.NAT.PortMapping.3.Alias': 'cpe-3',
    'Device.NAT.PortMapping.3.ExternalPort': '22',
    'Device.NAT.PortMapping.7.Alias': 'camera',
    'Device.NAT.PortMapping.7.ExternalPort': '8080',
    'Device.NAT.PortMapping.7.Protocol': 'TCP',
    'Device.NAT.PortMapping.7.InternalClient': '192.168.1.20',
    'Device.NAT.PortMapping.7.InternalPort': '443',
    'Device.NAT.PortMapping.7.Enable': '1',
  };
  const second = compareSettings(desired, router(there), context);
  expect(shown(planChanges(second, [], textOf))).toEqual([['Device.NAT.PortMapping.7.ExternalPort=8443']]);
  // Nothing sets it any more, and it stays known until the router has it no more.
  const before = toReport(second);
  expect(pathsToRead([], before)).toContain('Device.NAT.PortMapping.*.Alias');
  const leftovers = findLeftovers([], router(there), { before, now });
  expect(shown(planChanges([], leftovers, textOf))).toEqual([['delete Device.NAT.PortMapping.7.']]);
  const left = toReport([], leftovers);
  expect(findLeftovers([], router(there), { before: left, now: later })).toMatchObject([{ since: now.toISOString() }]);
  expect(findLeftovers([], empty, { before: left, now: later })).toEqual([]);
  // A router without such a list lacks it.
  expect(compareSettings(desired, router({}), context)[0]?.state).toBe('missing');
});

test('TPL-01 an entry that lacks a required parameter is not sent', () => {
  const { 'NAT.PortMapping[name=camera].InternalPort': _port, ...lacking } = camera;
  const found = compareSettings(effective(lacking), router({ 'Device.NAT.PortMappingNumberOfEntries': '0' }), context);
  expect(found.map(({ state, message }) => [state, message])).toEqual(
    Array.from({ length: 4 }, () => ['no-value', 'InternalPort']),
  );
  expect(planChanges(found, [], () => 'x')).toEqual([]);
});

test('TPL-01 uplinks are known by what is below them, the own network by its addresses, and a firewall rule comes last', () => {
  const desired = effective({
    'Routing.Router[at=1].IPv4Forwarding[uplink=mobile].ForwardingMetric': { value: '5' },
    'Routing.Router[at=1].IPv4Forwarding[uplink=ethernet].ForwardingMetric': { value: '9' },
    'IP.Interface[pool=lan].IPv4Address[at=1].IPAddress': { value: '10.1.0.1' },
    'Firewall.Chain[at=1].Rule[name=block].Order': { value: '1' },
    'Firewall.Chain[at=1].Rule[name=block].Target': { value: 'Drop' },
    'Firewall.Chain[at=1].Rule[name=block].DestPort': { value: '25' },
    'Firewall.Chain[at=1].Rule[name=block].Enable': { value: 'true' },
  });
  const reported = router({
    'Device.IP.Interface.1.LowerLayers': 'Device.Ethernet.Interface.1',
    'Device.IP.Interface.2.LowerLayers': 'Device.Cellular.Interface.1.',
    'Device.IP.Interface.3.LowerLayers': 'Device.Ethernet.Link.1',
    'Device.Routing.Router.1.IPv4Forwarding.1.Interface': 'Device.IP.Interface.3',
    'Device.Routing.Router.1.IPv4Forwarding.1.DestIPAddress': '',
    'Device.Routing.Router.1.IPv4Forwarding.1.ForwardingMetric': '9',
    'Device.Routing.Router.1.IPv4Forwarding.2.Interface': 'Device.IP.Interface.2.',
    'Device.Routing.Router.1.IPv4Forwarding.2.DestIPAddress': '',
    'Device.Routing.Router.1.IPv4Forwarding.2.ForwardingMetric': '20',
    'Device.DHCPv4.Server.Pool.1.Alias': 'lan',
    'Device.DHCPv4.Server.Pool.1.Interface': 'Device.IP.Interface.1',
    'Device.IP.Interface.1.Name': 'br-lan',
    'Device.IP.Interface.1.IPv4Address.4.IPAddress': '192.168.1.1',
    'Device.Firewall.Chain.2.RuleNumberOfEntries': '0',
  });
  const steps = planChanges(compareSettings(desired, reported, context), [], ({ desired: text }) => text);
  expect(shown(steps)).toEqual([
    ['Device.IP.Interface.1.IPv4Address.4.IPAddress=10.1.0.1'],
    [
      'add Device.Firewall.Chain.2.Rule. Alias=block Order=1 Target=Drop DestPort=25 Enable=true',
      'Device.Routing.Router.1.IPv4Forwarding.2.ForwardingMetric=5',
    ],
  ]);
});

test('TPL-01-partial the default route of a modem is found through PPP, and where its destination is written as 0.0.0.0', () => {
  const desired = effective({
    'Routing.Router[at=1].IPv4Forwarding[uplink=mobile].ForwardingMetric': { value: '5' },
    'Routing.Router[at=1].IPv4Forwarding[uplink=ethernet].ForwardingMetric': { value: '9' },
  });
  const reported = router({
    'Device.IP.Interface.1.LowerLayers': 'Device.PPP.Interface.1',
    'Device.IP.Interface.2.LowerLayers': 'Device.Ethernet.Link.1',
    'Device.PPP.Interface.1.LowerLayers': 'Device.Cellular.Interface.1',
    'Device.Routing.Router.1.IPv4Forwarding.1.Interface': 'Device.IP.Interface.1',
    'Device.Routing.Router.1.IPv4Forwarding.1.DestIPAddress': '0.0.0.0',
    'Device.Routing.Router.1.IPv4Forwarding.1.ForwardingMetric': '1',
    'Device.Routing.Router.1.IPv4Forwarding.2.Interface': 'Device.IP.Interface.2',
    'Device.Routing.Router.1.IPv4Forwarding.2.DestIPAddress': '0.0.0.0',
    'Device.Routing.Router.1.IPv4Forwarding.2.ForwardingMetric': '2',
  });
  expect(shown(planChanges(compareSettings(desired, reported, context), [], ({ desired: text }) => text)).flat()).toEqual([
    'Device.Routing.Router.1.IPv4Forwarding.1.ForwardingMetric=5',
    'Device.Routing.Router.1.IPv4Forwarding.2.ForwardingMetric=9',
  ]);
});

test('TPL-04 a value that was sent and is not there any more is one from which the router returned, until another is set', () => {
  const desired = effective({ [APN]: { value: 'fleet' } });
  const reported = router({ 'Device.Cellular.AccessPoint.1.APN': 'internet', 'Device.Cellular.AccessPoint.1.Alias': 'internet' });
  const before = { [APN]: { state: 'differs' as const, desired: 'fleet', tried: 'command-1' } };
  const [found] = compareSettings(desired, reported, { ...context, before });
  expect(found).toMatchObject({ state: 'returned', tried: 'command-1', actual: 'internet' });
  expect(worstState([found!.state])).toBe('differs');
  const [other] = compareSettings(effective({ [APN]: { value: 'other' } }), reported, { ...context, before });
  expect(other?.state).toBe('differs');
});
