import type { usage } from '@highline/contract';
import { sql } from 'kysely';
import { addDays, isId, utcDay, type Scope } from '../../kernel/index.ts';
import { manyOf, type Reader } from '../../platform/listing/index.ts';
import { cyclesIn, areIn } from './usage.queries.ts';
import { joinSims, todays } from './zones.queries.ts';

interface SimRow {
  readonly device_id: string;
  readonly iccid: string;
  readonly organization_id: string;
  readonly cycle_from: string;
  readonly cycle_until: string;
  readonly sent: number;
  readonly received: number;
  readonly before: number;
}

/** The running and the last cycle of the SIMs of devices, or of SIMs (USE-02). */
export async function readUseOf(
  reader: Reader,
  scope: Scope,
  now: Date,
  of: { readonly devices: readonly string[] } | { readonly iccids: readonly string[] },
): Promise<(usage.SimUsage & { readonly device: string })[]> {
  const isOfDevices = 'devices' in of;
  const ids = isOfDevices ? of.devices.filter(isId) : of.iccids.filter((iccid) => !iccid.includes('\0'));
  if (ids.length === 0) return [];
  const named = isOfDevices ? sql`c.device_id in ${manyOf(ids, 'uuid')}` : sql`c.iccid in ${manyOf(ids, 'text')}`;
  const sum = (column: string, back: number) =>
    sql`coalesce(sum(c.${sql.ref(column)}) filter (where k.back = ${back}::integer), 0)::float8`;
  const rows =
    await reader.rows<SimRow>(sql`select ${isOfDevices ? sql`c.device_id` : sql`'' as device_id`}, c.iccid, c.organization_id,
      usage_cycle(t.today, max(s.cycle_day), 0)::text as cycle_from, usage_cycle(t.today, max(s.cycle_day), -1)::text as cycle_until,
      ${sum('sent', 0)} as sent, ${sum('received', 0)} as received, ${sum('sent', 1)} + ${sum('received', 1)} as before
    from ${cyclesIn(scope, [0, 1], now)} ${joinSims} where ${named} and ${areIn([0, 1], now)} group by 1, 2, 3, t.today order by 1, 2, 3`);
  return rows.map((row) => ({
    device: row.device_id,
    iccid: row.iccid,
    org: row.organization_id,
    cycleFrom: row.cycle_from,
    cycleUntil: row.cycle_until,
    sent: row.sent,
    received: row.received,
    total: row.sent + row.received,
    before: row.before,
  }));
}

/** Bytes of the calendar month so far by organization, those without use left out (HKS-05). */
export async function readMonthTotals(
  reader: Reader,
  scope: Scope,
  now: Date,
): Promise<ReadonlyMap<string, { readonly sent: number; readonly received: number }>> {
  const rows = await reader.rows<{ id: string; sent: number; received: number }>(
    sql`select c.organization_id as id, sum(c.sent)::float8 as sent, sum(c.received)::float8 as received
      from ${todays(scope, now)} join usage_totals c on c.organization_id = t.id
      where c.day >= ${addDays(utcDay(now), -32)}::date and c.day >= usage_cycle(t.today, 1, 0) group by 1`,
  );
  return new Map(rows.map(({ id, ...used }) => [id, used]));
}
