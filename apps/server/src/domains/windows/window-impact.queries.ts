// Reads tables of other domains: devices, geofences, router_positions, telemetry_reports.
import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { checkZone, DomainError, isId, type OrganizationScope } from '../../kernel/index.ts';
import { manyOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { nextHours } from './update-window.ts';

/**
 * @throws DomainError `request.invalid` for an unknown zone, `binding.window` for a window without a condition, `not_found` for a geofence
 * that is not of the organization
 */
export async function rejectUnfitWindow(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { zone, local: _, ...conditions }: rollouts.UpdateWindow,
): Promise<void> {
  checkZone(zone, 'window.zone');
  if (Object.keys(conditions).length === 0) throw new DomainError('binding.window', { field: 'window' });
  const ids = [...new Set(conditions.geofences)];
  if (ids.length === 0) return;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from geofences g
    where g.organization_id = ${organizationId}::uuid and g.id in ${manyOf(ids.filter(isId), 'uuid')}`.execute(queries);
  if (rows[0]!.count < ids.length) throw new DomainError('not_found', { field: 'window.geofences' });
}

/** What a window would mean for devices of an organization. @param devices condition on `devices d` */
export async function findWindowImpact(
  reader: Pick<Reader, 'rows'>,
  { organizationId }: OrganizationScope,
  devices: Fragment,
  window: rollouts.UpdateWindow,
  now: Date,
): Promise<rollouts.WindowImpact> {
  const { ignitionOffMinutes, stillMinutes, geofences, minVoltage, minSignal, uplinks } = window;
  const reports = (column: Fragment) => sql`exists (select 1 from telemetry_reports r where r.router_id = d.router_id
    and r.at > ${now}::timestamptz - interval '1 hour' and ${column} is not null)`;
  const lacking = (isNeeded: boolean, known: Fragment) => sql`(count(*) filter (where ${isNeeded} and not ${known}))::int`;
  const [row] = await reader.rows<Omit<rollouts.WindowImpact, 'opens'>>(sql`
    select ${lacking(
      stillMinutes !== undefined || geofences !== undefined,
      sql`exists (select 1 from router_positions p where p.router_id = d.router_id)`,
    )} as "noPosition",
      ${lacking(ignitionOffMinutes !== undefined, sql`d.ignition is not null`)} as "noIgnition",
      ${lacking(uplinks !== undefined, sql`d.uplink_kind is not null`)} as "noUplink",
      ${lacking(minVoltage !== undefined, reports(sql`r.voltage`))} as "noVoltage",
      ${lacking(minSignal !== undefined, reports(sql`r.rsrp`))} as "noSignal"
    from devices d where d.organization_id = ${organizationId}::uuid and ${devices} and d.presence = 'online'`);
  const opens = nextHours(window, null, now);
  return { ...row!, opens: opens === undefined ? null : Math.floor(opens.getTime() / 1_000) };
}
