import { beforeEach, describe, expect, test } from 'vitest';
import { notifications } from '@highline/contract';
import type { Database } from '../../platform/ports/database.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createAccountsService } from '../accounts/index.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { createRouterAlarms, purgeEvents, raise, notifyEvents, notifyExpiries } from './index.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const app = useTestApp();
let main: MainScope;
let scope: OrganizationScope;
let admin: Actor;
let now = START;
let made = 0;

beforeEach(async () => {
  pass(86_400);
  await notifyEvents(deps());
  await app.owner.query('delete from mails');
  main = (await app.seeding.mainAccount('Main')).scope;
  scope = await app.seeding.organization(main, 'Buses & <Trams>');
  admin = app.person(scope, 'admin');
});

const deps = (database: Database = app.database) => ({
  database,
  clock: app.clock,
  log: silentLog,
  origin: () => 'https://cloud.test',
});
function pass(seconds: number): void {
  now += seconds * 1_000;
  app.clock.set(new Date(now).toISOString());
}
const subscribe = async (mail: string, events: readonly string[], more: object = {}, as = admin) => {
  const response = await app.call('POST', '/data_manager/v1/notify/user', { as, body: { mail, events, ...more } });
  expect(response.status).toBe(200);
};
type Row = { recipient: string; subject: string; plain: string; html: string; organization_id: string; kind: string };
const mails = async (): Promise<Row[]> => (await app.owner.query<Row>('select * from mails order by recipient, subject')).rows;
/** New mails by recipient since the last call. */
const takeMails = async () => {
  const found = await mails();
  await app.owner.query('delete from mails');
  return found.map(({ recipient, subject }) => `${recipient}: ${subject}`).sort();
};
const notify = async () => {
  await notifyEvents(deps());
  return takeMails();
};
const happen = (event: 'CONFIG_UPLOADED' | 'BATTERY_LOW', what: string, groupKey: string | null = null) =>
  app.database.write((tx) => raise(tx, scope, [{ event, groupKey, detail: { what: [what], count: 1 } }], app.clock.now()));
async function device(of = scope, more: { group?: string; expired?: string } = {}) {
  const serial = `SN-${String(++made).padStart(6, '0')}`;
  const [router] = await app.seeding.routers(main, [{ serial, mac: macOf(made) }]);
  const [id] = await app.seeding.devices(of, [{ serial, mac: router!.mac, ...more }]);
  return { id: id!, serial, routerId: router!.id };
}
const macOf = (number: number) => number.toString(16).padStart(12, '0').toUpperCase();

