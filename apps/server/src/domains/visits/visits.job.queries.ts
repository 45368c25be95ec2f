// Reads tables of other domains: accounts, organizations.
import { visits as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';

/** A visit that a job ends, or whose guest it writes to. */
export interface DueVisit {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string;
  readonly account_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly language: string | null;
  readonly organization: string;
  readonly until: Date | null;
}

const columns = sql`e.id, e.main_account_id, e.organization_id, e.account_id, a.email, a.name, a.language, o.name as organization, e.until`;
const joins = sql`join organizations o on o.id = e.organization_id left join accounts a on a.id = e.account_id`;

/** Some open visits that are over: their time is, or their organization was deleted, or that of the guest. Locked. */
export async function takeOver(tx: Tx, now: Date, limit: number): Promise<DueVisit[]> {
  const { rows } =
    await sql<DueVisit>`select ${columns} from visits e ${joins} left join organizations h on h.id = a.organization_id
    where e.ended_at is null and (e.until <= ${now}::timestamptz or o.deleted_at is not null or h.deleted_at is not null)
    order by e.until limit ${limit} for update of e skip locked`.execute(tx);
  return rows;
}

/** Take some guests who leave within days and were not notified; from now on they are. */
export async function takeLeaving(tx: Tx, now: Date, limit: number): Promise<DueVisit[]> {
  const before = new Date(now.getTime() + calls.GUEST_WARNING_DAYS * 86_400_000);
  const { rows } = await sql<DueVisit>`with due as materialized (
      select e.id from visits e where e.ended_at is null and e.kind = 'guest' and e.warned_at is null
        and e.until <= ${before}::timestamptz and e.until > ${now}::timestamptz and e.created_at < e.until - interval '8 days'
      order by e.until limit ${limit} for update skip locked),
    marked as (update visits e set warned_at = ${now}::timestamptz from due where e.id = due.id returning e.*)
    select ${columns} from marked e ${joins}`.execute(tx);
  return rows;
}

/** Delete visits that ended long ago (retention); that of someone who was here as a guest alone goes with the account, and says what it was. */
export async function purgeVisits(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - calls.ENDED_VISIT_DAYS * 86_400_000);
  await database.write((tx) =>
    sql`delete from visits e where e.ended_at < ${before}::timestamptz and not exists (select from accounts a
      where a.id = e.account_id and a.organization_id = e.organization_id)`.execute(tx),
  );
}
