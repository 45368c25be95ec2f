import { createHash, randomBytes } from 'node:crypto';
import type { alerts, routerBackups, sentCommands } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { findAllowed } from '../accounts/index.ts';
import { startStrictAgent } from '../../testing/agents.ts';
import { Slices } from '../../platform/process/slices.ts';
import { send, until } from '../../testing/call.ts';
import { openRemoteFixture, type ReachableDevice, type RemoteFixture } from '../../testing/remote-fixture.ts';
import { createMasking, isText } from './backup-text.ts';
import { beginNightly, nightOf, purgeBackups, type NightlyDeps } from './nightly.job.ts';

type Backup = routerBackups.RouterBackup;
type Command = sentCommands.SentCommand;

const DAY = 86_400_000;
const origin = () => 'https://highline.test';
const base = '/data_manager/v1/dm';

describe('configurations of routers', () => {
  let fixture: RemoteFixture;
  let device: ReachableDevice;
  beforeAll(async () => {
    fixture = await openRemoteFixture();
    device = await fixture.device();
  });
  afterAll(() => fixture.close());

  const org = () => fixture.scope.organizationId;
  const owner = () => fixture.server.owner;
  const get = (path: string) =>
    send(`${fixture.server.url}${base}${path}${path.includes('?') ? '&' : '?'}org=${org()}`, { bearer: fixture.bearer });
  const post = (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
    send(`${fixture.server.url}${base}${path}`, { method, bearer: fixture.bearer, body: { org: org(), ...body } });
  const keyOf = (response: { json<T>(): T }) => response.json<{ error: { key: string } }>().error.key;
  const versions = async (of: Pick<ReachableDevice, 'id'> = device) =>
    (await get(`/devices/${of.id}/backups`)).json<{ result: Backup[] }>().result;

  async function ended(id: string, of: Pick<ReachableDevice, 'id'> = device): Promise<Command> {
    return until(async () => {
      const { result } = (await get(`/device/commands?device=${of.id}`)).json<{ result: Command[] }>();
      const found = result.find((each) => each.id === id);
      return found === undefined || found.ended === null ? undefined : found;
    });
  }

  async function run(kind: string, argument = '', of: Pick<ReachableDevice, 'id'> = device): Promise<Command> {
    const sent = await post('/device/commands', { device: of.id, kind, argument, wait: 1 });
    expect(sent.status).toBe(200);
    return ended(sent.json<{ result: Command }>().result.id, of);
  }

  test('TPL-06 versions are kept when they differ, shown by lines, and restored to the router', async () => {
    expect((await run('zone', 'EST5EDT')).state).toBe('done');
    expect(await run('backup-config')).toMatchObject({ state: 'done', reason: null });
    expect((await run('backup-config')).state).toBe('done');
    const [first, ...none] = await versions();
    expect(none).toEqual([]);
    expect(first).toMatchObject({ serial_number: device.serial, text: true });
    expect(await run('zone', 'CST6CDT')).toMatchObject({ state: 'done', reason: null });
    expect(await run('backup-config')).toMatchObject({ state: 'done', reason: null });
    const [second] = await versions();
    const compared = (await get(`/router-backups/${second!.id}/text?against=${first!.id}`)).json<{
      result: routerBackups.ComparedBackup;
    }>().result;
    expect(compared.text).toContain('LocalTimeZone = "CST6CDT"');
    expect(compared.against).toContain('LocalTimeZone = "EST5EDT"');

    const restore = (confirmation: string) => post(`/router-backups/${first!.id}/restore`, { confirmation });
    expect((await restore('another')).status).toBe(400);
    const sent = await restore(device.serial);
    expect(sent.status).toBe(200);
    expect(await ended(sent.json<{ result: Command }>().result.id)).toMatchObject({ state: 'done', kind: 'restore-config' });
    expect(await run('backup-config')).toMatchObject({ state: 'done', reason: null });
    const [newest] = await versions();
    expect(newest?.sha256).toBe(first!.sha256);
    expect(newest?.id).not.toBe(first!.id);
  });

  test('TPL-06-partial a file is sealed, and its download is logged', async () => {
    const [newest] = await versions();
    const response = await fetch(`${fixture.server.url}${base}/router-backups/${newest!.id}/file?org=${org()}`, {
      headers: { authorization: `Bearer ${fixture.bearer}` },
    });
    // Our agent's configuration is text, which opens by its name.
    expect(response.headers.get('content-disposition')).toMatch(new RegExp(`${device.serial}.*\\.txt`, 'u'));
    const contents = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(contents).digest('hex')).toBe(newest!.sha256);
    const { rows } = await owner().query<{ sealed: Buffer }>('select sealed from router_backups where id = $1', [newest!.id]);
    expect(rows[0]!.sealed.includes(contents.subarray(0, 20))).toBe(false);
    const { rows: entries } = await owner().query('select 1 from audit_entries where subject_id = $1 and action = $2', [
      device.id,
      `Downloaded the configuration of device ${device.serial}`,
    ]);
    expect(entries).toHaveLength(1);
  });

  test('TPL-06-partial restoring waits for a second person where the organization says so, and fits one model only', async () => {
    const [newest] = await versions();
    await owner().query(
      `insert into approval_policies (company_id, main_account_id, organization_id, factory_reset, settings, deletion, changed_by_email, updated_at)
       values ($1, $2, $1, false, true, false, 'x@y.invalid', now())`,
      [org(), fixture.scope.mainAccountId],
    );
    const restore = () => post(`/router-backups/${newest!.id}/restore`, { confirmation: device.serial, wait: 1 });
    expect(keyOf(await restore())).toBe('approval.waiting');
    await owner().query('delete from approval_policies where company_id = $1', [org()]);
    await owner().query(`update router_backups set model = 'another' where id = $1`, [newest!.id]);
    expect(keyOf(await restore())).toBe('backup.other_model');
    await owner().query('delete from router_backups where id = $1', [newest!.id]);
  });

  test('TPL-06-partial an address takes one file up to the limit, while its command has not ended', async () => {
    const loose = await fixture.scripted();
    const [command, secret] = [newId(), randomBytes(32).toString('base64url')];
    await owner().query(
      `insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, actor, state, created_at, expires_at, due_at)
       select $1, organization_id, main_account_id, id, router_id, serial, 'backup-config', '{"email":"x@y.invalid"}', 'running', now(),
         now() + interval '1 hour', now() + interval '1 hour' from devices where id = $2`,
      [command, loose.id],
    );
    await owner().query(
      `insert into router_backup_transfers (address_hash, organization_id, command_id, device_id, router_id, created_at)
       select $3, organization_id, $1, id, router_id, now() from devices where id = $2`,
      [command, loose.id, createHash('sha256').update(secret).digest()],
    );
    const put = (body: Uint8Array<ArrayBuffer>, of = secret, headers: Record<string, string> = {}) =>
      fetch(`${fixture.server.url}/transfers/${of}`, { method: 'PUT', body, headers }).then(({ status }) => status);
    expect(await put(Buffer.alloc(1_048_577))).toBe(413);
    expect(await put(Buffer.alloc(0))).toBe(400);
    expect(await versions(loose)).toEqual([]);
    // Whatever a router calls it, it is a file.
    expect(await put(Buffer.from([0, 1, 2]), secret, { 'content-type': 'application/json' })).toBe(204);
    expect(await put(Buffer.from('x'), secret, { 'content-type': 'text/plain' })).toBe(204);
    expect(await put(Buffer.from('something else'))).toBe(204);
    const stored = await versions(loose);
    expect(stored).toMatchObject([{ bytes: 3, text: false }]);
    const answer = (await get(`/router-backups/${stored[0]!.id}/text`)).json<{ result: routerBackups.ComparedBackup }>();
    expect(answer.result).toEqual({ text: null, against: null });
    expect(await put(Buffer.from('x'), randomBytes(32).toString('base64url'))).toBe(404);
    await owner().query(`update sent_commands set state = 'done', ended_at = now(), due_at = null where id = $1`, [command]);
    expect(await put(Buffer.from('x'))).toBe(404);
  });

  test('TPL-06 at night each router gets one command, those that cannot get none, and old versions go', async () => {
    const settings = { nightly: true, hour: 1, zone: 'America/Chicago', versions: 2, days: 7 };
    expect((await post('/router-backups/settings', settings, 'PUT')).json()).toMatchObject({
      result: { ...settings, stopped: null },
    });
    expect((await post('/router-backups/settings', { ...settings, zone: 'Nowhere' }, 'PUT')).status).toBe(400);
    const lacking = await fixture.scripted();
    await owner().query(`update routers set reported = reported || '{"offers":["reboot"]}' where id = $1`, [lacking.routerId]);
    const begin = new Date('2030-03-10T07:00:00Z');
    const count = async () => {
      const { rows } = await owner().query<{ device_id: string }>(
        `select device_id from sent_commands where kind = 'backup-config' and created_at >= $1 and organization_id = $2`,
        [begin, org()],
      );
      return rows.map(({ device_id }) => device_id);
    };
    const { database } = fixture.server;
    const nightly = (now: Date, findAllowed: NightlyDeps['findAllowed'] = async () => ({})) =>
      beginNightly({ database, findAllowed, origin }, now);
    await nightly(new Date(begin.getTime() - 1_000));
    expect(await count()).toEqual([]);
    const late = new Date(begin.getTime() + 5 * 3_600_000);
    await Promise.all([nightly(late), nightly(late)]);
    await nightly(new Date(late.getTime() + 60_000));
    const begun = await count();
    expect(new Set(begun).size).toBe(begun.length);
    expect(begun).toContain(device.id);
    expect(begun).not.toContain(lacking.id);

    const insert = (age: number) =>
      owner().query(
        `insert into router_backups select organization_id, ('00000000-0000-7000-8000-' || lpad($2::text, 12, '0'))::uuid, device_id, router_id, serial, model, firmware, name, bytes, sha256,
           is_text, sealed, created_by, created_at - make_interval(days => $2::integer), confirmed_at from router_backups where device_id = $1 limit 1`,
        [device.id, age],
      );
    await insert(9);
    // It was in force until today's version came, and is what is restored should that one be wrong.
    const kept = await versions();
    expect(kept.length).toBeGreaterThan(1);
    await purgeBackups(database, new Date());
    expect(await versions()).toEqual(kept);
    await purgeBackups(database, new Date(Date.now() + 40 * DAY));
    expect(await versions()).toHaveLength(1);
    const { result } = (await get('/router-backups/overdue?days=1')).json<{ result: routerBackups.OverdueDevice[] }>();
    expect(result.map((each) => each.device)).toContain(lacking.id);
    expect(result.map((each) => each.device)).not.toContain(device.id);
    expect(result.find((each) => each.device === lacking.id)).toMatchObject({ last: null, offered: false });
  });

  test('TPL-06 nightly backups of someone who left or lost the right stop, an alert and the page say so, and who saves them continues them', async () => {
    // By day now, so that the job of the server itself begins nothing.
    const hour = (new Date().getUTCHours() + 12) % 24;
    const settings = { nightly: true, hour, zone: 'UTC', versions: 30, days: 365 };
    expect((await post('/router-backups/settings', settings, 'PUT')).status).toBe(200);
    const { database, owner: sql } = fixture.server;
    const findAllowedNow: NightlyDeps['findAllowed'] = (actor, right) => findAllowed(database.read, actor, right);
    const night = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + (hour + 5) * 3_600_000);
    const begin = (day: string) => beginNightly({ database, findAllowed: findAllowedNow, origin }, night(day));
    const stored = async () =>
      (await get('/router-backups/settings')).json<{ result: routerBackups.StoredBackupSettings }>().result;
    const opened = async () => (await get('/../alerts?kind=backups-stopped&limit=50')).json<{ result: alerts.Alert[] }>().result;
    const commands = async (day: string) =>
      (await sql.query("select 1 from sent_commands where kind = 'backup-config' and created_at = $1", [night(day)])).rowCount;
    const endCommands = () =>
      sql.query(`update sent_commands set state = 'expired', ended_at = now(), due_at = null where ended_at is null`);
    await endCommands();
    await begin('2031-01-01');
    expect(await commands('2031-01-01')).toBeGreaterThan(0);
    expect(await stored()).toMatchObject({ stopped: null });

    const { by } = await stored();
    await fixture.another('admin');
    const { rows } = await sql.query<{ roles: string[] }>('select roles from accounts where email = $1', [by]);
    await sql.query("update accounts set roles = '{}' where email = $1", [by]);
    await endCommands();
    for (const day of ['2031-01-02', '2031-01-02', '2031-01-03']) await begin(day);
    await sql.query('update accounts set roles = $2 where email = $1', [by, rows[0]!.roles]);
    expect(await commands('2031-01-02')).toBe(0);
    expect(await stored()).toMatchObject({ nightly: true, stopped: night('2031-01-02').toISOString() });
    expect(await opened()).toMatchObject([
      { state: 'firing', ruleName: 'Nightly backups stopped', vehicle_number: by, device: '' },
    ]);
    // To the other admin, in the transaction of the alert.
    const mails = await sql.query("select 1 from mails where subject like 'Nightly backups stopped%'");
    expect(mails.rowCount).toBe(1);

    expect((await post('/router-backups/settings', settings, 'PUT')).json()).toMatchObject({ result: { stopped: null } });
    expect(await opened()).toMatchObject([{ state: 'resolved' }]);
    await begin('2031-01-04');
    expect(await opened()).toMatchObject([{ state: 'resolved' }]);
  });

  test('TPL-06-partial at night an organization whose backups cannot be begun keeps no other from its own', async () => {
    const hour = (new Date().getUTCHours() + 12) % 24;
    const settings = { nightly: true, hour, zone: 'UTC', versions: 30, days: 365 };
    expect((await post('/router-backups/settings', settings, 'PUT')).status).toBe(200);
    const { database, owner: sql, seeding } = fixture.server;
    const { organizationId: later } = await seeding.organization(fixture.main, 'Later');
    await sql.query(
      `insert into router_backup_settings select $2, main_account_id, nightly, hour, zone, versions, days, $3, updated_at
        from router_backup_settings where organization_id = $1`,
      [org(), later, { email: 'left@later.invalid' }],
    );
    const findAllowedOf: NightlyDeps['findAllowed'] = ({ email }) =>
      email === 'left@later.invalid' ? Promise.resolve(undefined) : Promise.reject(new Error('The connection was lost.'));
    const night = new Date(Date.parse('2031-02-01T00:00:00Z') + (hour + 5) * 3_600_000);
    await expect(beginNightly({ database, findAllowed: findAllowedOf, origin }, night)).rejects.toThrow(org());
    const { rows } = await sql.query('select stopped_at from router_backup_settings where organization_id = $1', [later]);
    expect(rows).toEqual([{ stopped_at: night }]);
    await sql.query('delete from router_backup_settings where organization_id = $1', [later]);
  });

  test.each([true, false])('TPL-06-partial a strict agent whose data model has the command: %s', async (hasConfigBackup) => {
    const serial = `STRICT-B${Number(hasConfigBackup)}`;
    const [router] = await fixture.server.seeding.routers(fixture.main, [
      { serial, mac: makeMac(0xb0 + Number(hasConfigBackup)) },
    ]);
    const [id] = await fixture.server.seeding.devices(fixture.scope, [{ serial, mac: router!.mac }]);
    const agent = startStrictAgent(fixture.server.url.replace('http', 'ws'), router!, { hasConfigBackup });
    try {
      const of = { id: id! };
      const first = await run('backup-config', '', of);
      if (!hasConfigBackup) return expect(first).toMatchObject({ state: 'failed', reason: 'unsupported' });
      expect(first.state).toBe('done');
      const [version] = await versions(of);
      const sent = await post(`/router-backups/${version!.id}/restore`, { confirmation: serial, wait: 1 });
      return expect((await ended(sent.json<{ result: Command }>().result.id, of)).state).toBe('done');
    } finally {
      await agent.stop();
    }
  });
});

