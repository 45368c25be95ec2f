// Reads tables of other domains: connectivity, router_ownership, telemetry_hours, telemetry_rollup.
import { healthOf, type HealthInputs } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { readings } from '../router-state/index.ts';

const BATCH = 500;
const WINDOW = '24 hours';
const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** Reasons of an outage that say nothing about the router. */
const NOT_A_DROP = ['server-restarted', 'not-seen-since-restart', 'disconnected'] as const;

interface Pass {
  readonly target: Date;
  readonly after: string;
}

interface Figures extends HealthInputs {
  readonly id: string;
}

/**
 * A job: compute the health of every device after each hour of readings that is rolled up, in batches, from the 24 hours before (DPG-03). Of
 * several processes one works at a time; a pass that was interrupted continues where it was.
 */
export async function computeDeviceHealth({ write }: Pick<Database, 'write'>): Promise<void> {
  while (await write(computeNext)) continue;
}

/** One batch. @returns false when there is nothing to do, or another process does it */
async function computeNext(tx: Tx): Promise<boolean> {
  const pass = await nextPass(tx);
  if (pass === undefined) return false;
  const batch = await readFigures(tx, pass);
  const last = batch.at(-1);
  if (last !== undefined) await store(tx, pass.target, batch);
  const isComplete = batch.length < BATCH;
  await tx
    .updateTable('device_health_pass')
    .set(
      isComplete
        ? { computed_until: pass.target, target: null, after_device: null }
        : { target: pass.target, after_device: last!.id },
    )
    .execute();
  return !isComplete;
}

/** The pass that runs, or a new one if further hours were rolled up. */
async function nextPass(tx: Tx): Promise<Pass | undefined> {
  const { rows: locked } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtext('device_health')) as mine`.execute(tx);
  if (!locked[0]!.mine) return undefined;
  const { rows } =
    await sql<Pass>`select coalesce(p.target, r.rolled_until) as target, coalesce(p.after_device, ${LEAST_ID}::uuid) as after
    from device_health_pass p cross join telemetry_rollup r where p.target is not null or p.computed_until < r.rolled_until`.execute(
      tx,
    );
  return rows[0];
}

const numberOf = (key: string) => sql.lit(readings.find((reading) => reading.key === key)!.number);
const mean = (key: string) => sql`sum(h.sums[${numberOf(key)}]) / nullif(sum(h.counts[${numberOf(key)}]), 0)`;

/** Figures of the next devices, of every organization: hours and outages of the time in which the device had its router. */
async function readFigures(tx: Tx, { target, after }: Pass): Promise<Figures[]> {
  const { rows } = await sql<Figures>`with batch as materialized (
      select d.id, d.router_id from devices d where d.id > ${after}::uuid and d.archived_at is null order by d.id limit ${BATCH}
    ), own as materialized (
      select b.id, b.router_id, greatest(o.owned_from, ${target}::timestamptz - ${WINDOW}::interval) as lo,
        least(coalesce(o.owned_until, 'infinity'), ${target}::timestamptz) as hi
      from batch b join router_ownership o on o.router_id = b.router_id and o.device_id = b.id
    ), measured as (
      select o.id, ${mean('rsrp')} as rsrp, ${mean('rssi')} as rssi, max(h.maxs[${numberOf('temperature')}]) as temperature,
        min(h.mins[${numberOf('voltage')}]) as voltage
      from own o join telemetry_hours h on h.router_id = o.router_id and h.at >= o.lo and h.at < o.hi group by o.id
    ), dropped as (
      select o.id, count(*)::int as drops
      from own o join connectivity c on c.router_id = o.router_id and c.at >= o.lo and c.at < o.hi
      where c.kind = 'offline' and c.reason <> all (${[...NOT_A_DROP]}::text[]) group by o.id
    )
    select b.id, m.rsrp, m.rssi, m.temperature, m.voltage, coalesce(x.drops, 0) as drops
    from batch b left join measured m on m.id = b.id left join dropped x on x.id = b.id order by b.id`.execute(tx);
  return rows;
}

/** Devices that another transaction is changing keep their score until the next pass, so that none waits for another. */
async function store(tx: Tx, at: Date, batch: readonly Figures[]): Promise<void> {
  const scored = batch.map((figures) => ({ ...figures, score: healthOf(figures)?.score ?? null }));
  const known = scored.filter(({ score }) => score !== null);
  const unknown = scored.filter(({ score }) => score === null).map(({ id }) => id);
  const column = <Key extends keyof Figures>(key: Key) => known.map((row) => row[key]);
  if (known.length > 0)
    await sql`insert into device_health (device_id, at, rsrp, rssi, drops, temperature, voltage)
      select n.id, ${at}::timestamptz, n.rsrp, n.rssi, n.drops, n.temperature, n.voltage
      from unnest(${column('id')}::uuid[], ${column('rsrp')}::real[], ${column('rssi')}::real[], ${column('drops')}::integer[],
        ${column('temperature')}::real[], ${column('voltage')}::real[]) n (id, rsrp, rssi, drops, temperature, voltage)
      on conflict (device_id) do update set at = excluded.at, rsrp = excluded.rsrp, rssi = excluded.rssi, drops = excluded.drops,
        temperature = excluded.temperature, voltage = excluded.voltage`.execute(tx);
  if (unknown.length > 0) await sql`delete from device_health where device_id = any (${unknown}::uuid[])`.execute(tx);
  await sql`with n as (
      select * from unnest(${scored.map(({ id }) => id)}::uuid[], ${scored.map(({ score }) => score)}::smallint[]) n (id, score)
    ), free as (
      select d.id, n.score from n join devices d on d.id = n.id
      where d.archived_at is null and d.health is distinct from n.score order by d.id for update of d skip locked
    )
    update devices d set health = f.score from free f where d.id = f.id and d.archived_at is null`.execute(tx);
}
