import assert from 'node:assert/strict';
import { notifications } from '@highline/contract';
import { startAgent, type RouterHandle } from '@highline/router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestSealing } from '../../testing/sealing.ts';
import { eventually } from '../../testing/eventually.ts';
import { createSmtpTransport } from '../../platform/adapters/mail/smtp.ts';
import { utcDay } from '../../kernel/calendar.ts';
import { newId } from '../../kernel/ids.ts';
import type { MailTransport } from '../../platform/ports/mail.ts';
import { createMovingClock } from '../../testing/call.ts';
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts';
import { silentLog } from '../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { startTestSmtp, type TestSmtp } from '../../testing/smtp.ts';
import { deliverDueMails } from '../mails/index.ts';
import { raise, notifyEvents, notifyExpiries } from './index.ts';

// A router of our own, a gateway, PostgreSQL and a mail server, all real; each step is run separately, so that it can be
// interrupted.

const FAST = {
  backoff: { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 },
  bootMs: 30,
  graceMs: 5,
  valueChangePollMs: 50,
};

let fleet: RouterDatabase;
let smtp: TestSmtp;
let transport: MailTransport;
let clock = createMovingClock();

beforeAll(async () => {
  [fleet, smtp] = await Promise.all([openRouterDatabase(), startTestSmtp()]);
});
afterAll(async () => {
  await smtp.down();
  await fleet.close();
});
beforeEach(async () => {
  clock = createMovingClock();
  transport = createSmtpTransport(smtp.url, 'Highline <no-reply@highline.invalid>');
  for (const table of [
    'notification_deliveries',
    'notification_events',
    'notification_subscriptions',
    'notification_throttles',
    'mails',
  ])
    await fleet.pool.query(`delete from ${table}`);
  smtp.taken.splice(0);
});
afterEach(() => transport.close());

const deps = () => ({ database: fleet.database, clock, log: silentLog, origin: () => 'https://cloud.test' });
const notify = () => notifyEvents(deps());
const deliver = (over: MailTransport = transport, stopping?: AbortSignal) =>
  deliverDueMails({
    ...(stopping !== undefined && { stopping }),
    database: fleet.database,
    transport: over,
    sealing: createTestSealing(),
    now: () => clock.now(),
    log: silentLog,
  });
const subscribe = (mail: string, events: string[], organizationId = fleet.organizationId) =>
  fleet.pool.query('insert into notification_subscriptions (organization_id, mail, events) values ($1, $2, $3)', [
    organizationId,
    mail,
    events,
  ]);
const eventsRaised = async () =>
  (
    await fleet.pool.query<{ event: string; times: number }>('select event, times from notification_events order by event')
  ).rows.map(({ event, times }) => `${event} ${times}`);
const taken = () => smtp.taken.map(({ to, headers }) => `${to.join()}: ${headers['subject']}`).sort();
const idsTaken = () => new Set(smtp.taken.map(({ headers }) => headers['message-id']));