describe('events of API calls', () => {
  test('NTF-02-partial each event is one mail to each recipient of its organization, and to no one else', async () => {
    const other = await app.seeding.organization(main, 'Other');
    const group = await app.seeding.group(scope, 'North');
    for (const mail of ['a@fleet.example', 'b@fleet.example']) await subscribe(mail, notifications.happenings);
    await subscribe('none@fleet.example', ['BATTERY_LOW']);
    await subscribe('strange@fleet.example', notifications.happenings, {}, app.person(other, 'admin'));
    await app.seeding.routers(main, [{ serial: 'SN-CALL', mac: '00B2D056C227' }]);
    const added = await app.call('POST', '/data_manager/v1/dm/devices', {
      as: admin,
      body: { devices: [{ serial_number: 'SN-CALL', mac: '00B2D056C227', started: '01/01/2026', expired: '12/31/2027' }] },
    });
    expect(added.status).toBe(200);
    expect(await notify()).toEqual(['a@fleet.example: Devices added: SN-CALL', 'b@fleet.example: Devices added: SN-CALL']);
    const config = await app.seeding.config(scope, { name: 'depot.cfg' });
    expect(await notify()).toEqual([
      'a@fleet.example: Config file uploaded: depot.cfg',
      'b@fleet.example: Config file uploaded: depot.cfg',
    ]);
    await app.seeding.binding(scope, { kind: 'config', group, file: config, schedule: 'immediate' });
    await notifyEvents(deps());
    expect((await mails())[0]!.plain).toContain(`https://cloud.test/groups/detail?group=${group}`);
    expect(await takeMails()).toEqual([
      'a@fleet.example: Update scheduled: North – depot.cfg',
      'b@fleet.example: Update scheduled: North – depot.cfg',
    ]);
    const { rows } = await app.owner.query<{ id: string }>("select id from devices where serial = 'SN-CALL'");
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [rows[0]!.id] } });
    expect(await notify()).toEqual(['a@fleet.example: Devices deleted: SN-CALL', 'b@fleet.example: Devices deleted: SN-CALL']);
    expect(await notify()).toEqual([]);
  });

  test('FWR-02 firmware added to the catalogue by the operator is announced in every organization of that main account', async () => {
    const second = await app.seeding.organization(main, 'Second');
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const foreign = await app.seeding.organization(foreignUser, 'Foreign');
    for (const [mail, of] of [
      ['first@fleet.example', scope],
      ['second@fleet.example', second],
      ['foreign@fleet.example', foreign],
    ] as const)
      await subscribe(mail, ['FIRMWARE_UPLOADED'], {}, app.person(of, 'admin'));
    const upload = (as: Actor, version: string) =>
      app.call('POST', '/data_manager/v1/dm/firmware', {
        as,
        body: { profile: 'HL-100', version },
        file: app.seeding.image({ model: 'HL-100', version }),
      });
    expect((await upload(admin, '6.6.6')).status).toBe(403);
    expect(await notify()).toEqual([]);
    expect((await upload(app.person(main, 'main'), '7.1.0')).status).toBe(200);
    const listed = await app.call('GET', '/data_manager/v1/dm/firmware', { as: admin });
    expect(listed.json.result.map(({ version }: { version: string }) => version)).toEqual(['7.1.0']);
    expect(await notify()).toEqual([
      'first@fleet.example: New firmware: 7.1.0 – HL-100',
      'second@fleet.example: New firmware: 7.1.0 – HL-100',
    ]);
  });

  test('NTF-02-partial USR-05-partial an account is notified while it is an admin, an address that an admin enters always', async () => {
    const id = scope.organizationId;
    const email = `crew-${id}@fleet.example`;
    await app.seeding.account(scope, email, 'admin');
    await subscribe(email, ['CONFIG_UPLOADED']);
    await subscribe(`entered-${id}@fleet.example`, ['CONFIG_UPLOADED']);
    const entered = `entered-${id}@fleet.example: Config file uploaded: x.cfg`;
    const own = `${email}: Config file uploaded: x.cfg`;
    const role = (name: string) =>
      app.owner.query('update accounts set roles = $2 where email = $1', [email, [`r.${id}.${name}`]]);
    await happen('CONFIG_UPLOADED', 'x.cfg');
    expect(await notify()).toEqual([own, entered]);
    pass(120);
    await role('vendor');
    await happen('CONFIG_UPLOADED', 'x.cfg');
    expect(await notify()).toEqual([entered]);
    pass(600);
    await role('super');
    await happen('CONFIG_UPLOADED', 'x.cfg');
    expect(await notify()).toEqual([own, entered]);
  });

  test('a recipient of some groups gets only their events, and those without a group', async () => {
    const [north, south] = [await app.seeding.group(scope, 'North'), await app.seeding.group(scope, 'South')];
    await subscribe('north@fleet.example', ['BATTERY_LOW', 'CONFIG_UPLOADED'], { gids: [north] });
    await subscribe('all@fleet.example', ['BATTERY_LOW']);
    await happen('BATTERY_LOW', 'N1', north);
    await happen('BATTERY_LOW', 'S1', south);
    await happen('CONFIG_UPLOADED', 'x.cfg');
    expect(await notify()).toEqual([
      'all@fleet.example: Battery low: 2 events',
      'north@fleet.example: Battery low: N1',
      'north@fleet.example: Config file uploaded: x.cfg',
    ]);
  });
});

