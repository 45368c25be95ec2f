import { sql } from 'kysely';
import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { learnCarriers, organizationsToLearn, requestMatching } from './usage.job.queries.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** SIMs whose cycles are computed again in one transaction, which holds up reports of all routers. */
const BATCH = 500;

/**
 * Match the SIMs of organizations whose plans changed, or that have new SIMs, with their plans: the one that was chosen, else the one for the
 * carrier, else the one for all. Cycles of a SIM whose cycle begins on another day now are summed up again. An interrupted run begins again.
 * @param matched gets the ids of these organizations, also where it fails for others
 */
export async function matchPlans(database: Database, now: Date, matched: Set<string>): Promise<void> {
  await forEachOrganization(await listRequests(database), idOf, async (request) => {
    const { organization_id: organizationId, requested_at: requestedAt } = request;
    await database.write((tx) => learnCarriers(tx, organizationId));
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      after = await database.write((tx) => matchBatch(tx, organizationId, from, now));
    }
    // Requested again meanwhile: it stays.
    await database.write((tx) =>
      sql`delete from usage_matching where organization_id = ${organizationId}::uuid and requested_at = ${requestedAt}::timestamptz`.execute(
        tx,
      ),
    );
    matched.add(organizationId);
  });
}

/** Take over the carriers that routers have reported since their SIMs were first counted; plans of a carrier apply to these SIMs from then on. */
export async function learnAllCarriers(database: Database): Promise<void> {
  await forEachOrganization(
    await organizationsToLearn(database),
    (id) => id,
    (id) =>
      database.write(async (tx) => {
        if ((await learnCarriers(tx, id)) > 0) await requestMatching(tx, id);
      }),
  );
}

interface MatchingRequest extends Row<'usage_matching', 'organization_id'> {
  readonly requested_at: string;
}

const idOf = (request: MatchingRequest) => request.organization_id;

async function listRequests({ read }: Database): Promise<MatchingRequest[]> {
  const { rows } = await sql<MatchingRequest>`select organization_id, requested_at::text
    from usage_matching order by usage_matching.requested_at`.execute(read);
  return rows;
}

/** A SIM that gets another plan, or another cycle. */
interface Move extends Row<'usage_sims', 'iccid' | 'plan_id' | 'cycle_day'> {
  /** The plan before. */
  readonly left: string | null;
  /** The day on which its cycle began before. */
  readonly was: number;
  /** Whether it was in no plan, or in one for all: it may be new, or have a carrier by now. */
  readonly isByItself: boolean;
}

/** @returns where the next batch begins; undefined after the last one */
async function matchBatch(tx: Tx, organizationId: string, after: string, now: Date): Promise<string | undefined> {
  // Reports are added under the shared lock: none is between the plan of its SIM and the sum of its cycle.
  await sql`select pg_advisory_xact_lock(hashtext('usage_cycles'))`.execute(tx);
  const { rows } = await sql<Move>`
    select s.iccid, p.id as plan_id, s.plan_id as left, coalesce(p.cycle_day, 1) as cycle_day, s.cycle_day as was,
      s.plan_id is null or exists (select from usage_plans l
        where l.organization_id = s.organization_id and l.id = s.plan_id and l.applies_to = 'all') as "isByItself"
    from usage_sims s left join lateral (
      select p.id, p.cycle_day from usage_plans p where p.organization_id = s.organization_id and (p.id = s.chosen_plan_id
        or p.applies_to = 'all' or p.applies_to = 'carrier' and s.carrier <> '' and name_key(p.carrier) = name_key(s.carrier))
      order by (p.id = s.chosen_plan_id) desc nulls last, (p.applies_to = 'carrier') desc, p.created_at, p.id limit 1) p on true
    where s.organization_id = ${organizationId}::uuid and s.iccid > ${after}
      and (s.plan_id is distinct from p.id or s.cycle_day <> coalesce(p.cycle_day, 1))
    order by s.iccid limit ${BATCH}`.execute(tx);
  if (rows.length === 0) return undefined;
  await touchPools(tx, organizationId, rows, now);
  await sql`update usage_sims s set plan_id = u.plan_id, cycle_day = u.cycle_day
    from unnest(${rows.map(({ iccid }) => iccid)}::text[], ${rows.map((row) => row.plan_id)}::uuid[],
      ${rows.map((row) => row.cycle_day)}::integer[]) u (iccid, plan_id, cycle_day)
    where s.organization_id = ${organizationId}::uuid and s.iccid = u.iccid`.execute(tx);
  const moved = rows.filter((row) => row.cycle_day !== row.was).map(({ iccid }) => iccid);
  if (moved.length > 0) await sumUpAgain(tx, organizationId, moved);
  return rows.length < BATCH ? undefined : rows.at(-1)!.iccid;
}

/**
 * Note that pools lost SIMs, or got them because of a change of plans: what they have reached is compared with their new allowances. Not that
 * they got a SIM that is new, or has a carrier by now: their total falls below a share for minutes, and would be mailed again each time.
 */
async function touchPools(tx: Tx, organizationId: string, moves: readonly Move[], now: Date): Promise<void> {
  const pools = moves
    .filter((move) => move.left !== move.plan_id)
    .flatMap((move) => (move.isByItself ? [move.left] : [move.left, move.plan_id]));
  await sql`update usage_plans set updated_at = ${now}::timestamptz
    where organization_id = ${organizationId}::uuid and id = any (${[...new Set(pools)]}::uuid[]) and is_pool`.execute(tx);
}

async function sumUpAgain(tx: Tx, organizationId: string, iccids: readonly string[]): Promise<void> {
  await sql`delete from usage_cycles where organization_id = ${organizationId}::uuid and iccid = any (${[...iccids]}::text[])`.execute(
    tx,
  );
  await sql`insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
    select d.organization_id, usage_cycle_of(d.day, s.cycle_day), d.iccid, d.device_id, sum(d.sent), sum(d.received)
    from usage_days d join usage_sims s on s.organization_id = d.organization_id and s.iccid = d.iccid
    where d.organization_id = ${organizationId}::uuid and d.iccid = any (${[...iccids]}::text[]) group by 1, 2, 3, 4`.execute(tx);
}
