// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import { dayIn, type Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { organizationsOf } from '../../platform/resources/organizations.ts';
import type { OutageTime } from './outages.period.ts';

/** The time from which on the outages of an organization `o` are kept, by whole days of UTC as its history. @param days those of the installation */
export const keptSince = (now: Date, days: number): Fragment =>
  sql`date_trunc('day', ${now}::timestamptz - make_interval(days => least(o.retention_days, ${days}::int)), 'UTC')`;

/** Each organization of a scope, with the time from which on a period of its outages is known: what was deleted is not without an outage. */
export const historyOf = (scope: Scope, { begins, keptDays }: OutageTime, now: Date): Fragment =>
  sql`(select o.id, greatest(${begins}::timestamptz, ${keptSince(now, keptDays)}) as begins from organizations o where ${organizationsOf(scope)})`;

/** A period from when the first organization of a scope has outages of it, for what says which days it is about. */
export async function readKept(reader: Reader, scope: Scope, time: OutageTime, now: Date): Promise<OutageTime> {
  const [row] = await reader.rows<{ first: Date | null; last: Date | null }>(
    sql`select min(h.begins) as first, max(h.begins) as last from ${historyOf(scope, time, now)} h`,
  );
  const { first = null, last = null } = row ?? {};
  if (first === null || last === null || last <= time.begins) return time;
  const begins = first < time.ends ? first : time.ends;
  const from = dayIn(time.zone, begins);
  return { ...time, begins, from: from < time.until ? from : time.until, kept: { since: last, isOfSome: first < last } };
}
