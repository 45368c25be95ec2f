import { logs } from '@highline/contract';
import { sql } from 'kysely';
import { daysOf, addDays, dayIn, parseDay, startOfDay } from '../../kernel/calendar.ts';
import { DomainError } from '../../kernel/failure.ts';
import {
  allOf,
  contains,
  fieldOf,
  fingerprint,
  readCountedPage,
  searchable,
  sortOf,
  type Fragment,
  type List,
  type Cache,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Checkpoint } from '../../platform/ports/checkpoints.ts';
import type { AuditExportEntry } from './audit-export.ts';
import { toExportEntry, type AuditExportRow } from './audit-export.rows.ts';

export interface LogRow {
  readonly seq: number;
  readonly at: Date;
  readonly actor_email: string;
  readonly actor_role: string;
  readonly address: string;
  readonly action: string;
  readonly detail: Record<string, unknown>;
}

type SignedCut = Omit<Checkpoint, 'chain'>;

const table = sql`audit_entries e`;
const columns = sql`e.seq, e.at, e.actor_email, e.actor_role, e.address, e.action, e.detail`;

/** One page of a log (LOG-01). @throws DomainError `request.invalid` for an invalid day, zone, field or cursor */
export async function pageLog(
  reader: Reader,
  totals: Cache<number>,
  scope: Scope,
  query: logs.LogQuery,
  limit: number,
  now: Date,
): Promise<{ result: logs.LogEntry[]; total: number; next: string | null; previous: string | null; offset: number }> {
  const list = logList(scope, query, now);
  const { offset, cursor } = query;
  const request = { limit, ...(offset === undefined ? {} : { offset }), ...(cursor === undefined ? {} : { cursor }) };
  const count = totals.get(scope.mainAccountId, list.fingerprint, () => countEntries(reader, list));
  const [page, total] = await Promise.all([readCountedPage<LogRow>(reader, list, request, count), count]);
  return { result: page.rows.map(toLogDto), total, next: page.next, previous: page.previous, offset: page.offset };
}

/** The whole filtered log, streamed. */
export function streamLog(streams: RowStreams, scope: Scope, query: logs.LogQuery, now: Date): AsyncIterable<LogRow> {
  const list = logList(scope, query, now);
  const direction = isNewestFirst(query) ? sql`desc` : sql`asc`;
  return streams.open<LogRow>(sql`select ${columns} from audit_entries e
    where ${allOf([list.scope, ...list.filters])} order by e.at ${direction}, e.seq ${direction}`);
}

/** Every entry of a log with everything that its hash covers, oldest first, streamed. */
export async function* streamAuditExport(streams: RowStreams, scope: Scope): AsyncGenerator<AuditExportEntry> {
  const rows = streams.open<AuditExportRow>(sql`select e.seq, e.at, e.actor_id, e.actor_email, e.actor_role, e.address, e.action,
      e.subject_kind, e.subject_id, e.detail, e.previous_hash, e.hash
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
    detail: row.detail,
    role: row.actor_role,
    seq: row.seq,
  };
}

/** The chain of a scope: the organization's, or the main account's own. */
export function chainOf(scope: Scope): string {
  return scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
}

/** A chain has no gaps: its first and last number give its length. */
async function countEntries(reader: Reader, list: List): Promise<number> {
  const what = list.filters.length > 0 ? sql`count(*)` : sql`coalesce(max(e.seq) - min(e.seq) + 1, 0)`;
  const [row] = await reader.rows<{ total: number }>(
    sql`select (${what})::int as total from audit_entries e where ${allOf([list.scope, ...list.filters])}`,
    list.prepared,
  );
  return row!.total;
}

function isNewestFirst(query: logs.LogQuery): boolean {
  return sortOf(query.sort ?? '-time', ['time'], 'time').descending;
}

function logList(scope: Scope, query: logs.LogQuery, now: Date): List {
  const descending = isNewestFirst(query);
  const filters = [
    ...spanOf(query, now),
    ...searchOf(query),
    ...(query.entry === undefined ? [] : [sql`e.seq = ${query.entry}`]),
  ];
  const { search, field, ignoreCase, span, from, until, zone, entry } = query;
  const isEstimatable = search === undefined || search === '';
  const named = JSON.stringify([chainOf(scope), search, field, ignoreCase, span, from, until, zone, entry]);
  return {
    fingerprint: fingerprint(['logs', named, descending ? 'newest' : 'oldest']),
    table,
    alias: 'e',
    identity: ['chain_id', 'seq'],
    ownKey: 'seq',
    scope: sql`e.chain_id = ${chainOf(scope)}::uuid`,
    filters,
    estimatable: isEstimatable,
    columns,
    segments: [
      {
        from: table,
        keys: [
          { column: sql.ref('e.at'), kind: 'instant' },
          { column: sql.ref('e.seq'), kind: 'number' },
        ],
        descending,
      },
    ],
    prepared: isEstimatable,
  };
}

function searchOf({ search, field, ignoreCase }: logs.LogQuery): Fragment[] {
  if (search === undefined || search === '') return [];
  const text = searchable(search, 'search');
  const [email, ip, action] = (['e.actor_email', 'e.address', 'e.action'] as const).map((column) =>
    contains(sql.ref(column), text, { ignoreCase }),
  );
  const chosen = { any: sql`(${email} or ${ip} or ${action})`, email: email!, ip: ip!, action: action! };
  return [chosen[fieldOf(field, logs.logFields, 'any')]];
}

/** The start and end of a span, in the reader's zone. */
function spanOf({ span, from, until, zone = 'UTC' }: logs.LogQuery, now: Date): Fragment[] {
  if (span === undefined) return [];
  const days = span === 'custom' ? { from: dayOf(from, 'from'), to: dayOf(until, 'until') } : daysOf(span, zone, now);
  if (days.from !== undefined && days.to !== undefined && days.from > days.to)
    throw new DomainError('request.invalid', { message: 'until: must not be before from', field: 'until' });
  if (span === 'custom' && days.to !== undefined && days.to > dayIn(zone, now))
    throw new DomainError('request.invalid', { message: 'until: must not be later than today', field: 'until' });
  const bounds: Fragment[] = [];
  if (days.from !== undefined) bounds.push(sql`e.at >= ${startOfDay(zone, days.from)}`);
  if (days.to !== undefined) bounds.push(sql`e.at < ${startOfDay(zone, addDays(days.to, 1))}`);
  return bounds;
}

function dayOf(text: string | undefined, field: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const day = parseDay(text);
  if (day === undefined) throw new DomainError('request.invalid', { message: `${field}: must be a date as MM/DD/YYYY`, field });
  return day;
}
