import { createSecretKey, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actOnAlerts, compareAll, createReadingAlerts, fireAndResolve, sendMessages } from '../domains/alerts/index.ts';
import { startCommandJob } from '../domains/bulk-jobs/index.ts';
import { createCoverageJobs } from '../domains/coverage/index.ts';
import { deliverDueMails, enqueueMail } from '../domains/mails/index.ts';
import { createTelemetry } from '../domains/router-state/index.ts';
import {
  createSecretSealing,
  createServerPushKey,
  createWebhookWorker,
  deliverEvents,
  derivePushKey,
  pushKeyPairOf,
} from '../domains/webhooks/index.ts';
import { newId } from '../kernel/index.ts';
import { createSmtpTransport } from '../platform/adapters/mail/smtp.ts';
import { createWebCaller } from '../platform/adapters/web-caller/web-caller.ts';
import { createReader } from '../platform/listing/index.ts';
import { announce } from '../platform/outbox/announce.ts';
import { until } from '../testing/call.ts';
import { walkDeaths, type CrashableWork, type Life } from '../testing/crash.ts';
import { silentLog } from '../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../testing/routers.ts';
import { createTestSealing } from '../testing/sealing.ts';
import { startTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { startCallReceiver, type CallReceiver } from '../testing/call-receiver.ts';

// Every kind of work of the server, with a death before and after each of its commits and effects outside. What was acknowledged
// to a client or router is there afterwards, and the processes that go on end where one would have ended that never died.

const at = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
/** Longer than any lease. */
const LEASES_MS = 120_000;
const ROUTERS = 20;

let fleet: RouterDatabase;
let owner: Client;
let routers: readonly TestRouter[];
let smtp: TestSmtp;
let receiver: CallReceiver;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
  routers = await addTestRouters(fleet, ROUTERS);
  smtp = await startTestSmtp();
  receiver = await startCallReceiver();
});
afterAll(async () => {
  await Promise.all([smtp?.down(), receiver?.close(), owner?.end()]);
  await fleet?.close();
});

const ids = () => routers.map(({ id }) => id);
const clear = async (...tables: readonly string[]) => {
  for (const table of tables) await owner.query(`delete from ${table}`);
};
const row = async <T extends object>(sql: string, values: readonly unknown[] = []): Promise<T> =>
  (await owner.query<T>(sql, [...values])).rows[0]!;

/** Nothing that was acknowledged is lost, and the end is the same wherever it died. @returns the points */
async function expectNoTrace(work: CrashableWork, outcome: unknown): Promise<readonly string[]> {
  const deaths = await walkDeaths(fleet.test.serveUrl, work);
  for (const { point, ...after } of deaths) expect({ point, ...after }).toEqual({ point, lost: [], outcome });
  return deaths.flatMap(({ point }) => point ?? []);
}

test('a change is acknowledged after its commit, and its event of the outbox comes with it or not at all', async () => {
  const scope = () =>
    ({ kind: 'organization', mainAccountId: fleet.mainAccountId, organizationId: fleet.organizationId }) as const;
  const deviceId = () => routers[0]!.deviceId;
  const noteOf = async () => (await row<{ note: string }>('select note from devices where id = $1', [deviceId()])).note;
  const events = async () => (await row<{ n: number }>(`select count(*)::int n from outbox where topic = 'devices'`)).n;
  const work: CrashableWork = {
    async arrange() {
      await clear('outbox');
      await owner.query(`update devices set note = '' where id = $1`, [deviceId()]);
    },
    async run({ database }, acknowledge, run) {
      if ((await noteOf()) === 'new') return;
      await database.write(async (tx) => {
        await tx.updateTable('devices').set({ note: 'new' }).where('id', '=', deviceId()).execute();
        await announce(tx, scope(), 'devices', [deviceId()]);
      });
      acknowledge(`note of run ${run}`);
    },
    look: async (acknowledged) => (acknowledged.length > 0 && (await noteOf()) !== 'new' ? acknowledged : []),
    outcome: async () => ({ note: await noteOf(), events: await events() }),
  };
  const points = await expectNoTrace(work, { note: 'new', events: 1 });
  expect(points).toEqual(['before commit 1', 'after commit 1']);
});