describe('from a router to a mailbox', () => {
  let gateway: TestGateway;
  let router: TestRouter;
  let agent: RouterHandle;

  beforeEach(async () => {
    [router] = (await addTestRouters(fleet, 1)) as [TestRouter];
    gateway = await startTestGateway(fleet, { pingMs: 200, silenceMs: 2_000 });
    const { serial, mac, secret } = router;
    agent = startAgent({ server: gateway.address, router: { serial, mac, secret, model: 'HR-500' }, timing: FAST });
    await gateway.reconciled();
  });
  afterEach(async () => {
    await agent.stop();
    await gateway.stop();
  });

  const restart = async () => {
    await gateway.kill();
    gateway = await startTestGateway(fleet, {}, { port: gateway.port });
    await gateway.reconciled();
  };

  test('NTF-02-partial a low battery is one mail in the mail server, even if processes are killed between any two steps, and none elsewhere', async () => {
    const unrelated = newId();
    await fleet.pool.query('insert into organizations (id, main_account_id, name) values ($1, $2, $3)', [
      unrelated,
      fleet.mainAccountId,
      'Unrelated',
    ]);
    await subscribe('own@fleet.example', ['BATTERY_LOW', 'BATTERY_LOW_CLEAR']);
    await subscribe('unrelated@fleet.example', ['BATTERY_LOW', 'BATTERY_LOW_CLEAR'], unrelated);

    // The database is down, and the server dies with the unwritten report.
    const outage = fleet.breakDatabase();
    agent.overrideBattery(12);
    await eventually(() => expect(outage.tries()).toBeGreaterThan(0));
    await gateway.kill();
    outage.repair();
    expect(await eventsRaised()).toEqual([]);
    gateway = await startTestGateway(fleet, {}, { port: gateway.port });
    await eventually(async () => expect(await eventsRaised()).toEqual(['BATTERY_LOW 1']));

    // Stored, and the server dies: the router repeats the report, and once more as it connects.
    await restart();
    agent.reboot();
    await gateway.reconciled(2);
    expect(await eventsRaised()).toEqual(['BATTERY_LOW 1']);

    const line = "select subject, state from router_events where router_id = $1 and kind = 'alarm'";
    expect((await fleet.pool.query(line, [router.id])).rows).toEqual([{ subject: 'BATTERY_LOW', state: 'raised' }]);

    // The mail is written; the process that is delivering it dies.
    clock.advance(1_000);
    expect(await notify()).toBe(1);
    expect(await notify()).toBe(0);
    let began: () => void = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const dead: MailTransport = {
      send: () => {
        began();
        return new Promise(() => {});
      },
      async close() {},
    };
    const death = new AbortController();
    void deliver(dead, death.signal);
    await beginning;
    // It does nothing any more.
    death.abort();
    expect([await deliver(), taken()]).toEqual([0, []]);
    clock.advance(15 * 60_000);
    await deliver();
    expect(taken()).toEqual([`own@fleet.example: Battery low: ${router.serial}`]);
    await deliver();
    await notify();
    await deliver();
    expect(smtp.taken).toHaveLength(1);
    const [mail] = smtp.taken;
    expect(mail!.plain).toContain(`https://cloud.test/devices/setting?device=${router.deviceId}`);
    expect(mail!.html).toContain('<html lang="en-US">');

    agent.overrideBattery(80);
    await eventually(async () => expect(await eventsRaised()).toEqual(['BATTERY_LOW 1', 'BATTERY_LOW_CLEAR 1']));
    await notify();
    await deliver();
    expect(taken()).toEqual([
      `own@fleet.example: Battery low: ${router.serial}`,
      `own@fleet.example: Battery recovered: ${router.serial}`,
    ]);
  });

  test('NTF-01-partial thermal protection, a password change and a factory reset come from the router itself', async () => {
    await subscribe('own@fleet.example', [
      'THERMAL_5G_PROTECT',
      'THERMAL_5G_PROTECT_CLEAR',
      'DEVICE_ADMIN_CHANGE_PASSWORD',
      'DEVICE_FACTORY_RESET',
    ]);
    agent.overrideTemperature(90);
    await eventually(async () => expect(await eventsRaised()).toContain('THERMAL_5G_PROTECT 1'));
    agent.overrideTemperature(40);
    agent.changePassword();
    await eventually(async () =>
      expect(await eventsRaised()).toEqual([
        'DEVICE_ADMIN_CHANGE_PASSWORD 1',
        'THERMAL_5G_PROTECT 1',
        'THERMAL_5G_PROTECT_CLEAR 1',
      ]),
    );
    agent.factoryReset();
    await eventually(async () => expect(await eventsRaised()).toContain('DEVICE_FACTORY_RESET 1'));
    await restart();
    await notify();
    await deliver();
    expect(taken()).toEqual([
      `own@fleet.example: 5G thermal protection off: ${router.serial}`,
      `own@fleet.example: 5G thermal protection on: ${router.serial}`,
      `own@fleet.example: Router password changed: ${router.serial}`,
      `own@fleet.example: Router reset to factory settings: ${router.serial}`,
    ]);
  });
});

test('NTF-02 each event is one mail over SMTP to each eligible recipient, once, also when processes die over it', async () => {
  const account = (mail: string, role: 'super' | 'vendor') =>
    fleet.pool.query(
      'insert into accounts (id, main_account_id, organization_id, email, name, roles) values ($1, $2, $3, $4, $4, $5)',
      [newId(), fleet.mainAccountId, fleet.organizationId, mail, [`r.${fleet.organizationId}.${role}`]],
    );
  await account('boss@fleet.example', 'super');
  await account('crew@fleet.example', 'vendor');
  const all = ['boss', 'crew', 'entered'].map((name) => `${name}@fleet.example`);
  for (const mail of all) await subscribe(mail, [...notifications.notificationEvents]);
  await subscribe('unticked@fleet.example', [...notifications.happenings]);
  const [router] = await addTestRouters(fleet, 1);
  await fleet.pool.query("update devices set started_on = '2026-01-01', expires_on = $2 where id = $1", [
    router!.deviceId,
    utcDay(clock.now()),
  ]);
  const scope = { kind: 'organization', mainAccountId: fleet.mainAccountId, organizationId: fleet.organizationId } as const;
  const happened = notifications.happenings.map((event) => ({ event, groupKey: null, detail: { what: ['it'], count: 1 } }));
  await fleet.database.write((tx) => raise(tx, scope, happened, clock.now()));

  // A process that dies with the transaction open, and then two concurrent ones.
  const dying = { ...deps(), origin: () => assert.fail('killed') };
  await Promise.all([notifyEvents(dying), notifyExpiries(dying)]);
  expect((await fleet.pool.query('select 1 from mails')).rowCount).toBe(0);
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.all([notify(), notify(), notifyExpiries(deps()), notifyExpiries(deps())]);
    await Promise.all([deliver(), deliver()]);
  }
  const titles = (mail: string) => taken().flatMap((line) => (line.startsWith(`${mail}: `) ? [line.slice(mail.length + 2)] : []));
  expect(titles('boss@fleet.example')).toHaveLength(notifications.notificationEvents.length);
  expect(new Set(titles('boss@fleet.example')).size).toBe(notifications.notificationEvents.length);
  expect(titles('entered@fleet.example')).toEqual(titles('boss@fleet.example'));
  expect(titles('unticked@fleet.example')).toEqual(
    titles('boss@fleet.example').filter((title) => !title.startsWith('Subscriptions ending')),
  );
  expect(titles('unticked@fleet.example')).toHaveLength(notifications.happenings.length);
  expect(titles('crew@fleet.example')).toEqual([]);
});

