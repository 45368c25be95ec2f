import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/ports/index.ts';
import type { UsePart } from './split.ts';
import { carriersOf } from './usage.job.queries.ts';

const DAY_MS = 86_400_000;

/** One part for each row of the ledger, in the order of its key, without those that add nothing. */
export function sumUp(parts: readonly UsePart[]): UsePart[] {
  const sums = new Map<string, UsePart>();
  for (const part of parts) {
    const key = `${part.organizationId} ${String(part.day).padStart(6, '0')} ${part.iccid} ${part.deviceId}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? part : { ...part, sent: sum.sent + part.sent, received: sum.received + part.received });
  }
  return [...sums.keys()]
    .toSorted()
    .map((key) => sums.get(key)!)
    .filter(({ sent, received }) => sent !== 0 || received !== 0);
}

export async function addParts(tx: Tx, parts: readonly UsePart[]): Promise<void> {
  if (parts.length === 0) return;
  const of = <Key extends keyof UsePart>(key: Key) => parts.map((part) => part[key]);
  const days = parts.map(({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  const added = sql`unnest(${of('organizationId')}::uuid[], ${days}::date[], ${of('iccid')}::text[], ${of('deviceId')}::uuid[],
    ${of('sent')}::bigint[], ${of('received')}::bigint[]) u (organization_id, day, iccid, device_id, sent, received)`;
  // Until this transaction ends, no cycle of a SIM is computed again.
  await sql`select pg_advisory_xact_lock_shared(hashtext('usage_cycles'))`.execute(tx);
  await addSims(tx, added);
  await sql`insert into usage_days (organization_id, day, iccid, device_id, sent, received) select u.* from ${added}
    on conflict (organization_id, day, iccid, device_id) do update
    set sent = usage_days.sent + excluded.sent, received = usage_days.received + excluded.received`.execute(tx);
  await sql`insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
    select u.organization_id, usage_cycle_of(u.day, s.cycle_day) as cycle_from, u.iccid, u.device_id, sum(u.sent), sum(u.received)
    from ${added} join usage_sims s on s.organization_id = u.organization_id and s.iccid = u.iccid
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, cycle_from, iccid, device_id) do update
    set sent = usage_cycles.sent + excluded.sent, received = usage_cycles.received + excluded.received`.execute(tx);
  await sql`insert into usage_totals (organization_id, day, sent, received)
    select u.organization_id, u.day, sum(u.sent), sum(u.received) from ${added} group by 1, 2 order by 1, 2
    on conflict (organization_id, day) do update
    set sent = usage_totals.sent + excluded.sent, received = usage_totals.received + excluded.received`.execute(tx);
}

/** Add the SIMs among the parts `u` that are new. */
async function addSims(tx: Tx, added: RawBuilder<unknown>): Promise<void> {
  const { rows: fresh } = await sql<{ organization_id: string; iccid: string; device_id: string }>`
    select distinct on (u.organization_id, u.iccid) u.organization_id, u.iccid, u.device_id from ${added}
    where not exists (select from usage_sims s where s.organization_id = u.organization_id and s.iccid = u.iccid)
    order by u.organization_id, u.iccid`.execute(tx);
  if (fresh.length === 0) return;
  const carriers = await carriersOf(tx, fresh);
  await sql`insert into usage_sims (organization_id, iccid, carrier)
    select * from unnest(${fresh.map((row) => row.organization_id)}::uuid[], ${fresh.map(({ iccid }) => iccid)}::text[], ${carriers}::text[])
    on conflict do nothing`.execute(tx);
  // They may have a plan.
  await sql`insert into usage_matching (organization_id)
    select distinct o from unnest(${fresh.map((row) => row.organization_id)}::uuid[]) o
    where exists (select from usage_plans p where p.organization_id = o) on conflict do nothing`.execute(tx);
}
