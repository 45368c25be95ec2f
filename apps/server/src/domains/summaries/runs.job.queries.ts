// Reads tables of other domains: accounts, mail_files, main_accounts, organizations.
import {
  type Separator,
  type SummaryKind,
  type SummarySum,
  MAIN_SERVICE,
  type Language,
  type summaries as calls,
} from '@highline/contract';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/index.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { hasFullRole } from '../accounts/admins/index.ts';
import { deleteMailFiles } from '../mails/index.ts';
import { isPaused, purgeBounces } from './bounces.job.queries.ts';
import { mayReceive } from './saved.queries.ts';
import type { SKIPPED } from './schedule.ts';
import { sendingTime } from './sending-time.queries.ts';

/** A summary, as the job reads it. */
interface SummaryRow {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
  readonly name: string;
  readonly kind: SummaryKind;
  readonly format: calls.SummaryFormat;
  readonly group_key: string | null;
  readonly carrier: string | null;
  readonly tag: string | null;
  readonly sum_by: SummarySum | null;
  readonly columns: readonly string[] | null;
  readonly separator: Separator;
  readonly zone: string;
  readonly language: Language;
  readonly every: calls.SummaryInterval;
  readonly on_day: number;
  readonly hour: number;
  readonly author: Actor;
}

/** A summary that is due. */
export interface DueSummary extends SummaryRow {
  readonly next_at: Date;
}

/** A run that this process does now. */
export interface LeasedRun extends SummaryRow {
  readonly due_at: Date;
  readonly attempts: number;
  /** Why the last attempt failed, or `SKIPPED`. */
  readonly reason: string;
}

const columns = sql`s.id, s.main_account_id, s.organization_id, s.name, s.kind, s.format, s.group_key, s.carrier, s.tag, s.sum_by, s.columns, s.separator, s.zone, s.language, s.every, s.on_day, s.hour, s.author`;
const isOpen = sql`not exists (select from organizations o where o.id = s.organization_id and o.deleted_at is not null)`;

/** Lock the summary that is due longest; of several processes each takes others. @param except those that failed */
export async function lockDue(tx: Tx, now: Date, except: readonly string[]): Promise<DueSummary | undefined> {
  const { rows } = await sql<DueSummary>`select ${columns}, s.next_at from summaries s
    where s.next_at <= ${now}::timestamptz and s.id <> all (${[...except]}::uuid[]) order by s.next_at limit 1 for update skip locked`.execute(
    tx,
  );
  return rows[0];
}

/** Note when a summary is due next; null = never. */
export async function setNext(tx: Tx, id: string, next: Date | null): Promise<void> {
  await tx.updateTable('summaries').set({ next_at: next }).where('id', '=', id).execute();
}

/** Runs that wait for the end of their days are not made: the summary has another schedule. */
export async function dropPostponedRuns(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`delete from summary_runs where summary_id = ${id}::uuid and state = 'waiting' and attempts = 0
    and next_attempt_at > ${now}::timestamptz`.execute(tx);
}

/** What a summary has sent stays of the kind that it had, where a process of an earlier version did not note that. */
export async function keepKindOfSent(tx: Tx, id: string, kind: SummaryKind): Promise<void> {
  await tx
    .updateTable('summary_runs')
    .set({ kind })
    .where('summary_id', '=', id)
    .where('file_id', 'is not', null)
    .where('kind', 'is', null)
    .execute();
}

/** Runs are due, each once; they are sent when the days that they are about are over. @param reason `SKIPPED`, or '' */
export async function insertRuns(tx: Tx, id: string, due: readonly Date[], reason: '' | typeof SKIPPED = ''): Promise<void> {
  await sql`insert into summary_runs (summary_id, due_at, state, next_attempt_at, reason)
    select s.id, t.due, 'waiting', ${sendingTime('s', sql`t.due`)}, ${reason}
    from summaries s cross join unnest(${due.map((at) => at.toISOString())}::timestamptz[]) t (due)
    where s.id = ${id}::uuid on conflict do nothing`.execute(tx);
}