describe('a mail server that', () => {
  const happen = async (name: string) => {
    const id = newId(clock.now().getTime());
    await fleet.pool.query(
      `insert into notification_events (organization_id, id, event, key, detail, happened_at)
       values ($1, $2, 'CONFIG_UPLOADED', $3, $4, now())`,
      [fleet.organizationId, id, id, JSON.stringify({ what: [name], count: 1 })],
    );
    await notify();
  };
  const stateOf = async (mail: string) =>
    (
      await fleet.pool.query<{ attempts: number; last_error: string | null; waits: boolean }>(
        'select attempts, last_error, next_attempt_at is not null as waits from mails where recipient = $1',
        [mail],
      )
    ).rows[0]!;

  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await subscribe(`${name}@fleet.example`, ['CONFIG_UPLOADED']);
  });

  test('is down for a day gets each mail once when it is back', async () => {
    await smtp.down();
    await happen('x.cfg');
    for (let hour = 0; hour < 24; hour += 1) {
      expect(await deliver()).toBe(0);
      clock.advance(3_600_000);
    }
    expect((await stateOf('a@fleet.example')).last_error).toContain('ECONNREFUSED');
    await smtp.up();
    for (let turn = 0; turn < 4; turn += 1) {
      clock.advance(2 * 3_600_000);
      await deliver();
    }
    expect(taken()).toEqual(['a', 'b', 'c'].map((name) => `${name}@fleet.example: Config file uploaded: x.cfg`));
  });

  test('rejects one recipient permanently, or temporarily, serves the others; a permanent rejection is tried once, and sent again by hand', async () => {
    smtp.rejected.set('a@fleet.example', 550).set('b@fleet.example', 451);
    await happen('x.cfg');
    await fleet.pool.query('delete from outbox');
    expect(await deliver()).toBe(1);
    expect(await stateOf('a@fleet.example')).toMatchObject({ attempts: 1, waits: false });
    expect((await stateOf('a@fleet.example')).last_error).toContain('no such mailbox here');
    // The console gets an event that its list of undelivered mails has grown.
    expect((await fleet.pool.query('select topic, organization_id from outbox')).rows).toEqual([
      { topic: 'notifications', organization_id: fleet.organizationId },
    ]);
    expect(await stateOf('b@fleet.example')).toMatchObject({ attempts: 1, waits: true });
    smtp.rejected.clear();
    clock.advance(3_600_000);
    await deliver();
    expect(taken().map((line) => line[0])).toEqual(['b', 'c']);
    // As after "send again".
    await fleet.pool.query('update mails set attempts = 0, next_attempt_at = $1 where sent_at is null', [clock.now()]);
    const [before] = (await fleet.pool.query<{ id: string }>("select id from mails where recipient = 'a@fleet.example'")).rows;
    await deliver();
    expect(taken().map((line) => line[0])).toEqual(['a', 'b', 'c']);
    expect([...idsTaken()]).toContain(`<${before!.id}@highline>`);
  });

  test('is slow with one mail blocks no other, and a mail whose process died after the answer is sent again under its old id', async () => {
    let respond: () => void = () => {};
    smtp.slow.set(
      'a@fleet.example',
      new Promise<void>((resolve) => {
        respond = resolve;
      }),
    );
    await happen('x.cfg');
    const slow = deliver();
    await eventually(() => expect(taken().map((line) => line[0])).toEqual(['b', 'c']));
    respond();
    await slow;
    smtp.slow.clear();
    expect(taken().map((line) => line[0])).toEqual(['a', 'b', 'c']);
    // Accepted, but the process died before marking it.
    await fleet.pool.query("update mails set sent_at = null, next_attempt_at = $1 where recipient = 'a@fleet.example'", [
      clock.now(),
    ]);
    await deliver();
    expect(taken()).toHaveLength(4);
    expect(idsTaken().size).toBe(3);
  });

  test('gets one recipient, no header from other input, and both forms, whatever the names contain', async () => {
    await happen('x\r\nBcc: evil@fleet.example\r\n.\r\nRCPT TO:<evil@fleet.example>.cfg');
    await deliver();
    for (const { to, headers, plain, html, raw } of smtp.taken) {
      expect(to).toHaveLength(1);
      expect(headers['to']).toBe(to[0]);
      expect(raw).not.toMatch(/^(?:bcc|rcpt)/imu);
      expect(headers['auto-submitted']).toBe('auto-generated');
      expect(plain).toContain('x Bcc: evil@fleet.example . RCPT TO:<evil@fleet.example>.cfg');
      expect(html).toContain('RCPT TO:&lt;evil@fleet.example&gt;');
    }
  });
});