describe('many of one kind', () => {
  test('the first is sent at once, those within a minute together, and continuing ones less and less often', async () => {
    await subscribe('a@fleet.example', ['CONFIG_UPLOADED']);
    await happen('CONFIG_UPLOADED', 'one.cfg');
    expect(await notify()).toEqual(['a@fleet.example: Config file uploaded: one.cfg']);
    pass(1);
    for (let index = 0; index < 60; index += 1) {
      pass(0.01);
      await happen('CONFIG_UPLOADED', `f${index}.cfg`);
    }
    pass(57);
    expect(await notify()).toEqual([]);
    pass(2);
    await notifyEvents(deps());
    const [digest, ...more] = await mails();
    expect([digest!.subject, more]).toEqual(['Config file uploaded: 60 events', []]);
    expect(digest!.plain).toContain('f49.cfg');
    expect(digest!.plain).toContain('- and 10 more');
    expect(digest!.plain).not.toContain('f50.cfg');
    await takeMails();
    // One mail per run, all day without throttling: 43,200.
    let sent = 0;
    for (let minute = 0; minute < 240; minute += 1) {
      await happen('CONFIG_UPLOADED', 'again.cfg');
      sent += (await notify()).length;
      pass(60);
    }
    expect(sent).toBeGreaterThan(10);
    expect(sent).toBeLessThan(25);
    pass(3_600);
    await notify();
    pass(3_600);
    await happen('CONFIG_UPLOADED', 'late.cfg');
    expect(await notify()).toEqual(['a@fleet.example: Config file uploaded: late.cfg']);
  });

  test('an alarm that flaps a thousand times within a minute is one line of one mail of each kind, and one row', async () => {
    await subscribe('a@fleet.example', ['BATTERY_LOW', 'BATTERY_LOW_CLEAR']);
    const { routerId, serial } = await device();
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog });
    const flaps = Array.from({ length: 1_000 }, (_, index) =>
      reports.recordReport(routerId, { kind: 'battery-low', isOn: index % 2 === 0 }),
    );
    await Promise.all(flaps);
    await notifyEvents(deps());
    const found = await mails();
    expect(found.map(({ subject }) => subject).sort()).toEqual([`Battery low: ${serial}`, `Battery recovered: ${serial}`]);
    expect(found[0]!.plain).toContain('500 times');
    const { rows } = await app.owner.query(
      "select times from notification_events where organization_id = $1 and event like 'BATT%'",
      [scope.organizationId],
    );
    expect(rows).toEqual([{ times: 500 }, { times: 500 }]);
    const lines = await app.owner.query('select subject, state from router_events where router_id = $1 order by subject', [
      routerId,
    ]);
    expect(lines.rows).toEqual([
      { subject: 'BATTERY_LOW', state: 'raised' },
      { subject: 'BATTERY_LOW_CLEAR', state: 'cleared' },
    ]);
  });
});

