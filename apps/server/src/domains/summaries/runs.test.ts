import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_GROUP_KEY, summaryFilters, summaryKinds } from '@highline/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkZone } from '../../kernel/calendar.ts';
import type { Actor, DeviceLimit, OrganizationScope } from '../../kernel/scope.ts';
import { createFolderTransport } from '../../platform/adapters/mail/folder.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { decodeMail } from '../../testing/mail.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { silentLog } from '../../testing/log.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { PermanentMailError } from '../../platform/ports/mail.ts';
import { deliverDueMails, purgeMails } from '../mails/index.ts';
import { answerLink } from './answer-link.ts';
import { summaryOutcomes } from './bounces.job.queries.ts';
import { createLinkSealing } from './link.ts';
import { createSummaryJobs } from './runs.job.ts';
import { leaseRun } from './runs.job.queries.ts';

const BASE = '/data_manager/v1/dm/summaries';
const app = useTestApp('2026-10-31T12:00:00Z');
const fresh = routersNamed('SR');
const linkSealing = createLinkSealing(createSecretKey(randomBytes(32)));
let own: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let unrelated: Actor;
let mayAct = true;
/** Of who saved the summaries. */
let limit: DeviceLimit | undefined;

const fields = {
  name: 'For the boss',
  kind: 'inventory',
  format: 'csv',
  zone: 'America/Chicago',
  language: 'en-US',
  every: 'month',
  onDay: 1,
  hour: 6,
} as const;
const create = async (parts: Readonly<Record<string, unknown>>, as = admin) =>
  app.call('POST', BASE, { as, body: { ...fields, ...parts } });
function isTaken(zone: string): boolean {
  try {
    checkZone(zone, 'zone');
    return true;
  } catch {
    return false;
  }
}
const listed = async (as = admin) => (await app.call('GET', BASE, { as, query: { limit: '50' } })).json.result;
/** @param during each report; what it returns is the time then */
const runJobs = async (at: string, during: () => Promise<string> = async () => at) => {
  let now = at;
  const { database, reader, streams } = app;
  const deps = {
    database,
    reader,
    streams,
    log: silentLog,
    clock: { now: () => new Date(now) },
    expiringDays: 30,
    keptDays: 30,
    positionDays: 30,
    findStreet: async () => undefined,
    linkSealing,
    origin: () => 'https://cloud.test',
    findAllowed: async () => {
      now = await during();
      return mayAct ? { limit } : undefined;
    },
  };
  for (const job of createSummaryJobs(deps)) await job.run(new Date(at));
};

/** What arrives at an address, or at all of them, the newest first. */
async function mailbox(address: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'highline-summary-mails-'));
  const transport = createFolderTransport(folder, 'highline@cloud.test');
  await deliverDueMails({
    database: app.database,
    log: silentLog,
    transport,
    sealing: createTestSealing(),
    now: () => new Date('2027-01-01'),
  });
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  return mails.filter((mail) => mail.includes(`To: ${address}`)).toReversed();
}
const attachmentOf = (mail: string) => fileOf(mail).toString('utf8');
const fileOf = (mail: string) =>
  Buffer.from(/filename="?([^"\r\n]+)"?[\s\S]*?\n\n([A-Za-z0-9+/=\s]+)/u.exec(mail)![2]!, 'base64');
const linkIn = (mail: string, purpose: 'confirm' | 'unsubscribe') =>
  new RegExp(`account\\.html\\?${purpose}=([\\w-]+)`, 'u').exec(mail.replaceAll('=\n', '').replaceAll('=3D', '='))![1]!;

