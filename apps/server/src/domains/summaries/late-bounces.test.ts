import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBounceCommand } from '../../cli/mail/bounce.ts';
import { createReader, createRowStreams } from '../../platform/listing/index.ts';
import { ask, send, until } from '../../testing/call.ts';
import { silentLog } from '../../testing/log.ts';
import { fromExchange, fromExim, fromPostfix, type Returned } from '../../testing/returned-mails.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startTestSmtp, type TakenMail, type TestSmtp } from '../../testing/smtp.ts';
import { createLinkSealing } from './link.ts';
import { createSummaryJobs } from './runs.job.ts';

// A server, PostgreSQL and a mail server, all real; what the mail server returns is passed on by the command, as an operator has it set up.

const BASE = '/data_manager/v1/dm/summaries';
let smtp: TestSmtp;
let server: TestServer;
let bearer: string;
let chain: string;

beforeAll(async () => {
  smtp = await startTestSmtp();
  server = await startTestServer({
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'Highline <console@late.test>', MAIL_BOUNCES: 'bounces@late.test' },
  });
  const { scope: main } = await server.seeding.mainAccount('Home');
  const own = await server.seeding.organization(main, 'Own');
  chain = own.organizationId;
  bearer = await server.seeding.bearer(await server.seeding.account(own, 'admin@late.test', 'admin'));
  for (const name of ['gone', 'moody', 'full']) await server.seeding.account(own, `${name}@late.test`, 'user');
});
afterAll(async () => {
  await server.close();
  await smtp.down();
});

const call = <T>(method: string, path: string, body?: object) => ask<T>(`${server.url}${BASE}${path}`, { method, bearer, body });
const pausedOf = async (id: string) =>
  (await call<{ id: string; paused: string[] }[]>('GET', '?limit=50')).find((each) => each.id === id)!.paused;

/** Send a summary now. @returns the mails that the mail server accepted, by recipient */
async function sendNow(id: string, recipients: readonly string[]): Promise<Map<string, TakenMail>> {
  smtp.taken.splice(0);
  await call('POST', `/${id}/send`, {});
  const { database } = server;
  const reader = createReader(database);
  const deps = {
    database,
    reader,
    streams: createRowStreams(reader),
    log: silentLog,
    clock: { now: () => new Date() },
    expiringDays: 30,
    keptDays: 30,
    positionDays: 30,
    findStreet: async () => undefined,
    linkSealing: createLinkSealing(createSecretKey(randomBytes(32))),
    origin: () => 'https://cloud.test',
    findAllowed: async () => ({ limit: undefined }),
  };
  for (const job of createSummaryJobs(deps)) await job.run(new Date());
  await until(() => smtp.taken.length >= recipients.length);
  const taken = new Map(smtp.taken.map((mail) => [mail.to[0]!, mail]));
  expect([...taken.keys()].toSorted()).toEqual(recipients.toSorted());
  return taken;
}

/** Pass on what a mail server writes. @returns what the command says */
async function passOn(message: string): Promise<string> {
  const said: string[] = [];
  const command = createBounceCommand(() => Readable.from([Buffer.from(message)]));
  await command.run(['--server', server.url], {}, (line) => said.push(line));
  return said.join('\n');
}

const NOTED = 'The mail was noted as returned.';

