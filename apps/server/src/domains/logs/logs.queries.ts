import type { logs } from '@highline/contract';
import { sql } from 'kysely';
import { addDays, dayIn, daysOf, invalidField, parseDay, type Scope, startOfDay } from '../../kernel/index.ts';
import {
  defineList,
  searchable,
  searchOf,
  sorted,
  type Fragment,
  type Reader,
  type RowStreams,
  type SearchFields,
  type SortKey,
} from '../../platform/listing/index.ts';
import type { Checkpoint } from '../../platform/ports/checkpoints.ts';
import type { AuditExportEntry } from './audit-export.ts';
import { toExportEntry, type AuditExportRow } from './audit-export.rows.ts';

export type LogRow = Omit<AuditExportRow, 'actor_id' | 'previous_hash'>;

type SignedCut = Omit<Checkpoint, 'chain'>;

const table = sql`audit_entries e`;

const keys: readonly SortKey[] = [
  { column: sql.ref('e.at'), kind: 'instant' },
  { column: sql.ref('e.seq'), kind: 'number' },
];

/** A log, newest first unless a sort is given (LOG-01). */
export const logList = (now: Date) =>
  defineList({
    of(scope: Scope, query: logs.LogQuery & { readonly only?: string | undefined }) {
      const { descending } = sorted(query.sort ?? '-time', { time: keys });
      const search = searchOf(query, fields);
      const inScope = sql`e.chain_id = ${chainOf(scope)}::uuid`;
      const filters = [...spanOf(query, now), ...search, ...aboutOf(query), ...namedOf(query.only)];
      return {
        name: 'logs',
        table,
        alias: 'e',
        identity: ['chain_id', 'seq'],
        ownKey: 'seq',
        scope: inScope,
        filters,
        estimatable: search.length === 0,
        columns: sql`e.seq, e.at, e.actor_email, e.actor_role, e.actor_key, e.actor_with, e.address, e.action, e.sentence, e.detail, e.subject_kind, e.subject_id,
          e.hash`,
        segments: [{ from: table, keys, descending }],
        prepared: search.length === 0,
        // A chain has no gaps: its first and last number give its length.
        ...(filters.length > 0
          ? {}
          : { count: sql`select coalesce(max(e.seq) - min(e.seq) + 1, 0)::int as total from audit_entries e where ${inScope}` }),
      };
    },
    toDto: toLogDto,
  });

/** Every entry of a log with everything that its hash covers, oldest first, streamed. */
export async function* streamAuditExport(streams: RowStreams, scope: Scope): AsyncGenerator<AuditExportEntry> {
  const rows =
    streams.open<AuditExportRow>(sql`select e.seq, e.at, e.actor_id, e.actor_email, e.actor_role, e.actor_key, e.actor_with, e.address, e.action,
      e.sentence, e.subject_kind, e.subject_id, e.detail, e.previous_hash, e.hash
    from audit_entries e where e.chain_id = ${chainOf(scope)}::uuid order by e.seq`);
  for await (const row of rows) yield toExportEntry(row);
}

/** The signed retention cut of a log. */
export async function findCut(reader: Reader, scope: Scope): Promise<SignedCut | undefined> {
  const [row] = await reader.rows<{ seq: number; hash: Buffer; at: Date; signature: string }>(
    sql`select c.seq, c.hash, c.at, c.signature from audit_cuts c where c.chain_id = ${chainOf(scope)}::uuid`,
  );
  if (row === undefined) return undefined;
  return { seq: row.seq, hash: row.hash.toString('hex'), at: row.at.toISOString(), signature: row.signature };
}

/** An entry as the API returns it; times are epoch seconds. */
export function toLogDto(row: LogRow): logs.LogEntry {
  return {
    timestamp: Math.floor(row.at.getTime() / 1_000),
    email: row.actor_email,
    ip: row.address,
    subject: row.action,
    sentence: row.sentence as logs.LogEntry['sentence'],
    detail: row.detail,
    about: { kind: row.subject_kind, id: row.subject_id },
    hash: row.hash.toString('hex'),
    role: row.actor_role,
    key: row.actor_key,
    with: row.actor_with ?? [],
    seq: row.seq,
  };
}

/** One entry, one person, one kind of thing. */
function aboutOf({ entry, person, kind }: logs.LogQuery): Fragment[] {
  return [
    ...(entry === undefined ? [] : [sql`e.seq = ${entry}`]),
    ...(person === undefined ? [] : [sql`e.actor_email = ${searchable(person, 'person')}`]),
    ...(kind === undefined ? [] : [sql`e.subject_kind = ${kind}`]),
  ];
}

/** Entries that a call names by their positions, separated by commas (BLK-01). */
function namedOf(only: string | undefined): Fragment[] {
  if (only === undefined) return [];
  const named = only.split(',').filter((seq) => /^\d{1,15}$/u.test(seq));
  return [sql`e.seq = any(${named}::bigint[])`];
}

/** Those who are in a log, in alphabetical order: the index is searched once per person, not per entry. */
export async function listPeople(reader: Reader, scope: Scope, most: number): Promise<string[]> {
  const next = (after: Fragment) => sql`(select e.actor_email as email from audit_entries e
    where e.chain_id = ${chainOf(scope)}::uuid ${after} order by e.actor_email limit 1)`;
  const rows = await reader.rows<{ email: string }>(sql`with recursive people as (
      select email, 1 as place from ${next(sql``)} as first
      union all
      select n.email, p.place + 1 from people p,
        lateral ${next(sql`and e.actor_email > p.email`)} as n where p.place < ${most}::int
    ) select email from people order by place`);
  return rows.map(({ email: found }) => found);
}

/** The chain of a scope: the organization's, or the main account's own. */
export function chainOf(scope: Scope): string {
  return scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
}

const [email, ip, action] = [sql`e.actor_email`, sql`e.address`, sql`e.action`];
const fields: SearchFields<logs.LogQuery['field']> = {
  any: (has) => sql`(${has(email)} or ${has(ip)} or ${has(action)})`,
  email,
  ip,
  action,
};

/** The start and end of a span, in the reader's zone. */
function spanOf({ span, from, until, zone = 'UTC' }: logs.LogQuery, now: Date): Fragment[] {
  if (span === undefined) return [];
  const days = span === 'custom' ? { from: dayOf(from, 'from'), to: dayOf(until, 'until') } : daysOf(span, zone, now);
  if (days.from !== undefined && days.to !== undefined && days.from > days.to)
    throw invalidField('until', 'must not be before from');
  if (span === 'custom' && days.to !== undefined && days.to > dayIn(zone, now))
    throw invalidField('until', 'must not be later than today');
  const bounds: Fragment[] = [];
  if (days.from !== undefined) bounds.push(sql`e.at >= ${startOfDay(zone, days.from)}`);
  if (days.to !== undefined) bounds.push(sql`e.at < ${startOfDay(zone, addDays(days.to, 1))}`);
  return bounds;
}

function dayOf(text: string | undefined, field: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const day = parseDay(text);
  if (day === undefined) throw invalidField(field, 'must be a date as MM/DD/YYYY');
  return day;
}