interface AlertCounts {
  readonly reported: number;
  readonly holding: number;
  readonly ended: number;
  readonly firing: number;
  readonly resolved: number;
  readonly mails: number;
  readonly events: number;
}

const FOR_SECONDS = 60;
const NO_ALERTS: AlertCounts = { reported: 0, holding: 0, ended: 0, firing: 0, resolved: 0, mails: 0, events: 0 };

const countAlerts = () =>
  row<AlertCounts>(
    `select (select count(*)::int from telemetry_reports where router_id = any ($1) and temperature = 80) as reported,
       (select count(*)::int from alert_states where cleared_at is null) as holding,
       (select count(*)::int from alert_states where cleared_at is not null) as ended,
       (select count(*)::int from alerts where state = 'firing') as firing,
       (select count(*)::int from alerts where state = 'resolved') as resolved,
       (select count(*)::int from mails) as mails, (select count(*)::int from outbox where topic = 'alerts') as events`,
    [ids()],
  );

async function addRule(name: string, condition: object): Promise<void> {
  await owner.query(
    `insert into alert_rules (organization_id, id, main_account_id, name, is_enabled, severity, kind, condition, for_seconds, scope_kind,
       channels, created_at, updated_at)
     values ($1, $2, $3, $4, true, 'warning', $5::jsonb ->> 'kind', $5::jsonb, $6, 'all',
       '{"mails":["dispatch@x.invalid"],"escalation":null,"quiet":null}', $7, $7)`,
    [fleet.organizationId, newId(), fleet.mainAccountId, name, JSON.stringify(condition), FOR_SECONDS, at],
  );
  await owner.query(
    'insert into alert_rule_versions as v values ($1, 1) on conflict (organization_id) do update set version = v.version + 1',
    [fleet.organizationId],
  );
}

type Step = (life: Pick<Life, 'database' | 'died'>, acknowledge: (what: string) => void) => Promise<unknown>;

/** Routers report a temperature; each is acknowledged by itself, or sends it again after it has connected to the next process. */
const report =
  (temperature: number, now: Date): Step =>
  async ({ database, died }, acknowledge) => {
    const clock = { now: () => now };
    const telemetry = createTelemetry({
      database,
      clock,
      log: silentLog,
      retentionDays: 30,
      lookAt: createReadingAlerts({ clock }),
    });
    await telemetry.start();
    const stopped = died.then(() => telemetry.stop(0));
    const samples = [{ at: now.getTime(), parameter: 'temperature' as const, value: temperature }];
    const all = ids().map((id) => telemetry.write(id, samples, now.getTime() + 1).then(() => acknowledge(id)));
    await Promise.race([Promise.allSettled(all), stopped]);
    await telemetry.stop(0);
  };
const fire =
  (now: Date): Step =>
  ({ database }) =>
    fireAndResolve(
      { database, clock: { now: () => now }, reader: createReader(database), expiringDays: 30, log: silentLog },
      now,
    );
const sendAlerts =
  (now: Date): Step =>
  ({ database }) =>
    sendMessages({ database, log: silentLog, origin: () => 'https://cloud.test' }, now);
const compare =
  (now: Date): Step =>
  ({ database }) =>
    compareAll(database, now);
const goOffline: Step = () =>
  owner.query("update devices set presence = 'offline', presence_since = $2 where router_id = any ($1)", [ids(), at]);

const ALERT_STEPS: readonly { readonly name: string; readonly step: Step; readonly change: Partial<AlertCounts> }[] = [
  { name: 'reports begin a condition', step: report(80, at), change: { reported: ROUTERS, holding: ROUTERS } },
  { name: 'nothing fires before its time', step: fire(later(FOR_SECONDS - 1)), change: {} },
  { name: 'alerts fire', step: fire(later(FOR_SECONDS)), change: { firing: ROUTERS, events: 1 } },
  // One mail for all, and the consoles learn that they are one storm.
  { name: 'their mail is written', step: sendAlerts(later(FOR_SECONDS + 30)), change: { mails: 1, events: 2 } },
  { name: 'reports end a condition', step: report(60, later(120)), change: { holding: 0, ended: ROUTERS } },
  { name: 'alerts resolve', step: fire(later(120)), change: { ended: 0, firing: 0, resolved: ROUTERS, events: 3 } },
  { name: 'devices are offline', step: goOffline, change: {} },
  { name: 'a job begins a condition of devices', step: compare(later(180)), change: { holding: ROUTERS } },
  { name: 'alerts of devices fire', step: fire(later(180)), change: { firing: ROUTERS, events: 4 } },
];

