// Reads tables of other domains: organizations.
import { approvals as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { ApprovalRow } from './approvals.queries.ts';

type Ended = Pick<ApprovalRow, 'id' | 'company_id' | 'main_account_id' | 'organization_id' | 'requested_by_email' | 'acts'>;

/** Take some requests that no one decided in time, or whose organization was deleted. */
export async function takeExpired(tx: Tx, now: Date, limit: number): Promise<Ended[]> {
  const { rows } = await sql<Ended>`with due as materialized (
      select e.id from approvals e left join organizations o on o.id = e.organization_id
      where e.decided_at is null and (e.expires_at <= ${now}::timestamptz or o.deleted_at is not null)
      order by e.expires_at limit ${limit} for update of e skip locked)
    update approvals e set state = 'expired', decided_at = ${now}::timestamptz from due where e.id = due.id
    returning e.id, e.company_id, e.main_account_id, e.organization_id, e.requested_by_email, e.acts`.execute(tx);
  return rows;
}

/** Delete requests that ended long ago (retention). */
export async function purgeApprovals(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - calls.ENDED_APPROVAL_DAYS * 86_400_000);
  await database.write((tx) => tx.deleteFrom('approvals').where('decided_at', '<', before).execute());
}