test('RPM-03-partial mails that a mail server accepts and returns later pause an address after three in a row, each counted once, and no one else can say so', async () => {
  const [gone, moody, full] = ['gone@late.test', 'moody@late.test', 'full@late.test'] as const;
  const { id } = await call<{ id: string }>('POST', '', {
    name: 'Returned',
    kind: 'inventory',
    format: 'csv',
    zone: 'UTC',
    language: 'en-US',
    every: 'never',
    onDay: 1,
    hour: 6,
    recipients: [gone, moody, full],
  });
  const returnedBy = (write: (returned: Returned) => string, mail: TakenMail, status?: string) =>
    passOn(write({ address: mail.from, recipient: mail.to[0]!, original: mail.raw, ...(status !== undefined && { status }) }));

  const first = await sendNow(id, [gone, moody, full]);
  const senders = [...first.values()].map(({ from }) => from);
  for (const from of senders) expect(from).toMatch(/^bounces\+[\da-z]{41}@late\.test$/u);
  expect(new Set(senders).size).toBe(3);
  expect(first.get(gone)!.headers['from']).toContain('console@late.test');
  for (const mail of [gone, moody]) expect(await returnedBy(fromPostfix, first.get(mail)!)).toBe(NOTED);
  // Too large: that says nothing about the address.
  expect(await returnedBy(fromPostfix, first.get(full)!, '5.3.4')).toBe(NOTED);

  const listed = async () =>
    ask<{ id: string; mail: string; reason: string; returned: boolean }[]>(
      `${server.url}/data_manager/v1/notify/undelivered?limit=50`,
      {
        bearer,
      },
    );
  const undelivered = await listed();
  expect(undelivered).toHaveLength(3);
  expect(Object.fromEntries(undelivered.map(({ mail, returned }) => [mail, returned]))).toEqual({
    [full]: true,
    [gone]: true,
    [moody]: true,
  });
  // Its text was deleted when it was sent.
  const again = { bearer, body: { ids: [undelivered[0]!.id] } };
  expect((await send(`${server.url}/data_manager/v1/notify/undelivered`, again)).status).toBe(404);

  const second = await sendNow(id, [gone, moody, full]);
  expect(await returnedBy(fromExim, second.get(gone)!)).toBe(NOTED);
  expect(await returnedBy(fromExchange, second.get(full)!, '5.2.3')).toBe(NOTED);
  // Twice the same, and addresses that are those of no mail.
  const forged = { ...first.get(moody)!, from: first.get(moody)!.from.replace(/.@/u, (end) => (end === '0@' ? '1@' : '0@')) };
  for (const mail of [first.get(gone)!, second.get(gone)!, forged, { ...forged, from: `bounces+${'z'.repeat(41)}@late.test` }])
    expect(await returnedBy(fromPostfix, mail)).toMatch(/^The server knows no mail/u);
  expect(await pausedOf(id)).toEqual([]);

  const third = await sendNow(id, [gone, moody, full]);
  expect(await returnedBy(fromExim, third.get(full)!, '5.7.1')).toBe(NOTED);
  // The one before has arrived.
  expect(await returnedBy(fromPostfix, third.get(moody)!)).toBe(NOTED);
  // Addresses may lose their capitals or get some on the way.
  const shouted = { ...third.get(gone)!, from: third.get(gone)!.from.toUpperCase() };
  expect(await returnedBy(fromExchange, shouted)).toBe(NOTED);
  expect(await pausedOf(id)).toEqual([gone]);
  const { rows } = await server.owner.query<{ action: string }>('select action from audit_entries where chain_id = $1', [chain]);
  expect(rows.map(({ action }) => action)).toContain(`Paused summaries to ${gone}: its mail server rejected three in a row`);

  const fourth = await sendNow(id, [moody, full]);
  expect(await returnedBy(fromPostfix, fourth.get(moody)!)).toBe(NOTED);
  expect(await pausedOf(id)).toEqual([gone]);
  expect((await call<{ paused: string[] }>('POST', `/${id}/resume`, { mail: gone })).paused).toEqual([]);
});

test('RPM-03-partial what is no status of a returned mail is rejected with its field', async () => {
  const body = { address: 'bounces@late.test', status: '5.1.1', reason: '' };
  const post = (parts: object) => send(`${server.url}/dmp_aa/api/v1/mails/bounce`, { body: { ...body, ...parts } });
  expect((await post({})).json()).toEqual({ result: { outcome: 'ignored' } });
  for (const parts of [
    { status: '2.0.0' },
    { status: '5.1' },
    { address: 'x'.repeat(321) },
    { reason: 'x'.repeat(2_001) },
    { reason: 7 },
  ])
    expect((await post(parts)).status, JSON.stringify(parts).slice(0, 40)).toBe(400);
});