test('ALR-04 conditions are compared where values are stored and their times are rows: a death at any moment loses and doubles nothing', async () => {
  let expected = NO_ALERTS;
  for (const [index, { name, step, change }] of ALERT_STEPS.entries()) {
    expected = { ...expected, ...change };
    if (Object.keys(change).length === 0) continue;
    const work: CrashableWork = {
      async arrange() {
        await clear('alert_notices', 'alert_bursts', 'alert_changes', 'alerts', 'alert_states', 'alert_rules', 'mails', 'outbox');
        await clear('telemetry_reports');
        await owner.query("update devices set presence = 'online', presence_since = $1", [at]);
        await addRule('Hot', { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70 });
        await addRule('Hotter', { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 90 });
        await addRule('Offline', { kind: 'offline' });
        const undisturbed = { ...fleet, died: new Promise<void>(() => {}) };
        for (const before of ALERT_STEPS.slice(0, index)) await before.step(undisturbed, () => {});
      },
      run: async (life, acknowledge) => void (await step(life, acknowledge)),
      async look(acknowledged) {
        const { rows } = await owner.query<{ router_id: string }>('select router_id from telemetry_reports');
        const stored = new Set(rows.map(({ router_id: id }) => id));
        return acknowledged.filter((id) => !stored.has(id));
      },
      outcome: () => countAlerts(),
    };
    expect([name, await expectNoTrace(work, expected)]).toEqual([
      name,
      expect.arrayContaining(['before commit 1', 'after commit 1']),
    ]);
  }
});

test('WIN-03-partial what a rule does, its job and its row in the log are one: a death at any moment begins nothing twice and loses nothing', async () => {
  const { organizationId, mainAccountId } = fleet;
  const command = newId();
  const author = { accountId: newId(), email: 'admin@x.invalid', name: '', role: 'admin', organizationId, mainAccountId };
  const actor = { ...author, address: '', sessionId: '' };
  const action = { does: { kind: 'command', command }, dryRun: false, cooldownMinutes: 60, atOnce: ROUTERS, perDay: ROUTERS };
  await owner.query(
    "insert into custom_commands (organization_id, id, name, kind, created_at) values ($1, $2, 'Restart', 'reboot', $3)",
    [organizationId, command, at],
  );
  const actions = {
    mayAct: () => Promise.resolve(true),
    startCommandJob,
    switchToOthers: () => Promise.resolve([]),
  };
  const work: CrashableWork = {
    async arrange() {
      await clear(
        'alert_actions',
        'alert_notices',
        'alert_bursts',
        'alert_changes',
        'alerts',
        'alert_states',
        'alert_rules',
        'outbox',
      );
      await clear('bulk_job_items', 'bulk_jobs', 'telemetry_reports');
      await owner.query("update devices set presence = 'online', presence_since = $1", [at]);
      await addRule('Hot', { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70 });
      await owner.query('update alert_rules set action = $1, action_actor = $2', [JSON.stringify(action), JSON.stringify(actor)]);
      await report(80, at)({ ...fleet, died: new Promise<void>(() => {}) }, () => {});
    },
    async run({ database }) {
      await fireAndResolve(
        { database, clock: { now: () => later(FOR_SECONDS) }, reader: createReader(database), expiringDays: 30, log: silentLog },
        later(FOR_SECONDS),
      );
      await actOnAlerts({ database, log: silentLog, actions, wakeJobs: () => {} }, later(FOR_SECONDS + 1));
    },
    look: () => Promise.resolve([]),
    outcome: () =>
      row(`select (select count(*)::int from alert_actions where state = 'started') as started, (select count(*)::int from bulk_jobs) as jobs,
        (select count(*)::int from bulk_job_items) as devices`),
  };
  const points = await expectNoTrace(work, { started: ROUTERS, jobs: 1, devices: ROUTERS });
  expect(points).toEqual(expect.arrayContaining(['before commit 1', 'after commit 1']));
});

