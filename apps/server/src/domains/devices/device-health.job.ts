import { healthOf } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { HEALTH_BATCH, nextPass, readFigures, type HealthFigures } from './device-health.job.queries.ts';

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
  const isComplete = batch.length < HEALTH_BATCH;
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

/** Devices that another transaction is changing keep their score until the next pass, so that none waits for another. */
async function store(tx: Tx, at: Date, batch: readonly HealthFigures[]): Promise<void> {
  const scored = batch.map((figures) => ({ ...figures, score: healthOf(figures)?.score ?? null }));
  const known = scored.filter(({ score }) => score !== null);
  const unknown = scored.filter(({ score }) => score === null).map(({ id }) => id);
  const column = <Key extends keyof HealthFigures>(key: Key) => known.map((row) => row[key]);
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
