// Reads tables of other domains: organizations, remote_sessions.
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';

export interface InterruptedRecording {
  readonly id: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
}

/** Recordings that go on although their session ended before a time, or was left by its process: nothing writes them any more. */
export async function listInterrupted(queries: Queries, before: Date, most: number): Promise<InterruptedRecording[]> {
  const { rows } =
    await sql<InterruptedRecording>`select r.id, r.organization_id as "organizationId", o.main_account_id as "mainAccountId"
    from recordings r join organizations o on o.id = r.organization_id
      left join remote_sessions s on s.organization_id = r.organization_id and s.id = r.id
    where r.ended_at is null and (s.id is null or s.ended_at < ${before}::timestamptz or s.end_reason = 'server-restarted') order by r.began_at limit ${most}`.execute(
      queries,
    );
  return rows;
}

/** Delete recordings after the days that their organization chose. */
export function deleteOldRecordings(tx: Tx, now: Date, usualDays: number, most: number) {
  return sql`delete from recordings where (organization_id, id) in (
    select r.organization_id, r.id from recordings r left join recording_settings s on s.organization_id = r.organization_id
    where r.ended_at is not null
      and r.began_at < ${now}::timestamptz - make_interval(days => coalesce(s.days, ${usualDays}::integer)) limit ${most})`.execute(
    tx,
  );
}
