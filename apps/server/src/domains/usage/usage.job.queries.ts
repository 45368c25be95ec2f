// Reads tables of other domains: devices, router_ownership, routers.
import { sql } from 'kysely';
import type { Database, Row, Tx } from '../../platform/ports/index.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import type { OwnedTime } from './split.ts';
import { zonesOf, type ZonedFrom } from './zones.job.queries.ts';

/** What is known of a router when its counters are added. */
export interface RouterFacts {
  /** The SIM in its last whole report, for reports that name none. */
  readonly iccid: string;
  readonly owners: readonly OwnedTime[];
}

/** Who had these routers when, and their SIM. */
export async function factsOf(tx: Tx, routers: readonly string[]): Promise<Map<string, RouterFacts>> {
  const found = await sql<
    { router_id: string; iccid: string } & (
      | Row<'router_ownership', 'organization_id' | 'device_id' | 'owned_from' | 'owned_until'>
      | { organization_id: null }
    )
  >`${plannedOnce}select r.id as router_id, coalesce(r.reported ->> 'iccid', '') as iccid, o.organization_id, o.device_id, o.owned_from, o.owned_until
    from routers r left join router_ownership o on o.router_id = r.id
    where r.id = any (${[...routers]}::uuid[]) order by o.owned_from`.execute(tx);
  const zones = await zonesOf(tx, [...new Set(found.rows.flatMap((row) => row.organization_id ?? []))]);
  return new Map(
    Array.from(
      Map.groupBy(found.rows, (row) => row.router_id),
      ([routerId, intervals]): [string, RouterFacts] => [
        routerId,
        {
          iccid: intervals[0]!.iccid.slice(0, 40),
          owners: intervals.flatMap((row) =>
            row.organization_id === null
              ? []
              : byZone(
                  {
                    organizationId: row.organization_id,
                    deviceId: row.device_id,
                    from: row.owned_from.getTime(),
                    until: row.owned_until?.getTime() ?? Infinity,
                  },
                  zones.get(row.organization_id) ?? [],
                ),
          ),
        },
      ],
    ),
  );
}

/** A time divided where the organization changed its zone. */
function byZone(owned: OwnedTime, zones: readonly ZonedFrom[]): OwnedTime[] {
  return [{ from: Number.NEGATIVE_INFINITY, zone: 'UTC' }, ...zones].flatMap(({ from, zone }, index) => {
    const until = zones[index]?.from ?? Infinity;
    const part = { ...owned, from: Math.max(owned.from, from), until: Math.min(owned.until, until), zone };
    return part.from < part.until ? [part] : [];
  });
}

/** Organizations with SIMs whose carrier is unknown. */
export async function organizationsToLearn({ read }: Database): Promise<string[]> {
  const { rows } = await sql<
    Row<'usage_sims', 'organization_id'>
  >`select distinct organization_id from usage_sims where carrier = ''`.execute(read);
  return rows.map((row) => row.organization_id);
}

/**
 * Take the carriers of SIMs that had none from the devices that have them now: a router may count bytes before it reports its carrier.
 * @returns how many SIMs have one now
 */
export async function learnCarriers(tx: Tx, organizationId: string): Promise<number> {
  const { numAffectedRows } = await sql`update usage_sims s set carrier = left(d.carrier, 100) from devices d
    where s.organization_id = ${organizationId}::uuid and s.carrier = '' and d.organization_id = s.organization_id and d.iccid = s.iccid
      and d.archived_at is null and d.carrier <> ''`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Match the SIMs of an organization with its plans again, if it has any. */
export async function requestMatching(tx: Tx, organizationId: string): Promise<void> {
  await sql`insert into usage_matching (organization_id)
    select ${organizationId}::uuid where exists (select from usage_plans where organization_id = ${organizationId}::uuid)
    on conflict do nothing`.execute(tx);
}

/** The carrier that the devices of these SIMs reported with them, in their order; '' = none, or its device has another SIM by now. */
export async function carriersOf(
  tx: Tx,
  sims: readonly { readonly organization_id: string; readonly device_id: string; readonly iccid: string }[],
): Promise<string[]> {
  const of = <Key extends keyof (typeof sims)[number]>(key: Key) => sims.map((row) => row[key]);
  const { rows } = await sql<{ carrier: string }>`select left(coalesce(d.carrier, ''), 100) as carrier
    from unnest(${of('organization_id')}::uuid[], ${of('device_id')}::uuid[], ${of('iccid')}::text[])
      with ordinality u (organization_id, device_id, iccid, number)
    left join devices d on d.organization_id = u.organization_id and d.id = u.device_id and d.iccid = u.iccid order by u.number`.execute(
    tx,
  );
  return rows.map(({ carrier }) => carrier);
}
