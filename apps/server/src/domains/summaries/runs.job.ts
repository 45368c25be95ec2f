import { summaryRights, type Language, type Right } from '@highline/contract';
import type { Actor, Scope, Sealing } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { workWithin } from '../../platform/calls/index.ts';
import type { Allowed } from '../accounts/index.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { endReportAlert, openReportAlert } from '../alerts/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { enqueueMail, storeMailFile } from '../mails/index.ts';
import { itself } from './bounces.job.queries.ts';
import type { KindSources } from './kind-request.ts';
import { kinds } from './kinds.ts';
import { writeLink } from './link.ts';
import { readReportSettings } from './report-settings.queries.ts';
import {
  endRun,
  insertRuns,
  leaseRun,
  listInformed,
  listUnnoted,
  lockDue,
  postponeRun,
  purgeRuns,
  readRecipients,
  requestConfirmation,
  setNext,
  type DueSummary,
  type LeasedRun,
} from './runs.job.queries.ts';
import { daysBefore, dueTimes, SKIPPED } from './schedule.ts';
import { describeSummary, openSummary, writeSummary, type SummaryHead } from './summary.file.ts';
import { confirmationMail, failureMail, summaryMail } from './summary.mail.ts';

export interface RunDeps extends KindSources, Pick<Deps, 'database' | 'log' | 'clock'> {
  readonly linkSealing: Sealing;
  readonly origin: () => string;
  /** What the author of a summary may read now; undefined = not what it is about. */
  readonly findAllowed: (actor: Actor, right: Right) => Promise<Allowed | undefined>;
}

/** Summaries whose addresses outside are written to in one transaction. */
const BATCH = 50;
/** The longest time that a report takes; after it another process begins again. */
const LEASE_MS = 10 * 60_000;
const MOST_ATTEMPTS = 5;
const FIRST_DELAY_MS = 60_000;
/** Times of a summary that are sent after an interruption, at most. */
const MOST_MISSED = 7;
/** Of a file that a mail carries. */
const MOST_BYTES = 10_000_000;

/**
 * The jobs of summaries (RPM-03). A run is noted together with the next time; its file, its mails and its end are one transaction: a process that is
 * killed has sent all or nothing, and each time is sent once, however many processes there are.
 */
export function createSummaryJobs(deps: RunDeps): Job[] {
  const { database, clock } = deps;
  return [
    {
      name: 'summaries',
      everyMs: 15_000,
      async run(now) {
        await noteAllDue(deps, now);
        while (await database.write((tx) => writeToOutside(tx, deps, now))) continue;
        // Many at once take longer than a lease: each has its own time.
        for (let at = clock.now(); ; at = clock.now()) {
          const run = await leaseRun(database, at, LEASE_MS);
          if (run === undefined) return;
          await doRun(deps, run, at);
        }
      },
    },
    { name: 'summaries: retention', everyMs: 3_600_000, run: (now) => purgeRuns(database, now) },
  ];
}

/** Each summary in its own transaction: one that fails is tried again the next time, and stops no other. */
async function noteAllDue({ database, log }: RunDeps, now: Date): Promise<void> {
  const failed: string[] = [];
  for (;;) {
    let summary: DueSummary | undefined;
    try {
      await database.write(async (tx) => {
        summary = await lockDue(tx, now, failed);
        if (summary !== undefined) await noteDue(tx, summary, now);
      });
      if (summary === undefined) return;
    } catch (error) {
      if (summary === undefined) throw error;
      log.warn({ err: error, summary: summary.id }, 'When a summary is sent could not be noted.');
      failed.push(summary.id);
    }
  }
}

/**
 * Each time that was missed is a run; of more than `MOST_MISSED`, one run says that the older ones are skipped. Of a summary that is of now, each would be
 * the same: the last one is all.
 */
async function noteDue(tx: Tx, { id, kind, next_at: first, on_day: onDay, ...rest }: DueSummary, now: Date): Promise<void> {
  const { times, next } = dueTimes({ ...rest, onDay }, first, now);
  const isOfNow = kinds[kind].isOfNow === true;
  if (!isOfNow) await insertRuns(tx, id, times.slice(0, -MOST_MISSED).slice(-1), SKIPPED);
  await insertRuns(tx, id, times.slice(isOfNow ? -1 : -MOST_MISSED));
  await setNext(tx, id, next ?? null);
}

/** Write once to addresses outside, which have to confirm. @returns whether there may be more */
async function writeToOutside(tx: Tx, { linkSealing, origin }: RunDeps, now: Date): Promise<boolean> {
  const found = await listUnnoted(tx, now, BATCH);
  for (const summary of found)
    for (const { owner_id: ownerId, mail, owner, language } of await requestConfirmation(tx, summary, now)) {
      const token = writeLink(linkSealing, { purpose: 'confirm', ownerId, mail });
      const text = confirmationMail(language, owner, `${origin()}/account.html?confirm=${token}`);
      await enqueueMail(tx, { to: mail, ...text, kind: 'notification', organizationId: summary.organization_id }, now);
    }
  return found.length === BATCH;
}

