import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { isFiredUnwritten, type Burst } from './alert-messages.job.queries.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** A message waits until nothing was added for this long, and at most this long. */
const QUIET_SECONDS = 20;

const LONGEST_SECONDS = 60;

const DAY_MS = 86_400_000;

/** Rules whose messages are due. */
export async function listDueBursts(queries: Queries, now: Date, most: number): Promise<Burst[]> {
  const { rows } = await sql<Burst>`${plannedOnce}select n.organization_id, n.rule_id, n.kind from alert_notices n
      left join alert_bursts b on b.organization_id = n.organization_id and b.rule_id = n.rule_id and b.kind = n.kind
    where n.due_at <= ${now}::timestamptz and (b.next_at is null or b.next_at <= ${now}::timestamptz)
      and (n.kind <> 'escalated' or not ${isFiredUnwritten})
    group by n.organization_id, n.rule_id, n.kind
    having max(n.due_at) <= ${now}::timestamptz - make_interval(secs => ${QUIET_SECONDS})
      or min(n.due_at) <= ${now}::timestamptz - make_interval(secs => ${LONGEST_SECONDS})
    limit ${most}`.execute(queries);
  return rows;
}

/** The throttle of a rule, locked until the transaction ends. */
export async function lockBurst(
  tx: Tx,
  { organization_id, rule_id, kind }: Burst,
  now: Date,
): Promise<{
  readonly next_at: Date;
  readonly seconds: number;
  readonly storm_id: string | null;
  readonly storm_at: Date | null;
}> {
  const key = { organization_id, rule_id, kind };
  await tx
    .insertInto('alert_bursts')
    .values({ ...key, next_at: now, seconds: 0, storm_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('alert_bursts')
    .select(['next_at', 'seconds', 'storm_id', 'storm_at'])
    .where('organization_id', '=', organization_id)
    .where('rule_id', '=', rule_id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function saveBurst(
  tx: Tx,
  { organization_id, rule_id, kind }: Burst,
  set: { readonly next_at: Date; readonly seconds?: number; readonly storm_id?: string | null; readonly storm_at?: Date | null },
): Promise<void> {
  await tx
    .updateTable('alert_bursts')
    .set(set)
    .where('organization_id', '=', organization_id)
    .where('rule_id', '=', rule_id)
    .where('kind', '=', kind)
    .execute();
}

/** Delete throttles that ended a day ago (retention). */
export async function deleteOldBursts(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('alert_bursts')
    .where('next_at', '<', new Date(now.getTime() - DAY_MS))
    .execute();
}