describe('router reports', () => {
  test('alarms are sent when they are raised and cleared; an unchanged alarm, and an unclaimed router, send nothing', async () => {
    const events = ['BATTERY_LOW', 'BATTERY_LOW_CLEAR', 'THERMAL_5G_PROTECT', 'THERMAL_5G_PROTECT_CLEAR'];
    await subscribe('a@fleet.example', events);
    const { routerId, serial, id } = await device();
    const [loose] = await app.seeding.routers(main, [{ serial: `L-${serial}`, mac: macOf(900_000) }]);
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog });
    const report = (kind: 'battery-low' | 'thermal-protection', isOn: boolean, router = routerId) =>
      reports.recordReport(router, { kind, isOn });
    await report('battery-low', false);
    await report('battery-low', true, loose!.id);
    expect(await notify()).toEqual([]);
    await report('battery-low', true);
    await report('battery-low', true);
    await notifyEvents(deps());
    expect((await mails())[0]!.plain).toContain(`https://cloud.test/devices/setting?device=${id}`);
    expect(await takeMails()).toEqual([`a@fleet.example: Battery low: ${serial}`]);
    // Another process, or the same after a restart, gets the same report again.
    await createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog }).recordReport(routerId, {
      kind: 'battery-low',
      isOn: true,
    });
    pass(3_600);
    expect(await notify()).toEqual([]);
    await report('battery-low', false);
    await report('thermal-protection', true);
    expect(await notify()).toEqual([
      `a@fleet.example: 5G thermal protection on: ${serial}`,
      `a@fleet.example: Battery recovered: ${serial}`,
    ]);
    await report('thermal-protection', false);
    expect(await notify()).toEqual([`a@fleet.example: 5G thermal protection off: ${serial}`]);
  });

  test('a password change and a factory reset are sent once, also when the router repeats itself', async () => {
    await subscribe('a@fleet.example', ['DEVICE_ADMIN_CHANGE_PASSWORD', 'DEVICE_FACTORY_RESET']);
    const { routerId, serial } = await device();
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog });
    const changed = (at: string) => reports.recordReport(routerId, { kind: 'password-changed', at });
    await changed('0001-01-01T00:00:00Z');
    expect(await notify()).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1) await changed('2026-11-20T10:00:00Z');
    expect(await notify()).toEqual([`a@fleet.example: Router password changed: ${serial}`]);
    const boot = (wasReset: boolean, text: string) => reports.booted(routerId, wasReset, Buffer.from(text));
    await boot(false, 'first');
    expect(await notify()).toEqual([]);
    await boot(true, 'reset');
    await boot(true, 'reset');
    expect(await notify()).toEqual([`a@fleet.example: Router reset to factory settings: ${serial}`]);
    pass(3_600);
    // The reset restored the factory password.
    await changed('0001-01-01T00:00:00Z');
    await boot(false, 'start');
    expect(await notify()).toEqual([]);
    // An agent that counts its messages from 1 again after each start.
    await boot(true, 'reset');
    expect(await notify()).toEqual([`a@fleet.example: Router reset to factory settings: ${serial}`]);
  });

  test('a reset is sent once, whether its Boot! comes first or the loss of the subscriptions, and a later one again', async () => {
    await subscribe('a@fleet.example', ['DEVICE_FACTORY_RESET']);
    const { routerId, serial } = await device();
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog });
    const mail = `a@fleet.example: Router reset to factory settings: ${serial}`;
    await reports.booted(routerId, true, Buffer.from('reset'));
    expect(await notify()).toEqual([mail]);
    pass(120);
    await reports.lostSubscriptions(routerId, app.clock.now());
    pass(3_600);
    expect(await notify()).toEqual([]);
    await reports.lostSubscriptions(routerId, app.clock.now());
    expect(await notify()).toEqual([mail]);
    pass(120);
    await reports.booted(routerId, true, Buffer.from('another reset'));
    pass(3_600);
    expect(await notify()).toEqual([]);
  });

  test('a router that moved to another organization starts over, and reports nothing to the old one', async () => {
    await subscribe('old@fleet.example', ['BATTERY_LOW', 'BATTERY_LOW_CLEAR']);
    const { id, serial, routerId } = await device();
    const reports = createRouterAlarms({ database: app.database, clock: app.clock, log: silentLog });
    await reports.recordReport(routerId, { kind: 'battery-low', isOn: true });
    expect(await notify()).toEqual([`old@fleet.example: Battery low: ${serial}`]);
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [id] } });
    const next = await app.seeding.organization(main, 'Next');
    await subscribe('new@fleet.example', ['BATTERY_LOW', 'BATTERY_LOW_CLEAR'], {}, app.person(next, 'admin'));
    const { rows } = await app.owner.query<{ mac: string }>('select mac from routers where id = $1', [routerId]);
    await app.seeding.devices(next, [{ serial, mac: rows[0]!.mac }]);
    await reports.recordReport(routerId, { kind: 'battery-low', isOn: true });
    expect(await notify()).toEqual([`new@fleet.example: Battery low: ${serial}`]);
  });
});

