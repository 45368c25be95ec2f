import { links as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { linkColumns, type FoundLink } from './shown.queries.ts';

/** Some links whose time is over. */
export async function listExpired(database: Database, now: Date, limit: number): Promise<FoundLink[]> {
  const { rows } = await sql<FoundLink>`select ${linkColumns} from links l
    where l.ended_at is null and l.expires_at <= ${now}::timestamptz order by l.expires_at limit ${limit}`.execute(database.read);
  return rows;
}

/** Take live links that were looked at before a time, the oldest look first; it is now. */
export async function takeUnlooked(tx: Tx, before: Date, now: Date, limit: number): Promise<FoundLink[]> {
  const { rows } = await sql<FoundLink>`with due as materialized (
      select l.id from links l where l.ended_at is null and l.looked_at <= ${before}::timestamptz
      order by l.looked_at limit ${limit} for update skip locked)
    update links l set looked_at = ${now}::timestamptz from due where l.id = due.id returning ${linkColumns}`.execute(tx);
  return rows;
}

/** Delete links that ended long ago (retention). */
export async function purgeLinks(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - calls.ENDED_LINK_DAYS * 86_400_000);
  await database.write((tx) => tx.deleteFrom('links').where('ended_at', '<', before).execute());
}
