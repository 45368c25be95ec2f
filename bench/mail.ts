import { createSecretKey, randomBytes } from 'node:crypto';
import { createSmtpTransport } from '../apps/server/src/platform/adapters/mail/smtp.ts';
import { createMailSealing, deliverDueMails } from '../apps/server/src/domains/mails/index.ts';
import { raiseEverywhere, notifyEvents } from '../apps/server/src/domains/notifications/index.ts';
import { newId } from '../apps/server/src/kernel/ids.ts';
import type { Mail } from '../apps/server/src/platform/ports/mail.ts';
import { startChild } from './child.ts';
import { openParts, type BenchDatabase, type Cluster } from './cluster.ts';
import { options } from './options.ts';
import type { MailServerResponses } from './mail-server.ts';
import { timed } from './measure.ts';
import { printTable, whole, type Figure } from './table.ts';

const ORGANIZATIONS = 10;
const SUBSCRIBERS = options.short ? 50 : 1_000;
const MAILS = ORGANIZATIONS * SUBSCRIBERS;
const FROM = 'Highline <no-reply@highline.invalid>';
/** Concurrent mails in the bare pool: enough that it never waits for one. */
const AT_ONCE = 50;

/** One event to 10,000 subscribers: written, queued and sent to a mail server (issue 5, "Speed and memory"). */
export async function benchMail(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_mail');
  const server = await startChild<MailServerResponses>('mail-server.ts');
  const { deps: parts, close } = await openParts(database, 16);
  const served = parts.database;
  const url = await server.ask('url');
  const main = (await database.seeding.mainAccount('Bench')).scope;
  for (let index = 0; index < ORGANIZATIONS; index += 1)
    await subscribe(database, (await database.seeding.organization(main, `Organization ${index}`)).organizationId);
  const notice = { event: 'FIRMWARE_UPLOADED', detail: { what: ['2.1.0 – HL-500'], count: 1 } } as const;
  await served.write((tx) => raiseEverywhere(tx, main, notice, parts.clock.now()));

  const queued = await timed(() => notifyEvents({ ...parts, origin: () => 'https://cloud.example' }));
  const raw = await timed(() => copyMails(database));

  const transport = createSmtpTransport(url, FROM);
  const delivered = await timed(() =>
    deliverDueMails({
      database: served,
      transport,
      sealing: createMailSealing(createSecretKey(randomBytes(32))),
      now: () => parts.clock.now(),
      log: parts.log,
    }),
  );
  await transport.close();
  const ours = await server.ask('taken');
  if (ours.all !== MAILS || ours.different !== MAILS)
    throw new Error(`delivered ${ours.all}, of them ${ours.different} different`);
  const bare = await timed(() => sendBare(database, url));
  await server.ask('taken');

  const figure = (name: string, ms: number, rawMs: number): Figure => ({
    name: `${whole(MAILS)} mails ${name}, per second`,
    unit: '/s',
    ours: [(MAILS * 1_000) / ms],
    raw: [(MAILS * 1_000) / rawMs],
    aim: 'recorded',
  });
  const figures = [figure('written and queued', queued, raw), figure('queued → taken by the mail server', delivered, bare)];
  printTable('Mail', figures, [
    'Ceilings: the same rows copied within SQL; the same mails out of memory through the bare nodemailer pool, also of three connections.',
    `Every mail was accepted exactly once: ${ours.all} of ${MAILS}.`,
  ]);
  await close();
  await server.stop();
  await database.close();
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