describe('subscriptions that end', () => {
  // The 20th of November 2026 is a Friday.
  const at = (text: string) => {
    now = Date.parse(text);
    app.clock.set(text);
  };
  const notifyEnding = async () => {
    await notifyExpiries(deps());
    return takeMails();
  };

  test('NTF-02-partial SVC-02-partial are sent once in each period, by the days of UTC and weeks from Sunday', async () => {
    at('2027-02-10T10:00:00Z');
    const all = ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION', 'MONTH_NOTIFY_SUBSCRIPTION'];
    await subscribe('all@fleet.example', all);
    await subscribe('today@fleet.example', ['TODAY_NOTIFY_SUBSCRIPTION']);
    await subscribe('unticked@fleet.example', notifications.happenings);
    const today = await device(scope, { expired: '02/10/2027' });
    await device(scope, { expired: '02/13/2027' });
    await device(scope, { expired: '02/14/2027' });
    await device(scope, { expired: '02/28/2027' });
    await device(scope, { expired: '03/01/2027' });
    await takeMails();
    await notifyExpiries(deps());
    const [first] = (await mails()).filter(({ subject }) => subject.includes('today'));
    expect(first!.plain).toContain(`- ${today.serial} – ends Feb 10, 2027`);
    expect(first!.plain).toContain('https://cloud.test/devices/service?expiration=today');
    expect(await takeMails()).toEqual([
      'all@fleet.example: Subscriptions ending this month: 4',
      'all@fleet.example: Subscriptions ending this week: 2',
      'all@fleet.example: Subscriptions ending today: 1',
      'today@fleet.example: Subscriptions ending today: 1',
    ]);
    at('2027-02-10T23:59:59Z');
    expect(await notifyEnding()).toEqual([]);
    at('2027-02-11T00:00:00Z');
    expect(await notifyEnding()).toEqual([]);
    at('2027-02-13T23:59:59Z');
    expect(await notifyEnding()).toEqual([
      'all@fleet.example: Subscriptions ending today: 1',
      'today@fleet.example: Subscriptions ending today: 1',
    ]);
    at('2027-02-14T00:00:00Z');
    expect(await notifyEnding()).toEqual([
      'all@fleet.example: Subscriptions ending this week: 1',
      'all@fleet.example: Subscriptions ending today: 1',
      'today@fleet.example: Subscriptions ending today: 1',
    ]);
    // A later recipient gets the rest, and earlier recipients get nothing more.
    await subscribe('late@fleet.example', all);
    expect(await notifyEnding()).toEqual([
      'late@fleet.example: Subscriptions ending this month: 2',
      'late@fleet.example: Subscriptions ending this week: 1',
      'late@fleet.example: Subscriptions ending today: 1',
    ]);
    at('2027-03-01T00:00:00Z');
    await purgeEvents(app.database, app.clock.now());
    expect((await notifyEnding()).filter((line) => line.startsWith('all@'))).toEqual([
      'all@fleet.example: Subscriptions ending this month: 1',
      'all@fleet.example: Subscriptions ending this week: 1',
      'all@fleet.example: Subscriptions ending today: 1',
    ]);
  });

  test('are sent by several processes at once as by one, for the chosen groups only, in the language and zone of the reader', async () => {
    at('2027-06-10T10:00:00Z');
    const group = await app.seeding.group(scope, '北');
    await subscribe('north@fleet.example', ['TODAY_NOTIFY_SUBSCRIPTION'], { gids: [group], language: 'zh-TW' });
    await subscribe('all@fleet.example', ['TODAY_NOTIFY_SUBSCRIPTION']);
    await device(scope, { expired: '06/10/2027' });
    await takeMails();
    await Promise.all([notifyExpiries(deps()), notifyExpiries(deps()), notifyExpiries(deps())]);
    expect(await takeMails()).toEqual(['all@fleet.example: Subscriptions ending today: 1']);
    const inside = await device(scope, { expired: '06/10/2027', group });
    await notifyExpiries(deps());
    const [mail] = await mails();
    expect(mail).toMatchObject({ recipient: 'north@fleet.example', subject: '今天到期的訂閱：1' });
    expect(mail!.plain).toContain(`${inside.serial} – 2027年6月10日 到期`);
  });
});

