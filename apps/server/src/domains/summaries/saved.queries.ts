// Reads tables of other domains: accounts, mail_files.
import { type SummaryKind, summaries as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { defineResource, isWithin } from '../../platform/resources/resource.ts';
import { recordAudit } from '../logs/index.ts';
import { isPaused } from './bounces.job.queries.ts';
import { sendingTime } from './sending-time.queries.ts';

interface Joined {
  readonly unconfirmed: string[];
  readonly paused: string[];
  readonly last_at: Date | null;
  readonly last_state: 'waiting' | 'sent' | 'failed' | null;
  readonly last_reason: string | null;
  readonly sent: Date[];
  readonly sending_at: Date | null;
}

/**
 * Whether an address `r.mail` gets summaries of an owner: a person of the organization or main account, or an address that has confirmed.
 * @param summary alias of a row of summaries
 */
export const mayReceive = (summary: string): Fragment => sql`(exists (select from accounts a where a.email = r.mail
      and a.main_account_id = ${sql.ref(`${summary}.main_account_id`)} and cardinality(a.roles) > 0
      and (a.organization_id is null or a.organization_id = ${sql.ref(`${summary}.organization_id`)}))
    or exists (select from summary_addresses c where c.owner_id = coalesce(${sql.ref(`${summary}.organization_id`)}, ${sql.ref(`${summary}.main_account_id`)})
      and c.mail = r.mail and c.confirmed_at is not null))`;

/** Saved summaries of an organization, or of a main account (RPM-03). */
export const saved = defineResource({
  table: 'summaries',
  name: 'summaries',
  topic: 'summaries',
  subject: 'summary',
  record: recordAudit,
  response: calls.savedSummary,
  input: calls.saveSummary.body,
  missing: 'summary.not_found',
  limit: { most: calls.MOST_SUMMARIES, error: 'summary.too_many' },
  columns: { group: 'group_key', created: 'created_at', by: 'created_by_email' },
  joined: sql`array(select r.mail from unnest(e.recipients) r (mail) where not ${mayReceive('e')}) as unconfirmed,
    array(select r.mail from unnest(e.recipients) r (mail) where ${isPaused('e')}) as paused,
    array(select x.due_at from summary_runs x join mail_files f on f.id = x.file_id where x.summary_id = e.id order by x.due_at desc limit 12) as sent,
    case when e.every <> 'never' then least(${sendingTime('e', sql`e.next_at`)},
      (select min(x.next_attempt_at) from summary_runs x where x.summary_id = e.id and x.attempts = 0)) end as sending_at,
    l.due_at as last_at, l.state as last_state, l.reason as last_reason`,
  // A run that waits for the end of its days has not begun.
  joins: sql`left join lateral (select x.due_at, x.state, x.reason from summary_runs x where x.summary_id = e.id
    and not (x.attempts = 0 and x.state = 'waiting' and x.next_attempt_at > x.due_at) order by x.due_at desc limit 1) l on true`,
  read: (reader, statement) => reader.rows<Joined>(statement, true),
  computed: {
    unconfirmed: ({ unconfirmed }) => unconfirmed,
    paused: ({ paused }) => paused,
    nextAt: ({ sending_at: at }) => at?.toISOString() ?? null,
    sentFiles: ({ sent }) => sent.map((at) => at.toISOString()),
    lastRun: ({ last_at: at, last_state: state, last_reason: reason }) =>
      at === null || state === null ? null : { at: at.toISOString(), state, reason: reason ?? '' },
  },
});

export type SavedRow = Awaited<ReturnType<typeof saved.lock>>;

/** Who saved a summary of a scope last; undefined = there is none. */
export async function readAuthor(queries: Queries, scope: Scope, id: string): Promise<Actor | undefined> {
  const { rows } = await sql<{
    author: Actor;
  }>`select e.author from summaries e where e.id = ${id}::uuid and ${isWithin(scope)}`.execute(queries);
  return rows[0]?.author;
}

/** The file that a summary of a scope sent at a time, with the kind that it was of then. @returns undefined = there is none, or it is no longer kept */
export async function readSentFile(
  reader: Reader,
  scope: Scope,
  id: string,
  at: Date,
): Promise<{ readonly kind: SummaryKind; readonly name: string; readonly type: string; readonly content: Buffer } | undefined> {
  const [file] = await reader.rows<{ kind: SummaryKind; name: string; type: string; content: Buffer }>(
    sql`select coalesce(r.kind, e.kind) as kind, f.name, f.type, f.content from summaries e join summary_runs r on r.summary_id = e.id join mail_files f on f.id = r.file_id
      where e.id = ${id}::uuid and ${isWithin(scope)} and r.due_at = ${at}::timestamptz`,
  );
  return file;
}