/** A run on demand is due; once for each time. @param at when it is sent */
export async function insertRun(tx: Tx, id: string, due: Date, at: Date): Promise<void> {
  await tx
    .insertInto('summary_runs')
    .values({ summary_id: id, due_at: due, state: 'waiting', next_attempt_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Take the run that is due longest; while it is done, for this time, no other process does. */
export async function leaseRun(database: Database, now: Date, leaseMs: number): Promise<LeasedRun | undefined> {
  return database.write(async (tx) => {
    await sql`delete from summary_runs r where r.next_attempt_at <= ${now}::timestamptz
      and not exists (select from summaries s where s.id = r.summary_id and ${isOpen})`.execute(tx);
    const { rows } = await sql<LeasedRun>`with due as materialized (
        select summary_id, due_at from summary_runs where next_attempt_at <= ${now}::timestamptz order by next_attempt_at limit 1
        for update skip locked)
      update summary_runs r set attempts = r.attempts + 1, next_attempt_at = ${new Date(now.getTime() + leaseMs)}::timestamptz
      from due d, summaries s where r.summary_id = d.summary_id and r.due_at = d.due_at and s.id = r.summary_id
      returning ${columns}, r.due_at, r.attempts, r.reason`.execute(tx);
    return rows[0];
  });
}

/** End a run that is still this process's. @returns false = another process has it, or the summary was deleted */
export async function endRun(
  tx: Tx,
  { id, due_at: due, attempts, kind }: LeasedRun,
  state: 'sent' | 'failed',
  reason: string,
  fileId: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('summary_runs')
    .set({ state, reason, next_attempt_at: null, file_id: fileId, kind })
    .where('summary_id', '=', id)
    .where('due_at', '=', due)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Try a run again later that is still this process's. */
export async function postponeRun(
  database: Database,
  { id, due_at: due, attempts }: LeasedRun,
  at: Date,
  reason: string,
): Promise<void> {
  await database.write((tx) =>
    tx
      .updateTable('summary_runs')
      .set({ next_attempt_at: at, reason })
      .where('summary_id', '=', id)
      .where('due_at', '=', due)
      .where('attempts', '=', attempts)
      .where('state', '=', 'waiting')
      .execute(),
  );
}

/** The recipients of a summary that get it, each with the language of its account. */
export async function readRecipients(tx: Tx, id: string): Promise<{ readonly mail: string; readonly language: Language }[]> {
  const { rows } = await sql<{ mail: string; language: Language }>`select r.mail,
      coalesce((select a.language from accounts a where a.email = r.mail), s.language) as language
    from summaries s cross join unnest(s.recipients) r (mail) where s.id = ${id}::uuid and ${mayReceive('s')} and not ${isPaused('s')} order by 1`.execute(
    tx,
  );
  return rows;
}

/**
 * Who is informed that a summary could not be sent, each with the language of its account: its author, or the admins if that person has left. Of a
 * main account, which has no alerts, it is all of its admins.
 */
export async function listInformed(
  tx: Tx,
  { author, main_account_id: main, organization_id: organization }: SummaryRow,
): Promise<readonly { readonly email: string; readonly language: Language | null }[]> {
  const role = organization === null ? `r.${MAIN_SERVICE}.vendor.super` : `r.${organization}.super`;
  const { rows } = await sql<{
    email: string;
    language: Language | null;
    is_author: boolean;
  }>`select a.email, a.language, a.email = ${author.email} as is_author from accounts a
    where a.main_account_id = ${main}::uuid and ((a.email = ${author.email} and cardinality(a.roles) > 0
        and (a.organization_id is null or a.organization_id is not distinct from ${organization}::uuid))
      or (a.organization_id is not distinct from ${organization}::uuid and ${role} = any(a.roles) and ${hasFullRole}))
    order by is_author desc, a.email limit 20`.execute(tx);
  const isToAll = organization === null || rows[0]?.is_author === false;
  return rows.filter(({ is_author: isAuthor }) => isAuthor || isToAll);
}

/** Note addresses outside that have to confirm, once each. @returns those that were not noted before, with the name of the owner */
export async function requestConfirmation(
  tx: Tx,
  { id }: { readonly id: string },
  now: Date,
): Promise<{ readonly owner_id: string; readonly mail: string; readonly owner: string; readonly language: Language }[]> {
  const { rows } = await sql<{ owner_id: string; mail: string; owner: string; language: Language }>`with added as (
      insert into summary_addresses (owner_id, mail, created_at)
      select coalesce(s.organization_id, s.main_account_id), r.mail, ${now}::timestamptz
      from summaries s cross join unnest(s.recipients) r (mail) where s.id = ${id}::uuid and not ${mayReceive('s')}
      on conflict do nothing returning owner_id, mail)
    select a.owner_id, a.mail, s.language, coalesce(o.name, m.name) as owner from added a, summaries s
      join main_accounts m on m.id = s.main_account_id left join organizations o on o.id = s.organization_id where s.id = ${id}::uuid`.execute(
    tx,
  );
  return rows;
}

/** Questions that an owner may cause in a day. */
const QUESTIONS_A_DAY = 50;

/** Summaries that were saved lately with recipients outside that got no question yet. Who leaves later gets none. */
export async function listUnnoted(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ readonly id: string; readonly organization_id: string | null }[]> {
  const { rows } = await sql<{ id: string; organization_id: string | null }>`select s.id, s.organization_id from summaries s
    where s.updated_at > ${now}::timestamptz - interval '30 days' and (select count(*) from summary_addresses c where c.owner_id = coalesce(s.organization_id, s.main_account_id)
        and c.created_at > ${now}::timestamptz - interval '1 day') < ${QUESTIONS_A_DAY}
      and exists (select from unnest(s.recipients) r (mail) where not ${mayReceive('s')} and not exists (
      select from summary_addresses c where c.owner_id = coalesce(s.organization_id, s.main_account_id) and c.mail = r.mail))
    order by s.id limit ${limit}`.execute(tx);
  return rows;
}

/** Confirm an address. @returns false = it is not known (any more) */
export async function confirmAddress(tx: Tx, ownerId: string, mail: string, now: Date): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`update summary_addresses set confirmed_at = coalesce(confirmed_at, ${now}::timestamptz)
    where owner_id = ${ownerId}::uuid and mail = ${mail}`.execute(tx);
  return numAffectedRows > 0n;
}

/** Take an address out of a summary. @returns the summary; undefined = it was deleted */
export async function removeRecipient(
  tx: Tx,
  id: string,
  mail: string,
): Promise<Pick<SummaryRow, 'name' | 'main_account_id' | 'organization_id'> | undefined> {
  const { rows } = await sql<Pick<SummaryRow, 'name' | 'main_account_id' | 'organization_id'>>`update summaries s
    set recipients = array_remove(s.recipients, ${mail}), version = s.version + 1 where s.id = ${id}::uuid
    returning s.name, s.main_account_id, s.organization_id`.execute(tx);
  return rows[0];
}

const KEPT = '90 days';

/** Delete old runs whose files are no longer kept, and addresses that have not confirmed for this time. */
export async function purgeRuns(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    await sql`delete from summary_runs r where r.due_at < ${now}::timestamptz - ${KEPT}::interval and r.next_attempt_at is null
      and not exists (select from mail_files f where f.id = r.file_id)`.execute(tx);
    await purgeBounces(tx, now);
    await sql`delete from summary_addresses where confirmed_at is null and created_at < ${now}::timestamptz - ${KEPT}::interval`.execute(
      tx,
    );
  });
}

/** Delete the summaries of an organization that is being purged, with what they sent. */
export async function purgeSummariesOf(tx: Tx, { organizationId }: { readonly organizationId: string }): Promise<void> {
  const { rows } = await sql<{ id: string }>`select r.file_id as id from summary_runs r join summaries s on s.id = r.summary_id
    where r.file_id is not null and s.organization_id = ${organizationId}::uuid`.execute(tx);
  await deleteMailFiles(
    tx,
    rows.map(({ id }) => id),
  );
  await tx.deleteFrom('report_settings').where('organization_id', '=', organizationId).execute();
  await sql`delete from summary_runs r using summaries s where s.id = r.summary_id and s.organization_id = ${organizationId}::uuid`.execute(
    tx,
  );
  await tx.deleteFrom('summaries').where('organization_id', '=', organizationId).execute();
  await tx.deleteFrom('summary_addresses').where('owner_id', '=', organizationId).execute();
  await tx.deleteFrom('summary_bounces').where('owner_id', '=', organizationId).execute();
}