describe('mails about events', () => {
  test('carry names typed by users as plain text only, and show times in the zone of the reader', async () => {
    await subscribe('a@fleet.example', ['CONFIG_UPLOADED'], { language: 'en-US', zone: 'America/Chicago' });
    await subscribe('z@fleet.example', ['CONFIG_UPLOADED'], { language: 'zh-TW', zone: 'Asia/Taipei' });
    app.clock.set('2027-07-01T03:30:00Z');
    now = Date.parse('2027-07-01T03:30:00Z');
    await happen('CONFIG_UPLOADED', 'x\r\nBcc: evil@x.example\r\n\r\n<script>alert(1)</script>\u202e\u2028.cfg');
    await notifyEvents(deps());
    const [english, chinese] = await mails();
    expect(english!.subject).toBe('Config file uploaded: x Bcc: evil@x.example <script>alert(1)</script> .cfg');
    expect(english!.plain).toContain('- Jun 30, 2027, 22:30 CDT – x Bcc');
    expect(english!.html).toContain('&lt;script&gt;');
    expect(english!.html).toContain('Buses &amp; &lt;Trams&gt;');
    expect(english!.html).not.toContain('<script>');
    expect(chinese!.subject.startsWith('設定檔已上傳：x Bcc')).toBe(true);
    expect(chinese!.plain).toMatch(/2027年7月1日 11:30 \[?GMT\+8\]?/u);
    expect(chinese!.html).toContain('<html lang="zh-TW">');
    expect(english).toMatchObject({ organization_id: scope.organizationId, kind: 'notification' });
  });

  test('are written once by any number of processes, and all or none of them', async () => {
    await subscribe('a@fleet.example', ['CONFIG_UPLOADED']);
    await subscribe('b@fleet.example', ['CONFIG_UPLOADED']);
    await happen('CONFIG_UPLOADED', 'x.cfg');
    // The process dies between any two statements of the transaction that writes the mails.
    for (let statements = 0; ; statements += 1) {
      expect(await mails()).toEqual([]);
      if (await survives(statements)) break;
    }
    expect((await mails()).map(({ recipient }) => recipient).sort()).toEqual(['a@fleet.example', 'b@fleet.example']);
    await Promise.all([notifyEvents(deps()), notifyEvents(deps()), notifyEvents(deps())]);
    expect(await mails()).toHaveLength(2);
  });

  /** Run it with a database that fails after this many statements. @returns whether it completed */
  async function survives(statements: number): Promise<boolean> {
    const before = (await mails()).length;
    const { database } = app;
    const dying: Database = {
      ...database,
      write: (work) =>
        database.write((tx) => {
          let left = statements;
          const guarded = new Proxy(tx, {
            get(target, name) {
              if (['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'getExecutor'].includes(String(name)) && left-- <= 0)
                throw new Error('killed');
              const value: unknown = Reflect.get(target, name);
              return typeof value === 'function' ? value.bind(target) : value;
            },
          });
          return work(guarded);
        }),
    };
    await notifyEvents(deps(dying));
    return (await mails()).length > before;
  }

  test('no longer wait for a recipient who was deleted or lost the role', async () => {
    const id = scope.organizationId;
    const [boss, crew] = [`boss-${id}@fleet.example`, `crew-${id}@fleet.example`];
    for (const mail of [boss, crew, `entered-${id}@fleet.example`]) await subscribe(mail, ['CONFIG_UPLOADED']);
    await app.seeding.account(scope, boss, 'admin');
    const crewId = await app.seeding.account(scope, crew, 'admin');
    await happen('CONFIG_UPLOADED', 'x.cfg');
    await notifyEvents(deps());
    expect(await mails()).toHaveLength(3);
    const { database, clock } = app;
    const people = createAccountsService({
      database,
      clock,
      sealing: createTestSealing(),
      mailSealing: createTestSealing(),
      challenges: createTestSealing(),
      endStreams: () => {},
    });
    const demotion = { original: `r.${id}.super`, target: `r.${id}.vendor` };
    await people.changeRole(admin, crewId, demotion, () => true);
    expect((await mails()).map(({ recipient }) => recipient)).not.toContain(crew);
    await people.remove(admin, crewId);
    const { rows } = await app.owner.query<{ mail: string }>(
      'select mail from notification_subscriptions where organization_id = $1 order by mail',
      [id],
    );
    expect(rows.map(({ mail }) => mail)).toEqual([boss, `entered-${id}@fleet.example`]);
  });

  test('and their events are deleted after forty days', async () => {
    await happen('CONFIG_UPLOADED', 'x.cfg');
    const count = async () =>
      (await app.owner.query('select 1 from notification_events where organization_id = $1', [scope.organizationId])).rowCount;
    await purgeEvents(app.database, new Date(now + 39 * 86_400_000));
    expect(await count()).toBe(1);
    await purgeEvents(app.database, new Date(now + 41 * 86_400_000));
    expect(await count()).toBe(0);
  });
});
