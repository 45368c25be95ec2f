import { fitsSetting, mayBeSaved, standardCatalogue } from '@highline/contract';
import { expect, test } from 'vitest';
import type { LevelContent } from './effective-setting.ts';
import { createPreview } from './preview.ts';
import { resolveSettings, variablesOf } from './resolve.ts';
import { settingsOf, type DesiredRow } from './settings.rows.ts';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const NTP = 'Time.NTPServer1';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
const settingOf = (path: string) => standardCatalogue.find(path)!;
const none = new Map<string, string>();
const families: DesiredRow['families'] = [];
const rowOf = (row: Partial<DesiredRow>): DesiredRow => ({
  deviceId: '1',
  organizationId: 'o',
  mainAccountId: 'm',
  routerId: '1',
  serial: 'HL-1',
  vehicleNumber: '',
  properties: null,
  levels: null,
  report: null,
  checkedAt: null,
  model: '',
  families,
  ...row,
});

test('TPL-02 each value comes from the last level that has it, and says what it replaces', () => {
  const found = resolveSettings(
    [
      { level: 'organization', content: { [SSID]: { value: 'All' }, [NTP]: { value: 'time.example.com' } } },
      { level: 'group', content: { [SSID]: { value: 'North' } } },
      { level: 'device', content: { [SSID]: { value: 'Bus 7' } } },
    ],
    none,
  );
  expect(found.map(({ setting, from, text }) => [setting.path, from, text])).toEqual([
    [SSID, 'device', 'Bus 7'],
    [NTP, 'organization', 'time.example.com'],
  ]);
  expect(found[0]?.overrides).toEqual([
    { from: 'group', stored: { value: 'North' } },
    { from: 'organization', stored: { value: 'All' } },
  ]);
});

test('TPL-02 variables are of the vehicle and its properties; one without a value is named', () => {
  const variables = variablesOf({ serial: 'HL-1', vehicleNumber: '2104', properties: { route: 12, Depot: 'North' } });
  const levels = (value: string) => [{ level: 'group' as const, content: { [SSID]: { value } } }];
  expect(resolveSettings(levels('Bus {{vehicle}} {{ Route }} {{depot}}'), variables)[0]?.text).toBe('Bus 2104 12 North');
  expect(resolveSettings(levels('Bus {{line}}'), variables)[0]).toMatchObject({
    text: undefined,
    fault: { kind: 'variable', text: 'line' },
  });
  // An empty vehicle number is none.
  const unnamed = variablesOf({ serial: 'HL-1', vehicleNumber: '', properties: null });
  expect(resolveSettings(levels('{{vehicle}}'), unnamed)[0]?.fault).toEqual({ kind: 'variable', text: 'vehicle' });
});

test('TPL-02 TPL-03 a variable without a value for 3 of 400 vehicles is named with these three, and nothing changes for them', () => {
  const without = new Set([7, 80, 399]);
  const levels = [{ id: 'a', group: 'g', device: null, content: {}, sealed: null }];
  const sum = createPreview('group', { [SSID]: { value: 'Bus {{vehicle}}' } });
  for (let at = 0; at < 400; at += 1)
    sum.add(rowOf({ serial: `HL-${at}`, vehicleNumber: without.has(at) ? '' : '2104', levels }));
  const { devices, changing, changes, problems } = sum.total();
  expect([devices, changing]).toEqual([400, 397]);
  expect(changes).toMatchObject([{ path: SSID, after: 'Bus 2104', devices: 397 }]);
  expect(problems).toEqual([
    { path: SSID, kind: 'variable', text: 'vehicle', devices: 3, serials: Array.from(without, (at) => `HL-${at}`) },
  ]);
});