test('HKS-01-partial an event for a webhook is sent wherever the sender dies; twice only where the answer was not recorded, with the same webhook-id', async () => {
  const masterKey = createSecretKey(randomBytes(32));
  const sealing = createSecretSealing(masterKey);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const { mainAccountId } = fleet;
  let before = 0;
  let sentAtDeath = 0;
  let isRecorded = false;
  let repeated = 0;
  const states = async () =>
    (await owner.query<{ state: string }>('select state from webhook_deliveries')).rows.map(({ state }) => state);
  const work: CrashableWork = {
    async arrange() {
      await clear('webhook_deliveries', 'webhook_endpoints');
      before = receiver.calls.length;
      const id = newId();
      await owner.query(
        `insert into webhook_endpoints (id, main_account_id, name, url, format, event_types, is_enabled, sealed_secret, created_by_email,
           created_at, updated_at)
         values ($1, $2, 'Bot', $3, 'standard', '{alert.fired}', true, $4, 'x@y.invalid', now(), now())`,
        [id, mainAccountId, receiver.url, sealing.seal(id, Buffer.from(secret))],
      );
      const data = { alert: 'a', rule: 'a', severity: 'critical', summary: 'a', by: null };
      const event = { type: 'alert.fired' as const, data, happenedAt: new Date() };
      await fleet.database.write((tx) => deliverEvents(tx, { kind: 'main', mainAccountId }, [event]));
    },
    async run(life, _acknowledge, run) {
      const caller = createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] });
      const worker = createWebhookWorker({
        database: life.database,
        clock: { now: () => new Date(Date.now() + run * LEASES_MS) },
        log: silentLog,
        caller: { ...caller, post: life.effect('call', (call) => caller.post(call)) },
        sealing,
        pushKey: createServerPushKey(pushKeyPairOf(derivePushKey(createSecretKey(Buffer.alloc(32)))), () => 'https://cloud.test'),
        origin: () => 'https://cloud.test',
      });
      await worker.job.run(new Date()).catch(() => {});
      await until(async () => life.isDead || (await states()).every((state) => state === 'delivered'));
      await worker.stop();
    },
    async look() {
      sentAtDeath = receiver.calls.length - before;
      isRecorded = (await states()).every((state) => state === 'delivered');
      if (sentAtDeath === 1 && !isRecorded) repeated++;
      return [];
    },
    async outcome() {
      const calls = receiver.calls.slice(before);
      for (const { body, headers } of calls)
        expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'alert.fired' });
      return {
        states: await states(),
        ids: new Set(calls.map(({ headers }) => headers['webhook-id'])).size,
        bodies: new Set(calls.map(({ body }) => body)).size,
        times: calls.length - (isRecorded ? 0 : sentAtDeath),
      };
    },
  };
  // Its loops commit alongside, so which point is the next one differs: it is walked until it has died on both sides of the call.
  const met = new Set<string>();
  for (let walks = 0; walks < 5 && !(met.has('before call') && met.has('after call')); walks++)
    for (const point of await expectNoTrace(work, { states: ['delivered'], ids: 1, bodies: 1, times: 1 })) met.add(point);
  expect([...met]).toEqual(expect.arrayContaining(['before call', 'after call']));
  expect(repeated).toBeGreaterThan(0);
});

