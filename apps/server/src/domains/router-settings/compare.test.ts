import { expect, test } from 'vitest';
import { compareSettings, pathsToRead, planNames, planSets, toReport, worstState } from './compare.ts';
import { resolveSettings, type LevelContent } from './resolve.ts';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const STAFF = 'WiFi.SSID[name=staff].SSID';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
const APN = 'Cellular.AccessPoint[name=internet].APN';
const now = new Date('2026-11-27T12:00:00Z');
const later = new Date('2026-11-27T13:00:00Z');

const effective = (content: LevelContent) => resolveSettings([{ level: 'group', content }], new Map());
const context = { before: {}, secretOf: () => 'the passphrase', now };
const router = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values));

const two = {
  'Device.WiFi.SSID.1.Alias': 'cpe-1',
  'Device.WiFi.SSID.1.SSID': 'Guest',
  'Device.WiFi.SSID.2.Alias': 'cpe-2',
  'Device.WiFi.SSID.2.SSID': 'Crew',
};

test('TPL-02-partial a network is found by its alias, else by its order, and then it gets the alias', () => {
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

test('TPL-02-partial only what differs is set, and what can cut the router off comes last', () => {
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
  const steps = planSets(compareSettings(desired, reported, context), ({ desired: text }) => text);
  expect(steps.map((step) => step.map(({ object, parameter, value }) => `${object}${parameter}=${value}`))).toEqual([
    ['Device.WiFi.SSID.1.SSID=Bus', 'Device.Time.NTPServer1=time.example.com'],
    ['Device.Cellular.AccessPoint.1.APN=fleet'],
  ]);
  expect(pathsToRead(desired)).toContain('Device.WiFi.SSID.*.SSID');
});

test('TPL-02-partial a passphrase that cannot be read is known by what was confirmed, and never reported', () => {
  const desired = effective({ [PASSPHRASE]: { secret: 'id-1' } });
  const reported = router({
    ...two,
    'Device.WiFi.AccessPoint.4.SSIDReference': 'Device.WiFi.SSID.1.',
    'Device.WiFi.AccessPoint.4.Security.KeyPassphrase': '',
  });
  const first = compareSettings(desired, reported, context);
  expect(first).toMatchObject([{ state: 'differs', object: 'Device.WiFi.AccessPoint.4.' }]);
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
  expect(differs).not.toHaveProperty('actual');
});

test('TPL-05-partial a difference keeps the time since when it is there, and what a router lacks is not readable', () => {
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

test('TPL-05-partial booleans, numbers and lists of addresses are compared by what they mean', () => {
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