beforeAll(async () => {
  ({ own, admin, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 7' } });
  await app.owner.query(`insert into usage_zones (organization_id, from_at, zone) values ($1, '2026-01-01', 'America/Chicago')`, [
    own.organizationId,
  ]);
  for (const [mail, organization] of [
    ['boss@own.test', own.organizationId],
    ['left@own.test', own.organizationId],
    [admin.email, own.organizationId],
  ])
    await app.owner.query(
      `insert into accounts (id, main_account_id, organization_id, email, name, roles) values (gen_random_uuid(), $1, $2, $3, '', array[$4])`,
      [own.mainAccountId, organization, mail, `r.${organization}.user`],
    );
});

describe('summaries on a schedule', () => {
  test('RPM-03-partial the report arrives with its file on the first at six of the zone, once, however often the job runs', async () => {
    const { json, status } = await create({ recipients: ['Boss@own.test'] });
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      recipients: ['boss@own.test'],
      unconfirmed: [],
      nextAt: '2026-11-01T12:00:00.000Z',
      lastRun: null,
    });
    await runJobs('2026-11-01T11:59:00Z');
    expect(await mailbox('boss@own.test')).toEqual([]);
    await runJobs('2026-11-01T12:00:10Z');
    await runJobs('2026-11-01T12:01:00Z');
    const [mail, ...more] = await mailbox('boss@own.test');
    expect(more).toEqual([]);
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail!.replaceAll('\n', '')).toMatch(
      /List-Unsubscribe: ?<https:\/\/cloud\.test\/dmp_aa\/api\/v1\/summaries\/link\?token=/u,
    );
    expect(attachmentOf(mail!)).toMatch(/^\ufeffDevice list\r\n[\s\S]*Bus 7,/u);
    expect((await listed())[0]).toMatchObject({ nextAt: '2026-12-01T12:00:00.000Z', lastRun: { state: 'sent' } });
    expect(await app.logOf(own.organizationId)).toContain('Sent summary For the boss to 1 recipients');
  });

  test('RPM-03 the month of the boss arrives on the first as the same PDF that the page makes: organization, month, zone, vehicle, first carrier, plan and cost', async () => {
    const plan = '01a00000-0000-7000-8000-000000000001';
    await app.owner.query(
      `insert into usage_plans (organization_id, id, name, cycle_day, allowance, is_pool, cost_per_gb, currency, applies_to, shares, action, actor)
       values ($1, $2, 'Fleet 5', 1, 5000000000, false, 4, 'USD', 'all', '{80}', 'mail', '{}')`,
      [own.organizationId, plan],
    );
    await app.owner.query(
      `insert into usage_sims (organization_id, iccid, carrier, plan_id) values
        ($1, '8901260000009876547', 'AT&T', $2), ($1, '8901260000009876554', 'Verizon', $2)`,
      [own.organizationId, plan],
    );
    await app.owner.query(
      `insert into usage_days (organization_id, day, iccid, device_id, sent, received)
       select $1, used.day, used.iccid, d.id, 0, 1000000000 from devices d, (values ('2026-10-01'::date, '8901260000009876547'),
         ('2026-10-31'::date, '8901260000009876554'), ('2026-11-01'::date, '8901260000009876554')) used (day, iccid)
       where d.organization_id = $1 and d.vehicle_number = 'Bus 7'`,
      [own.organizationId],
    );
    await app.owner.query(`update accounts set language = 'zh-TW' where email = 'boss@own.test'`);
    const chosen = { name: 'Month', kind: 'data-use', format: 'pdf', recipients: ['boss@own.test'] };
    expect((await create(chosen)).status).toBe(200);
    await runJobs('2026-11-01T12:00:10Z');
    const mail = (await mailbox('boss@own.test')).find((each) => each.includes('.pdf'))!;
    await app.owner.query(`update accounts set language = 'en-US' where email = 'boss@own.test'`);
    // The file is in the language of the summary, and the mail in that of its reader.
    expect(decodeMail(Buffer.from(mail)).headers['subject']).toBe('Month：數據用量，2026/10/01 – 2026/10/31, America/Chicago');
    const [arrived] = await readPdfPages(fileOf(mail));
    for (const text of ['Own', '10/01/2026 – 10/31/2026, America/Chicago', 'Bus 7', 'AT&T', 'Verizon', 'Fleet 5', '4.00', 'USD'])
      expect(arrived).toContain(text);
    const query = { kind: 'data-use', format: 'pdf', from: '2026-10-01', until: '2026-10-31', zone: 'America/Chicago' };
    const made = await app.call('GET', `${BASE}/file`, { as: admin, query });
    const [page] = await readPdfPages(made.bytes);
    const withoutFoot = (text: string) => text.replace(/made .* Highline/u, '');
    expect(withoutFoot(arrived!)).toBe(withoutFoot(page!));
  });

  test('RPM-03-partial what was sent can be opened for as long as the organization keeps it', async () => {
    const settings = { target: null, carrierTargets: [], filesDays: 60 };
    expect((await app.call('PUT', `${BASE}/settings`, { as: admin, body: settings })).status).toBe(200);
    const { id } = (await create({ name: 'Kept', recipients: ['boss@own.test'] })).json.result;
    await runJobs('2026-11-01T12:00:10Z');
    const keptOf = async () => (await listed()).find((each: { id: string }) => each.id === id).sentFiles;
    expect(await keptOf()).toEqual(['2026-11-01T12:00:00.000Z']);
    const open = (as: Actor, at: string) => app.call('GET', `${BASE}/${id}/sent`, { as, query: { at } });
    const { text, headers } = await open(admin, '2026-11-01T12:00:00.000Z');
    expect(text).toContain('Bus 7');
    expect(headers['content-disposition']).toMatch(/Device_list_.*\.csv/u);
    expect((await open(unrelated, '2026-11-01T12:00:00.000Z')).status).toBe(404);
    for (const at of ['2026-11-02T12:00:00.000Z', 'yesterday', '']) expect((await open(admin, at)).status, at).toBe(404);
    await purgeMails(app.database, new Date('2026-12-30T12:00:00Z'));
    expect(await keptOf()).toHaveLength(1);
    await purgeMails(app.database, new Date('2027-01-01T12:00:00Z'));
    expect(await keptOf()).toEqual([]);
    expect((await open(admin, '2026-11-01T12:00:00.000Z')).status).toBe(404);
  });

  test('RPM-03-partial IAM-03-partial what was sent is opened, and changed, by who may read the kind that it was of, whatever its summary became', async () => {
    /** Of an own role that reads vehicles and writes reports. */
    const clerk: Actor = Object.assign(app.person(own, 'admin'), {
      ownRole: { id: own.organizationId, name: 'Clerk', rights: ['devices.read', 'summaries.write'] },
    });
    const chosen = { recipients: ['boss@own.test'], every: 'never' };
    const { id } = (await create({ ...chosen, name: 'People', kind: 'people' })).json.result;
    for (const at of ['2026-11-01T12:01:00.000Z', '2026-11-01T12:02:00.000Z']) {
      app.clock.set(at);
      await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
      await runJobs(at);
    }
    // As a process of the version before leaves it.
    await app.owner.query(`update summary_runs set kind = null where summary_id = $1 and due_at = '2026-11-01T12:01:00Z'`, [id]);
    const opened = async (as: Actor) => {
      const { sentFiles } = (await listed()).find((each: { id: string }) => each.id === id);
      const open = (at: string) => app.call('GET', `${BASE}/${id}/sent`, { as, query: { at } });
      return Promise.all(sentFiles.map(async (at: string) => (await open(at)).status));
    };
    const change = async (as: Actor) =>
      (await app.call('PUT', `${BASE}/${id}`, { as, body: { ...fields, ...chosen, name: 'People' } })).json.error?.key;
    expect(await opened(clerk)).toEqual([403, 403]);
    expect(await change(clerk)).toBe('permission.own_role');
    expect(await change(admin)).toBeUndefined();
    expect(await change(clerk)).toBeUndefined();
    expect(await opened(clerk)).toEqual([403, 403]);
    expect(await opened(admin)).toEqual([200, 200]);
  });

  test('RPM-01-partial a saved summary keeps what it is limited to, its columns and its separator, and so does what is sent', async () => {
    const chosen = { carrier: 'Northern', tag: 'night', columns: ['serial', 'carrier'], separator: 'semicolon' };
    await app.owner.query(`update devices set carrier = 'Northern', tags = '{Night}' where organization_id = $1`, [
      own.organizationId,
    ]);
    const { json } = await create({ name: 'Narrow', every: 'never', recipients: ['boss@own.test'], ...chosen });
    expect(json.result).toMatchObject({ group: null, sumBy: null, ...chosen });
    await app.call('POST', `${BASE}/${json.result.id}/send`, { as: admin, body: {} });
    await runJobs('2026-11-01T13:00:00Z');
    const sent = (await mailbox('boss@own.test')).find((mail) => mail.includes('Narrow'))!;
    const lines = attachmentOf(sent).split('\r\n').slice(3);
    expect(lines).toEqual([
      'Carrier: Northern',
      'Tag: night',
      '',
      'Serial number;Carrier',
      `${lines[4]!.split(';')[0]};Northern`,
      '',
    ]);
  });

  test('RPM-01 each report of an organization and of its main account is of a month, a week or dates in a zone, and saved with its filters and columns, which the file that is sent has', async () => {
    const main = { kind: 'main', mainAccountId: own.mainAccountId } as const;
    await app.seeding.account(main, 'head@main.test', 'main');
    const periods = [
      { from: '2026-10-01', until: '2026-10-31' },
      { from: '2026-10-26', until: '2026-11-01' },
      { from: '2026-10-05', until: '2026-10-06' },
    ];
    for (const as of [admin, mainPerson])
      for (const kind of summaryKinds) {
        const preview = (query: Readonly<Record<string, string>>) =>
          app.call('GET', `${BASE}/preview`, { as, query: { kind, zone: 'Asia/Taipei', ...query } });
        const isOfNow = ['inventory', 'settings', 'subscriptions'].includes(kind);
        const counted = as === mainPerson ? '各組織的時區' : 'America/Chicago';
        const zone = { 'data-use': counted, signal: 'UTC', coverage: 'UTC' }[kind as string] ?? 'Asia/Taipei';
        for (const { from, until } of periods) {
          const { lines } = (await preview({ from, until, language: 'zh-TW' })).json.result;
          // Signal and coverage are kept for 30 days, to the day.
          const kept = new Date(app.clock.now().getTime() - 30 * 86_400_000).toISOString().slice(0, 10);
          const first = ['signal', 'coverage'].includes(kind) && from < kept ? kept : from;
          const days = `${first.replaceAll('-', '/')} – ${until.replaceAll('-', '/')}, ${zone}`;
          expect(lines[1], kind).toMatch(isOfNow ? /^截至 .*, Asia\/Taipei$/u : days);
        }
        const { allColumns } = (await preview({})).json.result;
        const [first, second] = allColumns as [{ id: string; title: string }, { id: string; title: string }];
        const filters = Object.fromEntries(
          summaryFilters[kind].map((filter) => [filter, { group: DEFAULT_GROUP_KEY, carrier: 'Northern', tag: 'night' }[filter]]),
        );
        // Groups are of one organization.
        const chosen = { ...(as === mainPerson ? { ...filters, group: undefined } : filters), columns: [second.id, first.id] };
        const { json, status } = await create(
          {
            name: `Each ${kind}`,
            kind,
            every: 'week',
            recipients: [as === admin ? 'boss@own.test' : 'head@main.test'],
            ...chosen,
          },
          as,
        );
        expect(status, kind).toBe(200);
        expect(json.result).toMatchObject(JSON.parse(JSON.stringify(chosen)));
        await app.call('POST', `${BASE}/${json.result.id}/send`, { as, body: {} });
        await runJobs('2026-11-01T12:30:00Z');
        const sent = (await mailbox('')).filter((mail) =>
          decodeMail(Buffer.from(mail)).headers['subject']?.startsWith(`Each ${kind}:`),
        );
        expect(sent, kind).toHaveLength(1);
        const text = attachmentOf(sent[0]!);
        expect(text, kind).toContain(`\r\n${[second.title, first.title].join(',')}\r\n`);
        for (const [name, line] of [
          ['group', 'Group: default'],
          ['carrier', 'Carrier: Northern'],
          ['tag', 'Tag: night'],
        ] as const)
          expect(text.includes(line), `${kind} ${name}`).toBe(chosen[name as 'columns'] !== undefined);
        expect((await app.call('DELETE', `${BASE}/${json.result.id}`, { as, body: {} })).status).toBe(200);
      }
  });

  test('RPM-03-partial several processes at the same minute send each report once', async () => {
    for (const name of ['At once 1', 'At once 2', 'At once 3'])
      expect((await create({ name, every: 'day', hour: 7, recipients: ['boss@own.test'] })).status).toBe(200);
    await Promise.all(Array.from({ length: 4 }, () => runJobs('2026-11-01T13:00:10Z')));
    const arrived = (await mailbox('boss@own.test')).map((mail) => /Subject: (At once \d)/u.exec(mail)?.[1]);
    expect(arrived.filter((name) => name !== undefined).toSorted()).toEqual(['At once 1', 'At once 2', 'At once 3']);
  });

  test('RPM-03-partial of a process that is killed while it writes a file nothing is lost or doubled: another one sends it once', async () => {
    const { id } = (await create({ name: 'Killed', every: 'never', recipients: ['boss@own.test'] })).json.result;
    const ofIt = async () => (await mailbox('boss@own.test')).filter((mail) => mail.includes('Subject: Killed'));
    const filesOf = async () => (await app.owner.query('select count(*)::int as n from mail_files')).rows[0].n;
    await ofIt();
    const before = await filesOf();
    await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
    // It has taken the run, and writes no more.
    expect(await leaseRun(app.database, new Date('2026-11-01T13:30:00Z'), 600_000)).toMatchObject({ id });
    await runJobs('2026-11-01T13:35:00Z');
    expect(await ofIt()).toEqual([]);
    await Promise.all([runJobs('2026-11-01T13:41:00Z'), runJobs('2026-11-01T13:41:00Z')]);
    expect(await ofIt()).toHaveLength(1);
    expect(await filesOf()).toBe(before + 1);
  });

  test('RPM-03-partial a report whose making ends the process each time fails, and says so to its author and on the page', async () => {
    const { id } = (await create({ name: 'Deadly', every: 'never', recipients: ['boss@own.test'] })).json.result;
    await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const at = new Date(Date.parse('2026-11-01T16:00:00Z') + attempt * 600_000);
      expect(await leaseRun(app.database, at, 600_000)).toMatchObject({ id });
    }
    await mailbox('');
    await runJobs('2026-11-01T16:51:00Z');
    expect((await listed()).find((summary: { id: string }) => summary.id === id)).toMatchObject({
      lastRun: { state: 'failed', reason: 'interrupted' },
    });
    const [mail] = (await mailbox(admin.email)).map((text) => text.replaceAll('=\n', ''));
    expect(mail).toContain('Subject: Summary Deadly could not be sent');
    expect(mail).toContain('The server was interrupted each time while it made the file.');
    expect(await mailbox('boss@own.test')).toEqual([]);
    await app.call('DELETE', `${BASE}/${id}`, { as: admin, body: {} });
  });

  test('RPM-03-partial reports that take longer than a process may have one are written once, each as of its own time', async () => {
    for (const name of ['Slow 1', 'Slow 2']) await create({ name, every: 'day', hour: 8, recipients: ['boss@own.test'] });
    await mailbox('boss@own.test');
    const begun: string[] = [];
    const times = ['2026-11-01T14:09:00Z', '2026-11-01T14:11:00Z'];
    await runJobs('2026-11-01T14:00:00Z', async () => {
      const at = times[begun.length]!;
      begun.push('first process');
      // The second report is begun at 14:09, and is this process's for ten minutes.
      const other = async () => {
        begun.push('second process');
        return at;
      };
      if (begun.length === 2) await runJobs(at, other);
      return at;
    });
    expect(begun).toEqual(['first process', 'first process']);
    const seen = (await mailbox('boss@own.test')).map((mail) => /as of ([\d/]+ [\d:]+)/u.exec(mail.replaceAll('=\n', ''))![1]!);
    expect(seen.toSorted()).toEqual(['11/01/2026 08:00:00', '11/01/2026 08:09:00']);
  });

  test('RPM-03-partial a process that was too slow and fails leaves the report to the one that has it now', async () => {
    const { id } = (await create({ name: 'Handed over', every: 'never', recipients: ['boss@own.test'] })).json.result;
    await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
    const lease = (at: string) => leaseRun(app.database, new Date(at), 600_000);
    await runJobs('2026-11-01T15:00:00Z', async () => {
      expect(await lease('2026-11-01T15:11:00Z')).toMatchObject({ id, attempts: 2 });
      throw new Error('The connection was lost.');
    });
    expect(await lease('2026-11-01T15:12:00Z')).toBeUndefined();
    await runJobs('2026-11-01T15:22:00Z');
    expect((await mailbox('boss@own.test')).filter((mail) => mail.includes('Subject: Handed over'))).toHaveLength(1);
  });

  test('RPM-03-partial who has left gets nothing more; the others do', async () => {
    const { id } = (await create({ name: 'Leaver', every: 'never', recipients: ['boss@own.test', 'left@own.test'] })).json.result;
    await app.owner.query(`update accounts set roles = '{}' where email = 'left@own.test'`);
    await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
    await runJobs('2026-11-01T14:00:00Z');
    await app.owner.query(`update accounts set roles = array['r.' || organization_id || '.user'] where email = 'left@own.test'`);
    expect((await mailbox('')).filter((mail) => mail.includes('Leaver')).map((mail) => /^To: (.*)$/mu.exec(mail)?.[1])).toEqual([
      'boss@own.test',
    ]);
  });

  test('RPM-03-partial one click ends it, again it is the same, and who unsubscribed is in the log', async () => {
    const id = (await create({ name: 'Weekly', every: 'week', recipients: ['left@own.test', 'boss@own.test'] })).json.result.id;
    await runJobs('2026-11-02T12:00:10Z');
    const [mail] = await mailbox('left@own.test');
    const token = linkIn(mail!, 'unsubscribe');
    const deps = { database: app.database, clock: app.clock, linkSealing };
    for (let again = 0; again < 2; again += 1) expect(await answerLink(deps, token, '127.0.0.1')).toBe('unsubscribed');
    expect((await listed()).find((each: { id: string }) => each.id === id).recipients).toEqual(['boss@own.test']);
    expect(await app.logOf(own.organizationId)).toContain('left@own.test no longer gets summary Weekly');
    await expect(answerLink(deps, `${token}x`, '127.0.0.1')).rejects.toMatchObject({ key: 'summary.link_invalid' });
  });

  test('RPM-03-partial an address outside gets nothing before it confirms; the question comes once', async () => {
    await create({ name: 'Outside', every: 'day', recipients: ['auditor@else.test'] });
    expect((await listed())[0].unconfirmed).toEqual(['auditor@else.test']);
    await runJobs('2026-11-02T12:00:20Z');
    await runJobs('2026-11-02T12:00:40Z');
    const [question, ...more] = await mailbox('auditor@else.test');
    expect(more).toEqual([]);
    const token = linkIn(question!, 'confirm');
    expect(await answerLink({ database: app.database, clock: app.clock, linkSealing }, token, '127.0.0.1')).toBe('confirmed');
    expect((await listed())[0].unconfirmed).toEqual([]);
    await runJobs('2026-11-03T12:00:10Z');
    expect((await mailbox('auditor@else.test')).map(attachmentOf)[0]).toContain('Bus 7');
  });

  test('RPM-03-partial Send now goes to people at once; an address outside still gets its question', async () => {
    const { id } = (await create({ name: 'At once', every: 'never', recipients: ['boss@own.test', 'partner@else.test'] })).json
      .result;
    expect((await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} })).status).toBe(200);
    await runJobs('2026-11-03T13:00:00Z');
    const arrived = await mailbox('');
    expect(arrived.find((mail) => mail.includes('To: boss@own.test'))).toContain('At once');
    expect(
      linkIn(
        arrived.find((mail) => mail.includes('To: partner@else.test'))!,
        'confirm',
      ),
    ).not.toBe('');
  });

  test('RPM-03-partial in the name of who saved it: without the right it fails, once, and says why', async () => {
    mayAct = false;
    await create({ name: 'No right', every: 'day', recipients: ['boss@own.test'] });
    await runJobs('2026-11-04T12:00:10Z');
    mayAct = true;
    expect((await listed()).find((each: { name: string }) => each.name === 'No right').lastRun).toMatchObject({
      state: 'failed',
      reason: 'author',
    });
    expect(await app.logOf(own.organizationId)).toContain('Could not send summary No right');
    expect((await mailbox(admin.email)).join('\n')).toContain('Summary No right could not be sent');
  });

  test('RPM-03-partial a CSV that is too large for a mail fails, and its author gets to know that Excel is smaller, which is sent', async () => {
    // Others of the first organization that are due stay as they are.
    const { main, own: large, admin: author } = await openHome(app);
    await app.owner.query(
      `insert into accounts (id, main_account_id, organization_id, email, name, roles) values (gen_random_uuid(), $1, $2, $3, '', array[$4])`,
      [large.mainAccountId, large.organizationId, 'large@own.test', `r.${large.organizationId}.super`],
    );
    const routers = Array.from({ length: 180 }, fresh);
    await app.seeding.routers(main, routers);
    const devices = await app.seeding.devices(large, routers);
    await app.owner.query("update devices set config = repeat('a', 30000), firmware = repeat('b', 30000) where id = any ($1)", [
      devices,
    ]);
    const send = async (format: string) => {
      const { id } = (await create({ name: `Large ${format}`, format, every: 'never', recipients: ['large@own.test'] }, author))
        .json.result;
      await app.call('POST', `${BASE}/${id}/send`, { as: author, body: {} });
      return id as string;
    };
    const ids = [await send('csv'), await send('xlsx')];
    await mailbox('');
    await runJobs('2026-11-04T13:00:00Z');
    await app.owner.query('update devices set archived_at = now() where id = any ($1)', [devices]);
    const states = new Map((await listed(author)).map(({ id, lastRun }: { id: string; lastRun: unknown }) => [id, lastRun]));
    expect(ids.map((id) => states.get(id))).toMatchObject([{ state: 'failed', reason: 'too_large' }, { state: 'sent' }]);
    const mails = (await mailbox('')).map((text) => text.replaceAll('=\n', ''));
    expect(mails.filter((mail) => mail.includes('Choose Excel as file, which is much smaller')).length).toBe(1);
    for (const id of ids) await app.call('DELETE', `${BASE}/${id}`, { as: author, body: {} });
  });

  test('IAM-04-partial RPM-03-partial what arrives has the vehicles that its author sees at that time', async () => {
    await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Van 8', tags: ['night'] } });
    await create({ name: 'One depot', every: 'day', recipients: ['boss@own.test'] });
    limit = { accountId: admin.accountId, organizationId: own.organizationId, groups: [], tags: ['night'] };
    await runJobs('2026-11-03T12:00:10Z');
    limit = undefined;
    const mail = (await mailbox('boss@own.test')).find((each) => each.includes('One depot'))!;
    expect(attachmentOf(mail)).toContain('Van 8,');
    expect(attachmentOf(mail)).not.toContain('Bus 7');
  });

  test('RPM-03-partial one of a main account that fails, which is no alert of an organization, is a mail to each of its admins', async () => {
    const main = { kind: 'main', mainAccountId: own.mainAccountId } as const;
    for (const mail of ['chief@main.test', 'deputy@main.test']) await app.seeding.account(main, mail, 'main');
    await app.owner.query(`update accounts set language = 'zh-TW' where email = 'deputy@main.test'`);
    await mailbox('');
    mayAct = false;
    const { id } = (await create({ name: 'Of all', every: 'day', recipients: ['chief@main.test'] }, mainPerson)).json.result;
    await runJobs('2026-11-04T12:00:10Z');
    mayAct = true;
    const subjects = (await mailbox(''))
      .map((mail) => decodeMail(Buffer.from(mail)).headers)
      .map(({ to, subject }) => [to, subject]);
    expect(subjects).toContainEqual(['chief@main.test', 'Summary Of all could not be sent']);
    expect(subjects).toContainEqual(['deputy@main.test', '無法寄送定期報表「Of all」']);
    await app.call('DELETE', `${BASE}/${id}`, { as: mainPerson, body: {} });
  });

  const alertsOf = async (as: Actor) =>
    (await app.call('GET', '/data_manager/v1/alerts', { as, query: { kind: 'report-failed', limit: '50' } })).json.result;

  test('RPM-03-partial a report that fails is an open alert of its organization, one, until the next is sent; acknowledged like others', async () => {
    const { id } = (await create({ name: 'Watched', every: 'day', hour: 9, recipients: ['boss@own.test'] })).json.result;
    const mine = async () => (await alertsOf(admin)).filter(({ rule }: { rule: string }) => rule === id);
    mayAct = false;
    await runJobs('2026-11-04T15:00:10Z');
    await runJobs('2026-11-05T15:00:10Z');
    mayAct = true;
    const [alert, ...more] = await mine();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      state: 'firing',
      severity: 'warning',
      ruleName: 'Summary not sent',
      vehicle_number: 'Watched',
      device: '',
      since: Date.parse('2026-11-04T15:00:00Z') / 1_000,
    });
    expect(await alertsOf(unrelated)).toEqual([]);
    const body = { alerts: [alert.id], note: 'The right is on its way' };
    expect((await app.call('POST', '/data_manager/v1/alerts/acknowledge', { as: unrelated, body })).status).toBe(404);
    expect((await app.call('POST', '/data_manager/v1/alerts/acknowledge', { as: admin, body })).status).toBe(200);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe('Acknowledged alert Summary not sent of Watched');
    await runJobs('2026-11-06T15:00:10Z');
    expect(await mine()).toMatchObject([{ state: 'resolved', resolution: 'cleared' }]);
    mayAct = false;
    await runJobs('2026-11-07T15:00:10Z');
    mayAct = true;
    expect((await mine()).map(({ state }: { state: string }) => state)).toEqual(['firing', 'resolved']);
    await app.call('DELETE', `${BASE}/${id}`, { as: admin, body: {} });
    expect((await mine()).map(({ state }: { state: string }) => state)).toEqual(['resolved', 'resolved']);
  });

  test('RPM-03-partial an address whose mail server rejects three in a row is paused, said in the log and on the page, and a person resumes it', async () => {
    const { id } = (await create({ name: 'Bounces', every: 'never', recipients: ['boss@own.test', 'left@own.test'] })).json
      .result;
    /** Send it, with a mail server that rejects these addresses. */
    const sendTo = async (at: string, rejected: readonly string[], isOfRecipient = true): Promise<string[]> => {
      app.clock.set(at);
      await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
      await runJobs(at);
      const accepted: string[] = [];
      await deliverDueMails({
        database: app.database,
        log: silentLog,
        outcomes: summaryOutcomes,
        transport: {
          send: async ({ to, subject }) => {
            if (!subject.startsWith('Bounces')) return;
            if (rejected.includes(to)) throw new PermanentMailError('550 5.1.1 No such user', { isOfRecipient });
            accepted.push(to);
          },
          close: async () => {},
        },
        sealing: createTestSealing(),
        now: () => new Date(at),
      });
      return accepted;
    };
    const pausedOf = async () => (await listed()).find((each: { id: string }) => each.id === id).paused;
    await mailbox('');
    const both = ['boss@own.test', 'left@own.test'];
    for (const [day, rejected] of [
      ['10', ['left@own.test']],
      ['11', ['left@own.test']],
      ['12', []],
      ['13', ['left@own.test']],
    ] as const)
      await sendTo(`2026-11-${day}T12:00:00Z`, rejected);
    // A file that is too large for its server says nothing about the address.
    await sendTo('2026-11-14T12:00:00Z', ['left@own.test'], false);
    expect(await pausedOf()).toEqual([]);
    for (const day of ['15', '16'])
      expect(await sendTo(`2026-11-${day}T12:00:00Z`, ['left@own.test'])).toEqual(['boss@own.test']);
    expect(await pausedOf()).toEqual(['left@own.test']);
    expect(await app.logOf(own.organizationId)).toContain(
      'Paused summaries to left@own.test: its mail server rejected three in a row',
    );
    expect(await sendTo('2026-11-17T12:00:00Z', [])).toEqual(['boss@own.test']);
    const resume = (as: Actor, mail: string) => app.call('POST', `${BASE}/${id}/resume`, { as, body: { mail } });
    expect((await resume(unrelated, 'left@own.test')).status).toBe(404);
    expect((await resume(admin, 'boss@own.test')).json.error.key).toBe('summary.not_paused');
    expect((await resume(admin, 'Left@own.test')).json.result.paused).toEqual([]);
    expect((await sendTo('2026-11-18T12:00:00Z', [])).toSorted()).toEqual(both);
  });

  test('RPM-03-partial one whose days end later in the zone of its figures is sent once they are over, without a change of its schedule', async () => {
    app.clock.set('2026-11-20T12:00:00Z');
    const taipei = { zone: 'Asia/Taipei', every: 'day', hour: 6, recipients: ['boss@own.test'] };
    const main = { kind: 'main', mainAccountId: own.mainAccountId } as const;
    await app.seeding.account(main, 'fleet@main.test', 'main');
    const { id } = (await create({ ...taipei, name: 'Late use', kind: 'data-use' })).json.result;
    const all = { ...taipei, name: 'Late use of all', kind: 'data-use', recipients: ['fleet@main.test'] };
    const whole = (await create(all, mainPerson)).json.result;
    const cells = (await create({ ...taipei, name: 'Late cells', kind: 'coverage' })).json.result;
    const alerts = (await create({ ...taipei, name: 'Own days', kind: 'alerts' })).json.result;
    const stopped = (await create({ ...taipei, name: 'Late and off', kind: 'data-use' })).json.result;
    const nextOf = async (one: string, as = admin) =>
      (await listed(as)).find((each: { id: string }) => each.id === one).nextAt.slice(5, 16);
    /** What was sent since, and the days that it is about. */
    const sent = async () =>
      (await mailbox(''))
        .map((mail) => decodeMail(Buffer.from(mail)).headers['subject']!)
        .filter((subject) => /^(?:Late|Own days)/u.test(subject))
        .toSorted();
    await mailbox('');
    expect([await nextOf(alerts.id), await nextOf(cells.id), await nextOf(id), await nextOf(whole.id, mainPerson)]).toEqual([
      '11-20T22:00',
      '11-21T00:00',
      '11-21T06:00',
      '11-21T06:00',
    ]);
    await runJobs('2026-11-20T22:00:10Z');
    expect(await sent()).toEqual(['Own days: Alerts, 11/20/2026 – 11/20/2026, Asia/Taipei']);
    expect(await nextOf(id)).toBe('11-21T06:00');
    // Until then it has not begun, and is not sent if its schedule ends.
    expect((await listed()).find((each: { id: string }) => each.id === id).lastRun).toBeNull();
    const off = { ...taipei, name: 'Late and off', kind: 'data-use', every: 'never', format: 'csv', language: 'en-US', onDay: 1 };
    expect((await app.call('PUT', `${BASE}/${stopped.id}`, { as: admin, body: off })).status).toBe(200);
    await runJobs('2026-11-21T00:00:10Z');
    expect(await sent()).toEqual(['Late cells: Coverage, 11/20/2026 – 11/20/2026, UTC']);
    // On demand it is sent as it is by then.
    app.clock.set('2026-11-21T01:00:00Z');
    await app.call('POST', `${BASE}/${id}/send`, { as: admin, body: {} });
    await runJobs('2026-11-21T01:00:10Z');
    expect(await sent()).toEqual(['Late use: Data use, 11/20/2026 – 11/20/2026, America/Chicago']);
    await app.owner.query(
      `insert into usage_days (organization_id, day, iccid, device_id, sent, received)
       select $1, '2026-11-20', '8901260000009876547', d.id, 0, 7000000 from devices d where d.organization_id = $1 and d.vehicle_number = 'Bus 7'`,
      [own.organizationId],
    );
    await runJobs('2026-11-21T05:59:00Z');
    expect(await sent()).toEqual([]);
    await runJobs('2026-11-21T06:00:10Z');
    const late = (await mailbox('')).filter((mail) => mail.includes('Late'));
    expect(late.map((mail) => /^To: (.*)$/mu.exec(mail)![1]!).toSorted()).toEqual(['boss@own.test', 'fleet@main.test']);
    for (const mail of late) expect(attachmentOf(mail)).toMatch(/Bus 7.*,7\.00,7\.00,/u);
    expect(await nextOf(id)).toBe('11-22T06:00');
  });

  test('RPM-03-partial after an interruption each missed time is sent about its own days, once they are over; of more than seven the older ones are said to be skipped', async () => {
    app.clock.set('2026-11-21T12:00:00Z');
    const taipei = { zone: 'Asia/Taipei', every: 'day', hour: 6, recipients: ['boss@own.test'] };
    const ids: string[] = [];
    for (const [name, kind] of [
      ['Missed', 'alerts'],
      ['Missed use', 'data-use'],
      ['Missed now', 'inventory'],
    ])
      ids.push((await create({ ...taipei, name, kind })).json.result.id);
    const sent = async () =>
      (await mailbox('boss@own.test'))
        .map((mail) => decodeMail(Buffer.from(mail)).headers['subject']!)
        .filter((subject) => subject.startsWith('Missed'))
        .toSorted();
    const about = (name: string, zone: string, days: readonly number[]) =>
      days.map((day) => `${name}, 11/${day}/2026 – 11/${day}/2026, ${zone}`);
    await sent();
    await runJobs('2026-11-23T23:00:00Z');
    expect(await sent()).toEqual([
      expect.stringContaining('Missed now: '),
      ...about('Missed use: Data use', 'America/Chicago', [21, 22]),
      ...about('Missed: Alerts', 'Asia/Taipei', [21, 22, 23]),
    ]);
    await runJobs('2026-11-24T06:00:10Z');
    expect(await sent()).toEqual(about('Missed use: Data use', 'America/Chicago', [23]));
    await mailbox('');
    await runJobs('2026-12-01T23:00:00Z');
    const mails = await mailbox('');
    const subjects = mails.map((mail) => decodeMail(Buffer.from(mail)).headers['subject']!);
    expect(subjects.filter((subject) => subject.startsWith('Missed: ')).toSorted()).toEqual([
      ...about('Missed: Alerts', 'Asia/Taipei', [25, 26, 27, 28, 29, 30]),
      'Missed: Alerts, 12/01/2026 – 12/01/2026, Asia/Taipei',
    ]);
    const failures = mails.filter((_, index) => subjects[index] === 'Summary Missed could not be sent');
    expect(failures).toEqual([expect.stringContaining('The last seven are sent')]);
    expect((await app.logOf(own.organizationId)).filter((line) => line === 'Could not send summary Missed')).toHaveLength(1);
    for (const id of ids) await app.call('DELETE', `${BASE}/${id}`, { as: admin, body: {} });
  });

  test('RPM-03-partial a zone is one that the database knows by this name', async () => {
    const { rows } = await sql<{ name: string }>`select lower(name) as name from pg_timezone_names`.execute(app.database.read);
    const known = new Set(rows.map(({ name }) => name));
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(97 + index));
    const short = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const names = [...short, ...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT-8', 'Japan', 'US/Central'];
    const taken = names.filter((name) => isTaken(name));
    expect(taken.filter((name) => !known.has(name.toLowerCase()))).toEqual([]);
    expect(taken.length).toBeGreaterThan(400);
    expect(names.filter((name) => name.length > 3 && !isTaken(name))).toEqual([]);
    for (const zone of ['+08:00', '+0800', '-0500', '+08', 'SystemV/PST8', 'Nowhere/City', 'BST', 'ist']) {
      const { status, json } = await create({ zone, recipients: ['boss@own.test'] });
      expect([zone, status, json.error?.detail?.field ?? json.error?.field]).toEqual([zone, 400, 'zone']);
      expect((await app.call('GET', BASE, { as: admin, query: { limit: '50' } })).status).toBe(200);
    }
  });

  test('RPM-03-partial one with a zone that the database does not know, stored by an older version, stops no other, and has the same hours after the update', async () => {
    const ids: string[] = [];
    for (const name of ['Bad', 'Half', 'Good'])
      ids.push(
        (await create({ name, kind: 'data-use', zone: 'UTC', every: 'day', hour: 6, recipients: ['boss@own.test'] })).json.result
          .id,
      );
    const [bad = '', half = ''] = ids;
    for (const [id, zone] of [
      [bad, '+0800'],
      [half, '-03:30'],
    ] as const)
      await app.database.write((tx) => tx.updateTable('summaries').set({ zone }).where('id', '=', id).execute());
    await runJobs('2026-12-02T23:00:00Z');
    const subjects = (await mailbox('boss@own.test')).map((mail) => decodeMail(Buffer.from(mail)).headers['subject']!);
    expect(subjects.filter((subject) => subject.startsWith('Good: '))).not.toEqual([]);
    const file = new URL('../../../migrations/0091-zones-of-summaries.sql', import.meta.url);
    await app.database.write((tx) => sql.raw(readFileSync(file, 'utf8')).execute(tx));
    const zones = new Map((await listed()).map(({ id, zone }: { id: string; zone: string }) => [id, zone]));
    expect(ids.map((id) => zones.get(id))).toEqual(['Etc/GMT-8', 'UTC', 'UTC']);
    for (const id of ids) await app.call('DELETE', `${BASE}/${id}`, { as: admin, body: {} });
  });

  test('RPM-03-partial others neither see, change, send nor delete it; a schedule without a recipient is rejected', async () => {
    const [{ id }] = await listed();
    expect(await listed(unrelated)).toEqual([]);
    const body = { ...fields, recipients: ['boss@own.test'] };
    expect((await app.call('PUT', `${BASE}/${id}`, { as: unrelated, body })).status).toBe(404);
    expect((await app.call('POST', `${BASE}/${id}/send`, { as: unrelated, body: {} })).status).toBe(404);
    expect((await app.call('DELETE', `${BASE}/${id}`, { as: unrelated, body: {} })).status).toBe(404);
    expect((await create({ recipients: [] })).status).toBe(400);
    for (const wrong of [{ sumBy: 'plans' }, { columns: ['weather'] }, { kind: 'people', group: 'default' }])
      expect((await create({ recipients: ['boss@own.test'], ...wrong })).status, JSON.stringify(wrong)).toBe(400);
    expect((await create({ zone: 'Nowhere/City', recipients: ['boss@own.test'] })).status).toBe(400);
    expect((await app.call('DELETE', `${BASE}/${id}`, { as: admin, body: {} })).status).toBe(200);
  });
});