async function doRun(deps: RunDeps, run: LeasedRun, now: Date): Promise<void> {
  const { database, log } = deps;
  try {
    const reason = await sendRun(deps, run, now);
    if (reason !== undefined) await database.write((tx) => fail(tx, deps, run, reason, now));
  } catch (error) {
    log.warn({ err: error, summary: run.id, attempts: run.attempts }, 'A summary could not be sent.');
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    if (run.attempts >= MOST_ATTEMPTS) await database.write((tx) => fail(tx, deps, run, reason, now));
    else await postponeRun(database, run, new Date(now.getTime() + FIRST_DELAY_MS * 2 ** run.attempts), reason);
  }
}

/** @returns why it cannot be sent */
async function sendRun(deps: RunDeps, run: LeasedRun, now: Date): Promise<string | undefined> {
  const { database } = deps;
  if (run.reason === SKIPPED) return SKIPPED;
  // The last attempt failed nowhere: the process has ended in each, or in some.
  if (run.attempts > MOST_ATTEMPTS) return 'interrupted';
  const allowed = await deps.findAllowed(run.author, summaryRights[run.kind]);
  if (allowed === undefined) return 'author';
  const scope = scopeOfOwner(run);
  const query = {
    kind: run.kind,
    zone: run.zone,
    language: run.language,
    ...daysBefore(run, run.due_at),
    ...(run.group_key !== null && { group: run.group_key }),
    ...(run.carrier !== null && { carrier: run.carrier }),
    ...(run.tag !== null && { tag: run.tag }),
    ...(run.sum_by !== null && { sumBy: run.sum_by }),
    ...(run.columns !== null && { columns: run.columns.join(',') }),
  };
  const written = await workWithin(allowed.limit, async () => {
    const summary = await openSummary(deps, scope, query, now);
    const { name, type, content } = writeSummary(summary, deps, run.format, run.separator);
    return { summary, name, type, content: await collect(content) };
  });
  const { summary, name, type, content: file } = written;
  if (file === undefined) return 'too_large';
  try {
    return await database.write((tx) =>
      mailFile(
        tx,
        deps,
        run,
        scope,
        { name, type, content: file, headIn: (language) => describeSummary(summary, language) },
        now,
      ),
    );
  } catch (error) {
    if (error instanceof OtherProcess) return undefined;
    throw error;
  }
}

/** The bytes of a file; undefined = they are too many. */
async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Another process has the run, or it was deleted: what was stored is taken back. */
class OtherProcess extends Error {}

interface MailedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly headIn: (language: Language) => SummaryHead;
}

async function mailFile(
  tx: Tx,
  deps: RunDeps,
  run: LeasedRun,
  scope: Scope,
  file: MailedFile,
  now: Date,
): Promise<string | undefined> {
  const { linkSealing, origin } = deps;
  const recipients = await readRecipients(tx, run.id);
  if (recipients.length === 0) return 'no_recipient';
  const { filesDays } = await readReportSettings(tx, scope);
  const keptUntil = new Date(now.getTime() + filesDays * 86_400_000);
  const fileId = await storeMailFile(tx, { ...file, ownerId: ownerOf(scope) }, now, keptUntil);
  if (!(await endRun(tx, run, 'sent', '', fileId))) throw new OtherProcess();
  if (scope.kind === 'organization') await endReportAlert(tx, scope, run.id, now);
  for (const { mail, language } of recipients) {
    const token = writeLink(linkSealing, { purpose: 'unsubscribe', summaryId: run.id, mail });
    const text = summaryMail(language, {
      name: run.name,
      ...file.headIn(language),
      console: `${origin()}/summaries`,
      unsubscribe: `${origin()}/account.html?unsubscribe=${token}`,
    });
    const unsubscribe = `${origin()}/dmp_aa/api/v1/summaries/link?token=${token}`;
    await enqueueMail(
      tx,
      { to: mail, ...text, kind: 'notification', organizationId: run.organization_id, fileId, unsubscribe },
      now,
    );
  }
  await record(
    tx,
    scope,
    run,
    sentence('summary.sent', run.name, recipients.length),
    { recipients: recipients.map(({ mail }) => mail) },
    now,
  );
  return undefined;
}

async function fail(tx: Tx, { origin }: RunDeps, run: LeasedRun, reason: string, now: Date): Promise<void> {
  if (!(await endRun(tx, run, 'failed', reason))) return;
  for (const { email: to, language } of await listInformed(tx, run)) {
    const text = failureMail(language ?? run.language, run.name, reason, run.format, `${origin()}/summaries`);
    await enqueueMail(tx, { to, ...text, kind: 'notification', organizationId: run.organization_id }, now);
  }
  const scope = scopeOfOwner(run);
  if (scope.kind === 'organization') await openReportAlert(tx, scope, { ...run, due: run.due_at }, now);
  await record(tx, scope, run, sentence('summary.failed', run.name), { reason }, now);
}

const ownerOf = (scope: Scope) => (scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId);

async function record(
  tx: Tx,
  scope: Scope,
  { id }: LeasedRun,
  action: ReturnType<typeof sentence>,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'summaries', [id]);
  await recordAudit(tx, ownerOf(scope), itself, { action, subject: { kind: 'summary', id }, detail }, now);
}
