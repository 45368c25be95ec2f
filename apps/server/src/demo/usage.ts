import { sql } from 'kysely';
import { addPlan } from '../domains/usage/index.ts';
import type { Actor, OrganizationScope } from '../kernel/index.ts';
import type { Clock, Database } from '../platform/ports/index.ts';
import { iccidOf } from './esims.ts';
import type { DemoVehicle } from './demo-vehicles.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;
/** Days before today that vehicles used data on: this month and the one before. */
const DAYS = 60;

/**
 * Two months of data use of an organization, and its plan. The first vehicle has used almost all of its allowance: what it sends by itself reaches
 * the rest within a day (USE-03).
 */
export async function seedUsage(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: OrganizationScope,
  actor: Actor,
  vehicles: readonly DemoVehicle[],
): Promise<void> {
  const now = clock.now();
  const rows = vehicles.flatMap((vehicle, index) => daysOf(vehicle, index, now));
  await database.write(async (tx) => {
    const of = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
    const used = sql`unnest(${of('serial')}::text[], ${of('iccid')}::text[], ${of('carrier')}::text[], ${of('day')}::date[],
        ${of('bytes')}::bigint[]) u (serial, iccid, carrier, day, bytes)
      join devices d on d.organization_id = ${scope.organizationId}::uuid and d.serial = u.serial`;
    await sql`insert into usage_sims (organization_id, iccid, carrier)
      select distinct d.organization_id, u.iccid, u.carrier from ${used} on conflict do nothing`.execute(tx);
    const split = sql`u.bytes / 5, u.bytes - u.bytes / 5`;
    await sql`insert into usage_days (organization_id, day, iccid, device_id, sent, received)
      select d.organization_id, u.day, u.iccid, d.id, ${split} from ${used}`.execute(tx);
    await sql`insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received)
      select organization_id, usage_cycle_of(day, 1), iccid, device_id, sum(sent), sum(received) from usage_days
      where organization_id = ${scope.organizationId}::uuid group by 1, 2, 3, 4`.execute(tx);
    await sql`insert into usage_totals (organization_id, day, sent, received)
      select organization_id, day, sum(sent), sum(received) from usage_days
      where organization_id = ${scope.organizationId}::uuid group by 1, 2`.execute(tx);
  });
  await addPlan({ database, clock }, scope, actor, {
    name: 'Fleet 5 GB',
    cycleDay: 1,
    allowance: 5 * GB,
    isPool: false,
    costPerGb: 4,
    currency: 'USD',
    appliesTo: 'all',
    carrier: '',
    shares: [80, 100],
    action: 'mail',
    command: null,
  });
}

function daysOf(vehicle: DemoVehicle, index: number, now: Date) {
  const today = Math.floor(now.getTime() / DAY_MS);
  const first = Math.floor(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / DAY_MS);
  const iccid = iccidOf(vehicle);
  return Array.from({ length: DAYS }, (_, back) => {
    const day = today - back;
    // 30 to 130 MB a day, by vehicle and day.
    const usual = (30 + ((index * 37 + day * 53) % 100)) * 1_000_000;
    const isCurrent = day >= first;
    const nearCap = Math.floor((4.95 * GB) / (today - first + 1));
    const bytes = index === 0 && isCurrent ? nearCap : usual;
    return {
      serial: vehicle.serial,
      iccid,
      carrier: vehicle.carrier,
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      bytes,
    };
  });
}