test('NTF-02-partial a mail is sent wherever its sender dies; twice only where it was not marked, under the same Message-ID', async () => {
  let id = '';
  let sentAtDeath = 0;
  let isMarked = false;
  let repeated = 0;
  const timesTaken = () => smtp.taken.filter(({ headers }) => headers['message-id'] === `<${id}@highline>`).length;
  const marked = async () => (await row<{ is: boolean }>('select sent_at is not null as is from mails where id = $1', [id])).is;
  const work: CrashableWork = {
    async arrange() {
      await clear('mails');
      const mail = {
        to: 'someone@x.invalid',
        subject: 's',
        plain: 'p',
        html: 'h',
        kind: 'account',
        organizationId: null,
      } as const;
      await fleet.database.write((tx) => enqueueMail(tx, mail, new Date()));
      id = (await row<{ id: string }>('select id from mails')).id;
    },
    async run(life, _acknowledge, run) {
      const transport = createSmtpTransport(smtp.url, 'Highline <no-reply@highline.invalid>');
      const stopping = new AbortController();
      void life.died.then(() => stopping.abort());
      try {
        await deliverDueMails({
          database: life.database,
          transport: { ...transport, send: life.effect('send', (mail) => transport.send(mail)) },
          sealing: createTestSealing(),
          now: () => new Date(Date.now() + run * LEASES_MS),
          log: silentLog,
          stopping: stopping.signal,
        });
      } finally {
        await transport.close();
      }
    },
    async look() {
      sentAtDeath = timesTaken();
      isMarked = await marked();
      if (sentAtDeath === 1 && !isMarked) repeated++;
      return [];
    },
    outcome: async () => ({ times: timesTaken() - (isMarked ? 0 : sentAtDeath), marked: await marked() }),
  };
  const points = await expectNoTrace(work, { times: 1, marked: true });
  expect(points).toEqual(expect.arrayContaining(['after commit 1', 'before send', 'after send']));
  expect(repeated).toBeGreaterThan(0);
});

test('POS-06-partial coverage that is added up loses no report and counts none twice, wherever the job dies', async () => {
  const HOURS = 2;
  await owner.query(
    `select ensure_position_partitions('2026-11-19', '2026-11-20'), ensure_partitions('2026-11-19', '2026-11-20')`,
  );
  const minutes = `unnest($1::uuid[]) with ordinality u (router, n)
    cross join generate_series('2026-11-20T08:00:00Z'::timestamptz, '2026-11-20T08:00:00Z'::timestamptz + $2 * interval '1 hour', '1 minute') m`;
  const reports = ROUTERS * (HOURS * 60 + 1);
  const work: CrashableWork = {
    async arrange() {
      await clear(
        'coverage_days',
        'coverage_due',
        'coverage_slots',
        'coverage_comparisons',
        'coverage_vehicle_days',
        'positions',
        'telemetry_reports',
      );
      await clear('router_ownership');
      await owner.query(
        `insert into router_ownership (router_id, organization_id, device_id, owned_from) select id, organization_id, device_id, '2026-11-01' from routers`,
      );
      await owner.query(`update coverage_progress set closed_until = '2026-11-20', marked_until = '2026-11-20'`);
      await owner.query(
        `insert into positions (router_id, at, latitude, longitude, is_jump)
         select router, m, 41.5 + n * 0.003, -87.9 + extract(epoch from m - '2026-11-20T08:00:00Z') / 36000, false from ${minutes}`,
        [ids(), HOURS],
      );
      await owner.query(
        `insert into telemetry_reports (router_id, at, rsrp, rsrq) select router, m, -80 - n, -10 from ${minutes}`,
        [ids(), HOURS],
      );
    },
    async run({ database }) {
      const jobs = createCoverageJobs(database, 30);
      await jobs.folding.run(at);
      await jobs.comparison.run(at);
    },
    look: async () => [],
    outcome: () =>
      row(
        `select (select coalesce(sum(samples), 0)::int from coverage_days where resolution = 8) as samples,
           (select coalesce(sum(value::int), 0)::int from coverage_days d, jsonb_each_text(to_jsonb(d)) e (name, value)
              where resolution = 8 and name ~ '^r[0-9]+$') as rsrp,
           (select count(*)::int from coverage_due) as due, (select coalesce(sum(samples), 0)::int from coverage_slots) as slots,
           (select count(*) > 0 from coverage_vehicle_days) as compared`,
      ),
  };
  const whole = { samples: reports, rsrp: reports, due: 0, slots: reports, compared: true };
  expect((await expectNoTrace(work, whole)).length).toBeGreaterThanOrEqual(6);
});