test('TPL-06-partial a night begins at its hour in the zone, and belongs to the day of its beginning', () => {
  const night = (at: string, hour = 23) => nightOf({ hour, zone: 'America/Chicago' }, new Date(at));
  expect(night('2026-11-28T05:30:00Z')).toEqual({ night: '2026-11-27', secondsSince: 1_800 });
  expect(night('2026-11-28T10:30:00Z')?.night).toBe('2026-11-27');
  expect(night('2026-11-28T18:00:00Z')).toBeUndefined();
  // The hour that the clock skips.
  expect(night('2026-03-08T08:00:00Z', 2)).toEqual({ night: '2026-03-08', secondsSince: 0 });
});

test('TPL-06-partial passwords, keys and certificates are masked, and a changed one is seen', async () => {
  const mask = createMasking();
  const file = (passphrase: string) =>
    [
      'Device.WiFi.SSID.1.SSID = "Bus 7"',
      `Device.WiFi.AccessPoint.1.Security.KeyPassphrase = "${passphrase}"`,
      `<admin password="${passphrase}"/>`,
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQ',
      '-----END PRIVATE KEY-----',
      'apn = fleet',
    ].join('\n');
  const [before, after] = [await mask(file('first secret')), await mask(file('second'))];
  for (const text of [before, after]) expect(text).not.toMatch(/first secret|second|MIIEvQ/u);
  const changed = (text: string) => text.split('\n').filter((line, at) => line !== before.split('\n')[at]);
  expect(changed(after)).toHaveLength(2);
  expect(after).toContain('"Bus 7"');
  expect(changed(await mask(file('first secret')))).toEqual([]);
  // Names and separators of other files, one without a separator that is known, and a letter that is longer in lower case.
  for (const line of ['ppp_pass=hunter2', 'pwd: hunter2', 'set(wifi_password,hunter2)', `${'İ'.repeat(30)} psk=hunter2`])
    expect(await mask(line)).not.toContain('hunter');
  expect(await mask('ip_passthrough=1')).toBe('ip_passthrough=1');
  expect([isText(Buffer.from('車')), isText(Buffer.from([0xff])), isText(Buffer.from([0]))]).toEqual([true, false, false]);
});

