// Reads tables of other domains: devices, organizations, router_ownership, routers.
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment } from '../../platform/listing/index.ts';

/** Data that a SIM used in a vehicle in some days. */
export interface PeriodUse {
  readonly iccid: string;
  readonly name: string;
  /** Serial numbers of the routers that the vehicle had then. */
  readonly serial: string;
  readonly org_name: string;
  readonly carrier: string;
  readonly plan: string;
  readonly sent: number;
  readonly received: number;
  /** By the price of its plan; null = the plan has none. */
  readonly cost: number | null;
  readonly currency: string;
}

/** Data used in days of the organizations of a scope, by SIM and vehicle, the most first (RPM-01). @param from ISO day @param until ISO day, within */
export function periodUse(
  scope: Scope,
  { from, until }: { readonly from: string; readonly until: string },
  group?: string,
): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`u.organization_id = ${scope.organizationId}::uuid`
      : sql`u.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
  const conditions = allOf([
    own,
    sql`u.day between ${from}::date and ${until}::date`,
    ...(group === undefined
      ? []
      : [
          sql`u.device_id in (select d.id from devices d where d.organization_id = u.organization_id and d.group_key = ${group})`,
        ]),
  ]);
  return sql`select u.iccid, coalesce(nullif(d.vehicle_number, ''), d.serial, '') as name, o.name as org_name, coalesce(s.carrier, '') as carrier,
      coalesce(p.name, '') as plan, u.sent, u.received, coalesce(p.currency, '') as currency,
      case when p.cost_per_gb is null then null else round(((u.sent + u.received) / 1e9)::numeric * p.cost_per_gb, 2)::float8 end as cost,
      coalesce((select string_agg(distinct q.serial, ', ') from router_ownership w join routers q on q.id = w.router_id
        where w.organization_id = u.organization_id and w.device_id = u.device_id and w.owned_from < ${until}::date + 1
          and coalesce(w.owned_until, 'infinity') > ${from}::date), d.serial, '') as serial
    from (select u.organization_id, u.iccid, u.device_id, sum(u.sent)::float8 as sent, sum(u.received)::float8 as received
        from usage_days u where ${conditions} group by 1, 2, 3) u
      join organizations o on o.id = u.organization_id
      left join devices d on d.organization_id = u.organization_id and d.id = u.device_id
      left join usage_sims s on s.organization_id = u.organization_id and s.iccid = u.iccid
      left join usage_plans p on p.organization_id = u.organization_id and p.id = s.plan_id
    order by u.sent + u.received desc, u.iccid, u.device_id`;
}

/** The same by day. */
export function periodUseByDay(
  scope: Scope,
  { from, until }: { readonly from: string; readonly until: string },
  group?: string,
): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`u.organization_id = ${scope.organizationId}::uuid`
      : sql`u.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
  const ofGroup =
    group === undefined
      ? sql`true`
      : sql`u.device_id in (select d.id from devices d where d.organization_id = u.organization_id and d.group_key = ${group})`;
  return sql`select u.day::text as day, sum(u.sent + u.received)::float8 as bytes from usage_days u
    where ${own} and u.day between ${from}::date and ${until}::date and ${ofGroup} group by 1 order by 1`;
}
