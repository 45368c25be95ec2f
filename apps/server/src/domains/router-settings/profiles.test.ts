import { settingProfiles, standardCatalogue } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../../testing/call.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { checkProfile } from './profile-import.ts';
import { runningValues } from './running-profile.ts';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';
type Profile = settingProfiles.SettingsProfile;
const profileOf = (values: Profile['values']): Profile => ({
  format: settingProfiles.PROFILE_FORMAT,
  version: 1,
  name: 'x',
  values,
});

describe('profiles of settings', () => {
  let fixture: RemoteFixture;
  let device: ReachableDevice;
  beforeAll(async () => {
    fixture = await openRemoteFixture();
    device = await fixture.device();
  });
  afterAll(() => fixture.close());

  const base = () => `${fixture.server.url}/data_manager/v1/dm`;
  const org = () => fixture.scope.organizationId;
  const get = (path: string) => send(`${base()}${path}${path.includes('?') ? '&' : '?'}org=${org()}`, { bearer: fixture.bearer });
  const importInto = (more: object, profile: unknown, dryRun = '', headers: Record<string, string> = {}) =>
    send(`${base()}/settings/profile${dryRun}`, { bearer: fixture.bearer, headers, body: { org: org(), ...more, profile } });
  const reportOf = (response: { json<T>(): T }) => response.json<{ result: settingProfiles.ProfileReport }>().result;

  test('TPL-07 what a router runs becomes a profile, which is compared, imported, exported and imported again', async () => {
    const running = (await get(`/device/settings/running?device=${device.id}`)).json<{ result: Profile }>().result;
    expect(running.name).toBe(device.serial);
    const paths = running.values.map(({ path }) => path);
    expect(paths).toContain(SSID);
    expect(running.values.find(({ path }) => path === PASSPHRASE)?.value).toBeNull();

    const dry = reportOf(await importInto({}, running, '?dryRun=1'));
    expect(dry).toMatchObject({ dryRun: true, saved: false });
    expect(dry.problems.every(({ kind }) => kind === 'secret')).toBe(true);
    expect(dry.changes.find(({ path }) => path === SSID)).toMatchObject({ before: null, isSecret: false });
    const withoutSecrets = profileOf(running.values.filter(({ value }) => value !== null));
    const saved = await importInto({}, withoutSecrets);
    expect(reportOf(saved)).toMatchObject({ saved: true, problems: [] });

    const exported = (await get('/settings/profile')).json<{ result: Profile }>().result;
    expect(exported.values.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
      withoutSecrets.values.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    );
    expect(reportOf(await importInto({}, exported, '?dryRun=1')).changes).toEqual([]);
    const stale = await importInto({}, exported, '', { 'if-match': '"0"' });
    expect(stale.status).toBe(412);
  });

  test('TPL-07-partial every wrong row is reported, nothing of it is saved, and a foreign device is not found', async () => {
    const wrong = profileOf([
      { path: SSID, value: 'x'.repeat(33) },
      { path: 'WiFi.Nothing', value: '1' },
      { path: 'Time.LocalTimeZone', value: 'EST5EDT' },
      { path: 'Time.LocalTimeZone', value: 'CST6CDT' },
      { path: PASSPHRASE, value: null },
    ]);
    const report = reportOf(await importInto({ device: device.id }, wrong));
    expect(report.problems.map(({ row, kind }) => [row, kind])).toEqual([
      [1, 'value'],
      [2, 'unknown'],
      [4, 'twice'],
      [5, 'secret'],
    ]);
    expect(report.saved).toBe(false);
    expect((await get(`/settings/profile?device=${device.id}`)).json<{ result: Profile }>().result.values).toEqual([]);
    expect((await importInto({ device: device.id }, { ...wrong, format: 'another' })).status).toBe(400);
    expect((await get('/settings/profile?device=00000000-0000-0000-0000-000000000000')).status).toBe(404);
  });
});

test('TPL-07-partial a secret of the level is kept by its placeholder, and never shown', () => {
  const content = { [PASSPHRASE]: { secret: 'id' }, [SSID]: { value: 'Bus' } };
  const kept = checkProfile(standardCatalogue, content, profileOf([{ path: PASSPHRASE, value: null }]));
  expect(kept.problems).toEqual([]);
  expect(kept.changes).toEqual([{ path: SSID, before: 'Bus', after: null, isSecret: false }]);
  const typed = checkProfile(standardCatalogue, content, profileOf([{ path: PASSPHRASE, value: 'typed by hand' }]));
  expect(typed.changes.find(({ path }) => path === PASSPHRASE)).toEqual({
    path: PASSPHRASE,
    before: null,
    after: null,
    isSecret: true,
  });
});

test('TPL-07-partial entries of lists are read by their names, and text that looks like a variable is left out', () => {
  const reported = new Map([
    ['Device.NAT.PortMapping.4.Alias', 'camera'],
    ['Device.NAT.PortMapping.4.ExternalPort', '8080'],
    ['Device.NAT.PortMapping.5.Alias', '5 no name'],
    ['Device.NAT.PortMapping.5.ExternalPort', '8081'],
    ['Device.WiFi.SSID.1.Alias', 'passengers'],
    ['Device.WiFi.SSID.1.SSID', '{{vehicle}}'],
  ]);
  expect(runningValues(standardCatalogue, reported)).toEqual([
    { path: 'NAT.PortMapping[name=camera].ExternalPort', value: '8080' },
  ]);
});
