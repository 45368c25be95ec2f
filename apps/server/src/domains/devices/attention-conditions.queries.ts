// Reads tables of other domains: esim_profiles, geofence_states, geofences, router_contacts, router_ownership.
import { devices } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { isRejectedConnection } from '../inventory/index.ts';
import { intervalOfDevice, isRejected, newestPosition } from './device-position.queries.ts';
import { isOutage } from './device.filters.ts';

const FAILED = sql`p.status in ('Fail to download', 'Fail to activate', 'Out of memory')`;

function failedProfiles(scope: Scope): Fragment {
  const own = scope.kind === 'organization' ? sql` and p.organization_id = ${scope.organizationId}::uuid` : sql``;
  return sql`from esim_profiles p where p.main_account_id = ${scope.mainAccountId}::uuid${own} and ${FAILED}`;
}

/** Conditions on `devices d` of the filters that the overview links to (ATT-01). */
export function attentionConditions(
  scope: Scope,
  {
    offline,
    signal,
    sim,
    position,
    connection,
    geofence,
  }: Pick<devices.DeviceListQuery, 'offline' | 'signal' | 'sim' | 'position' | 'connection' | 'geofence'>,
  now: Date,
): Fragment[] {
  return [
    ...(offline === undefined ? [] : [offlineLonger(offline, now)]),
    ...(signal === undefined
      ? []
      : [sql`d.presence = 'online' and d.router_id in (select w.router_id from router_contacts w where w.is_weak)`]),
    ...(position === undefined ? [] : [positionIs(position, now)]),
    ...(connection === undefined ? [] : [isRejectedConnection]),
    ...(geofence === undefined ? [] : [insideGeofence(geofence)]),
    ...(sim === undefined ? [] : [sql`d.id in (select p.device_id ${failedProfiles(scope)})`]),
  ];
}

/** Inside of a geofence of the device's organization, since it has the router (POS-05); an unknown id matches none. */
function insideGeofence(id: string): Fragment {
  if (!isId(id)) return sql`false`;
  return sql`d.organization_id = (select g.organization_id from geofences g where g.id = ${id}::uuid) and d.router_id in (
    select s.router_id from geofence_states s join router_ownership w on w.router_id = s.router_id and w.owned_until is null
      and s.since >= w.owned_from where s.geofence_id = ${id}::uuid and s.is_inside)`;
}

/** The newest position of a device is of the time in which its organization had the router. */
function positionIs(position: devices.PositionFilter, now: Date): Fragment {
  const has = (condition: Fragment) => sql`exists (select from ${newestPosition} where ${intervalOfDevice} and ${condition})`;
  const before = new Date(now.getTime() - devices.OLD_POSITION_HOURS * 3_600_000);
  if (position === 'rejected') return isRejected;
  return position === 'never' ? sql`not ${has(sql`true`)}` : has(sql`p.at < ${before}::timestamptz`);
}

/** Full minutes, so that within one the list has the number of devices that the overview showed. */
function offlineLonger(span: devices.OfflineFilter, now: Date): Fragment {
  const minute = Math.floor(now.getTime() / 60_000) * 60_000;
  const since = new Date(minute - devices.offlineSpans[span] * 1_000);
  return sql`d.presence = 'offline' and d.presence_since < ${since}::timestamptz and ${isOutage}`;
}
