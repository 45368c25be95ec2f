// Reads tables of other domains: rollout_targets.
import { sql } from 'kysely';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';

/** A router that does not come back for longer than this is offline, whatever was planned. */
const LONGEST = '1 hour';
/** Devices of one run; the next follows within seconds. */
const BATCH = 1_000;

interface Marked {
  readonly organizationId: string;
  readonly mainAccountId: string;
}

/**
 * A job: mark the devices that a rollout works on, and those that it is done with (SAY-04). The mark is a column, because devices are counted by
 * it. Rows that someone else changes are left for the next run.
 */
export async function markPlannedWork({ write }: Pick<Database, 'write'>, now: Date): Promise<void> {
  await write(async (tx) => {
    const working = sql`from rollout_targets t where t.phase in ('sent', 'applied') and t.step_begun_at > ${now}::timestamptz - ${LONGEST}::interval`;
    const of = sql`t.organization_id = d.organization_id and t.device_id = d.id`;
    const marked = [
      ...(await mark(
        tx,
        sql`true`,
        sql`select d.id from (select distinct t.organization_id, t.device_id ${working}) t
        join devices d on ${of} where d.archived_at is null and d.is_planned is distinct from true`,
      )),
      ...(await mark(
        tx,
        sql`null`,
        sql`select d.id from devices d where d.is_planned and not exists (select ${working} and ${of})`,
      )),
    ];
    const scopes = Map.groupBy(marked, ({ organizationId }) => organizationId);
    await announceAll(
      tx,
      Array.from(scopes, ([organizationId, [first]]) => ({
        kind: 'organization' as const,
        organizationId,
        mainAccountId: first!.mainAccountId,
      })),
      'devices',
    );
  });
}

async function mark(tx: Tx, value: Fragment, devices: Fragment): Promise<readonly Marked[]> {
  const { rows } =
    await sql<Marked>`${plannedOnce}with chosen as (${devices} order by d.id limit ${BATCH} for no key update of d skip locked)
    update devices d set is_planned = ${value} from chosen c where d.id = c.id
    returning d.organization_id as "organizationId", d.main_account_id as "mainAccountId"`.execute(tx);
  return rows;
}