test('TPL-02 a value that is too long only with its variables does not fit this vehicle', () => {
  const levels = [{ level: 'organization' as const, content: { [SSID]: { value: 'Passengers of {{vehicle}}' } } }];
  const at = (vehicleNumber: string) =>
    resolveSettings(levels, variablesOf({ serial: 'HL-1', vehicleNumber, properties: null }))[0];
  expect(at('2104')?.fault).toBeUndefined();
  expect(at('2104 of the night line')?.fault?.kind).toBe('invalid');
  // What looks like a variable in a value is not replaced again.
  expect(at('{{serial}}')?.text).toBe('Passengers of {{serial}}');
});

test('TPL-02 devices that share levels differ in what has a variable, and in what their model or a newer version says', () => {
  const level = (id: string, content: LevelContent, group: string | null = 'g', device: string | null = null) => ({
    id,
    group,
    device,
    content,
    sealed: null,
  });
  const ADMIN = 'Users.User[user=admin].Password';
  const shared = level('shared', {
    [SSID]: { value: 'Bus {{vehicle}}' },
    [NTP]: { value: 'a.example' },
    [ADMIN]: { value: 'short' },
  });
  const textsOf = (...row: Parameters<typeof rowOf>) => settingsOf(rowOf(...row)).map(({ text, fault }) => text ?? fault?.kind);
  const bus = (vehicleNumber: string, model = '', levels = [shared]) => textsOf({ vehicleNumber, model, levels });
  expect(bus('7')).toEqual(['Bus 7', 'a.example', 'short']);
  expect(bus('')).toEqual(['variable', 'a.example', 'short']);
  expect(bus('8', 'HL-R520 5G')).toEqual(['Bus 8', 'a.example', 'invalid']);
  expect(bus('9')).toEqual(['Bus 9', 'a.example', 'short']);
  expect(bus('9', '', [level('newer', { [NTP]: { value: 'b.example' } })])).toEqual(['b.example']);
  // The levels are the same in whatever order they come.
  const all = level('all', { [NTP]: { value: 'c.example' } }, null);
  expect(bus('7', '', [all, shared])).toEqual(bus('7', '', [shared, all]));
  const own = level('own', { [NTP]: { value: 'd.example' } }, null, '1');
  expect(bus('7', '', [shared, own])).toEqual(['Bus 7', 'd.example', 'short']);
});

test('TPL-01-partial values are compared with type, range and length in bytes', () => {
  const ssid = settingOf(SSID);
  expect(fitsSetting(ssid, '🚌'.repeat(8))).toBe(true);
  expect(fitsSetting(ssid, `${'🚌'.repeat(8)}!`)).toBe(false);
  for (const hidden of ['\u202Esserp', 'a\u2066b', 'a\u200Fb', 'a\nb', '   ', '\u200B', 'a\u2028b'])
    expect(fitsSetting(ssid, hidden)).toBe(false);
  expect(fitsSetting(settingOf(PASSPHRASE), `"it's" \\ %22`)).toBe(true);
  expect(fitsSetting(settingOf(PASSPHRASE), 'short')).toBe(false);
  expect(fitsSetting(settingOf('WiFi.Radio[band=2.4GHz].Channel'), '14')).toBe(false);
  const first = settingOf('DHCPv4.Server.Pool[name=lan].MinAddress');
  expect(['192.168.1.10', '192.168.1.256', '192.168.1', '1.2.3.4.', '1..2.3'].map((value) => fitsSetting(first, value))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(mayBeSaved(ssid, 'Bus {{vehicle}} and a very long text after it')).toBe(true);
  expect(mayBeSaved(settingOf(NTP), 'time.{{depot}}.example')).toBe(true);
  expect(mayBeSaved(settingOf(NTP), '<script>{{depot}}')).toBe(false);
  expect(mayBeSaved(ssid, '\u202E{{vehicle}}')).toBe(false);
  expect(mayBeSaved(settingOf(PASSPHRASE), '{{x}}')).toBe(false);
  expect(mayBeSaved(first, '{{vehicle}}')).toBe(false);
});
