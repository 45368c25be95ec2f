// Reads tables of other domains: groups, organizations.
import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { devicesCounted, devicesOf, isOutage } from './device.filters.ts';
import { hoursOfUsual, offlineBeyond, SHARE_AT_ONCE, usualOffline, type OnlineHour } from './usual.ts';

export type Deviation = z.input<typeof devices.attention.response>['result']['deviation'];

const HOUR_MS = 3_600_000;
/** Vehicles that are looked at for what they have in common, the newest first. */
const MOST_COMPARED = 500;
/** The share of them that a carrier or a group must have to be named. */
const SHARED = 0.8;
const NAMED = 3;

interface CountRow {
  readonly presence: string;
  readonly devices: number;
}

/** The last `n` devices that went offline, on `devices d`. */
const lastOffline = (
  scope: Scope,
  n: number,
): Fragment => sql`select d.id, d.presence_since, d.carrier, d.group_key, d.organization_id from devices d
  where ${devicesOf(scope)} and d.presence = 'offline' and d.presence_since is not null and ${isOutage} order by d.presence_since desc, d.id desc limit ${n}`;

/**
 * How the fleet differs from what is usual at this hour of the week (SAY-01); null = it does not, or has fewer than two devices. Read from counts
 * and sums that are kept, and from the devices that went offline last, so that it costs the same for any fleet.
 */
export async function readDeviation(reader: Reader, scope: Scope, now: Date): Promise<Deviation> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  const [counts, history] = await Promise.all([
    reader.rows<CountRow>(
      sql`select c.presence, sum(c.devices)::int as devices from device_counts c where ${devicesCounted(scope)} group by 1`,
    ),
    reader.rows<OnlineHour>(
      sql`select h.hour, h.online::float8 as online, h.devices::float8 as devices from online_hours h
        where h.owner_id = ${owner}::uuid and h.hour = any (${hoursOfUsual(now)}::timestamptz[])`,
    ),
  ]);
  const of = (presence: string) => counts.find((row) => row.presence === presence)?.devices ?? 0;
  const offline = of('offline');
  const all = offline + of('online');
  // After a start of the server it is not known yet who is offline.
  if (all < 2 || of('unknown') > 0) return null;
  const usual = usualOffline(history, all, now);
  const more = usual === undefined ? await countAtOnce(reader, scope, all, now) : offlineBeyond(usual, offline, all);
  if (more === 0) return null;
  return {
    offline,
    devices: all,
    usual: usual ?? null,
    ...(await describeLast(reader, scope, Math.min(more, MOST_COMPARED), offline)),
  };
}

/** How many devices went offline within an hour, if they are a good part of the fleet; else 0. */
async function countAtOnce(reader: Reader, scope: Scope, all: number, now: Date): Promise<number> {
  const least = Math.max(2, Math.ceil(all * SHARE_AT_ONCE));
  const [row] = await reader.rows<{ count: number }>(sql`select count(*)::int as count from (select from devices d
    where ${devicesOf(scope)} and d.presence = 'offline' and d.presence_since > ${new Date(now.getTime() - HOUR_MS)}::timestamptz and ${isOutage}
    limit ${Math.max(least, MOST_COMPARED)}) lately`);
  return row!.count >= least ? row!.count : 0;
}

type Described = Pick<NonNullable<Deviation>, 'since' | 'shared' | 'latest'>;

/** Since when, what most of the last devices have in common, how many of all that are offline have it, and the first three of these by name. */
async function describeLast(reader: Reader, scope: Scope, count: number, offline: number): Promise<Described> {
  const last = lastOffline(scope, count);
  const [[since], groups, [all]] = await Promise.all([
    reader.rows<{ since: number }>(
      sql`select floor(extract(epoch from min(l.presence_since)))::float8 as since from (${last}) l`,
    ),
    reader.rows<CommonRow>(
      sql`select l.carrier, l.organization_id as "organizationId", l.group_key as "groupKey",
          (select g.name from groups g where g.organization_id = l.organization_id and g.key = l.group_key) as "group",
          (select o.name from organizations o where o.id = l.organization_id) as organization, count(*)::int as devices
        from (${last}) l group by grouping sets ((l.carrier), (l.organization_id, l.group_key)) order by devices desc limit 50`,
    ),
    reader.rows<{ carriers: number; groups: number }>(
      sql`select count(distinct c.carrier)::int as carriers, count(distinct (c.organization_id, c.group_key))::int as groups
        from device_counts c where ${devicesCounted(scope)} and c.presence in ('online', 'offline')`,
    ),
  ]);
  const most = groups.filter(({ devices }) => devices >= count * SHARED);
  // What all vehicles have in common explains nothing.
  const carrier = all!.carriers > 1 ? most.find((row) => row.carrier !== null) : undefined;
  const group = all!.groups > 1 ? most.find((row) => row.group !== null) : undefined;
  const common = carrier ?? group;
  const isAlike = (alias: 'c' | 'd') => {
    if (common === undefined) return sql`true`;
    if (carrier !== undefined) return sql`${sql.ref(`${alias}.carrier`)} = ${carrier.carrier}`;
    // Keys of groups are unique in an organization only: each has its default group.
    return sql`${sql.ref(`${alias}.organization_id`)} = ${common.organizationId}::uuid and ${sql.ref(`${alias}.group_key`)} = ${common.groupKey}`;
  };
  const [[alike], latest] = await Promise.all([
    reader.rows<{ devices: number }>(
      sql`select coalesce(sum(c.devices), 0)::int as devices from device_counts c
        where ${devicesCounted(scope)} and c.presence = 'offline' and ${isAlike('c')}`,
    ),
    reader.rows<Described['latest'][number]>(
      sql`select d.id as device, d.serial as serial_number, d.vehicle_number, d.organization_id as org,
          (select o.name from organizations o where o.id = d.organization_id) as "projectName"
        from (${last}) l join devices d on d.organization_id = l.organization_id and d.id = l.id where ${isAlike('d')}
        order by d.vehicle_number collate natural_order, d.serial limit ${NAMED}`,
    ),
  ]);
  const shared =
    common === undefined
      ? null
      : {
          kind: carrier === undefined ? ('group' as const) : ('carrier' as const),
          name: (carrier?.carrier ?? group?.group)!,
          projectName: carrier === undefined ? common.organization : null,
          devices: alike!.devices,
          of: offline,
        };
  return { since: since!.since, shared, latest };
}

/** How many of the last devices have a carrier, or are in a group. */
interface CommonRow {
  readonly carrier: string | null;
  readonly organizationId: string | null;
  readonly groupKey: string | null;
  readonly group: string | null;
  readonly organization: string | null;
  readonly devices: number;
}
