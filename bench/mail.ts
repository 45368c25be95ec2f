import { createSecretKey, randomBytes } from 'node:crypto';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { createSmtpTransport } from '../apps/server/src/platform/adapters/mail/smtp.ts';
import { createMailSealing, deliverDueMails } from '../apps/server/src/domains/mails/index.ts';
import { raiseEverywhere, notifyEvents } from '../apps/server/src/domains/notifications/index.ts';
import { newId } from '../apps/server/src/kernel/ids.ts';
import type { Mail } from '../apps/server/src/platform/ports/mail.ts';
import { startChild } from './child.ts';
import { silentLog, type BenchDatabase, type Cluster } from './cluster.ts';
import type { MailServerAnswers } from './mail-server.ts';
import { timed } from './measure.ts';
import { printTable, times, type Figure } from './table.ts';

const ORGANIZATIONS = 10;
const SUBSCRIBERS = 1_000;
const MAILS = ORGANIZATIONS * SUBSCRIBERS;
const FROM = 'Highline <no-reply@highline.invalid>';
/** Concurrent mails in the bare pool: enough that it never waits for one. */
const AT_ONCE = 50;

/** One event to 10,000 subscribers: written, queued and sent to a mail server (issue 5, "Speed and memory"). */
export async function benchMail(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_mail');
  const server = await startChild<MailServerAnswers>('mail-server.ts');
  const opened = await openDatabase(
    { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 16 },
    silentLog,
  );
  const served = createDatabase(opened.pool, () => {});
  const url = await server.ask('url');
  const main = (await database.seeding.mainAccount('Bench')).scope;
  for (let index = 0; index < ORGANIZATIONS; index += 1)
    await subscribe(database, (await database.seeding.organization(main, `Organization ${index}`)).organizationId);
  const notice = { event: 'FIRMWARE_UPLOADED', detail: { what: ['2.1.0 – HL-500'], count: 1 } } as const;
  await served.write((tx) => raiseEverywhere(tx, main, notice, systemClock.now()));

  const deps = { database: served, clock: systemClock, log: silentLog, origin: () => 'https://cloud.example' };
  const queued = await timed(() => notifyEvents(deps));
  const raw = await timed(() => copyMails(database));

  const transport = createSmtpTransport(url, FROM);
  const delivered = await timed(() =>
    deliverDueMails({
      database: served,
      transport,
      sealing: createMailSealing(createSecretKey(randomBytes(32))),
      now: () => systemClock.now(),
      log: silentLog,
    }),
  );
  await transport.close();
  const ours = await server.ask('taken');
  if (ours.all !== MAILS || ours.different !== MAILS)
    throw new Error(`delivered ${ours.all}, of them ${ours.different} different`);
  const bare = await timed(() => sendBare(database, url));
  await server.ask('taken');

  const figures: Figure[] = [
    { ...figure(`${MAILS.toLocaleString('en-US')} mails written and queued`, queued, raw) },
    { ...figure(`${MAILS.toLocaleString('en-US')} mails queued → taken by the mail server`, delivered, bare) },
  ];
  printTable('Mail', figures, [
    'Ceilings: the same rows copied within SQL; the same mails out of memory through the bare nodemailer pool, also of three connections.',
    `Every mail was accepted exactly once: ${ours.all} of ${MAILS}.`,
  ]);
  await opened.close();
  await server.stop();
  await database.close();
}

function figure(name: string, ours: number, ceiling: number): Figure {
  const shown = (ms: number) => `${(ms / 1_000).toFixed(2)} s, ${Math.round((MAILS * 1_000) / ms)}/s`;
  return { name, ours: shown(ours), ceiling: shown(ceiling), ratio: times(ours / ceiling), aim: 'recorded' };
}

async function subscribe({ owner }: BenchDatabase, organizationId: string): Promise<void> {
  await owner.query(
    `insert into notification_subscriptions (organization_id, mail, events)
     select $1::uuid, 'reader-' || n || '-' || left($1::text, 13) || '@highline.invalid', '{FIRMWARE_UPLOADED}'
     from generate_series(1, $2::int) n`,
    [organizationId, SUBSCRIBERS],
  );
}

/** Copy as many rows of the same size as just queued, and delete them. */
async function copyMails({ owner }: BenchDatabase): Promise<void> {
  await owner.query('create table mails_copy (like mails including indexes)');
  await owner.query('insert into mails_copy select * from mails');
  await owner.query('drop table mails_copy');
}

async function sendBare({ owner }: BenchDatabase, url: string): Promise<void> {
  const { rows } = await owner.query<{ recipient: string; subject: string; plain: string; html: string }>(
    'select recipient, subject, plain, html from mails',
  );
  const mails = rows.map(({ recipient: to, ...content }): Mail => ({ messageId: `<${newId()}@highline>`, to, ...content }));
  const pool = createSmtpTransport(url, FROM);
  const lane = async () => {
    for (let mail = mails.pop(); mail !== undefined; mail = mails.pop()) await pool.send(mail);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await pool.close();
}