test('TPL-06-partial others get their turn while a long file is masked', async () => {
  let [others, isOver] = [0, false];
  const count = () => {
    others += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const file = Array.from({ length: 2_000 }, (_, at) => `password${at} = "hunter"`).join('\n');
  const text = await createMasking(new Slices(0))(file);
  isOver = true;
  expect(text).not.toContain('hunter');
  // Each line is looked at three times, at most 100 lines at once.
  expect(others).toBeGreaterThanOrEqual(60);
});

test.each([
  ['a block of YAML', 'admin:\n  password: |\n    hunter2\n\n    hunter3\n  name: bus'],
  ['a list of YAML', 'passwords:\n- hunter2\n- hunter3\nname: bus'],
  ['an entry of a list', '- password: hunter2\n  name: bus'],
  ['elements of XML', '<password>\nhunter2\n</password>\nname: bus'],
  ['an attribute of XML', '<admin password="hunter2"/>\nname: bus'],
  ['an array of JSON', '  "psk": [\n    "hunter2",\n    "hunter3"\n  ],\n  "name: bus'],
  ['a long string', 'secret = """\nhunter2\nhunter3\n"""\nname: bus'],
  ['a continued line', 'community = \\\nhunter2 \\\nhunter3\nname: bus'],
  ['a key in a block', 'tls:\n  key: |\n    -----BEGIN KEY-----\n    hunter2\n    -----END KEY-----\n    hunter3\n  name: bus'],
  ['a PIN', 'SimPin = hunter2\nPortMapping.1.Alias = bus'],
  ['a section', '[keys]\nadmin = hunter2\nother: hunter3\n\nhunter4\n[names] ; of vehicles\nname=bus'],
  ['a table of TOML', '[[wifi.passwords]]\nof = "hunter2"\n[wifi]\nname = bus'],
  ['a value before its name', '{"value":"hunter2","name":"password"}\nname: bus'],
  ['a value on the line before', '- {\n  "value": "hunter2",\n  "name": "admin_password"\n}\nname: bus'],
  ['a value on the line after', '{\n  "name": "password",\n  "type": "text",\n  "value": "hunter2"\n}\n"name": bus'],
  ['a value of several lines', '- value: |\n    hunter2\n  name: password\n\n- value: name\n  name: bus'],
  ['elements before their name', '<set>\n <value>hunter2</value>\n <name>wifi.psk</name>\n</set>\nname: bus'],
  ['options of UCI', "config x\n\toption value 'hunter2'\n\toption name 'password'\n\nconfig bus"],
])('TPL-06-partial secrets on lines of their own are masked, and what follows is shown: %s', async (_, file) => {
  const text = await createMasking()(file);
  expect(text).not.toContain('hunter');
  expect(text).toMatch(/bus$/u);
});
