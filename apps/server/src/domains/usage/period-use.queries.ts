// Reads tables of other domains: devices, groups, organizations.
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment } from '../../platform/listing/index.ts';
import { nameOfDevice, serialsOfDevice } from './former-devices.queries.ts';

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

/** The same of all SIMs of a vehicle, a group or a plan. */
export interface PeriodSum extends Pick<PeriodUse, 'org_name' | 'sent' | 'received' | 'cost' | 'currency'> {
  readonly name: string;
  readonly sims: number;
  readonly vehicles: number;
}

/** What data used is limited to. */
export interface UseFilter {
  /** First and last day, ISO. */
  readonly from: string;
  readonly until: string;
  /** A condition on rows `u` by their device. */
  readonly devices: Fragment | undefined;
  /** Of the SIM. */
  readonly carrier: string | undefined;
}

function usedBy(scope: Scope, { from, until, devices, carrier }: UseFilter): Fragment {
  const own =
    scope.kind === 'organization'
      ? sql`u.organization_id = ${scope.organizationId}::uuid`
      : sql`u.organization_id in (select id from organizations where main_account_id = ${scope.mainAccountId}::uuid)`;
  return allOf([
    own,
    sql`u.day between ${from}::date and ${until}::date`,
    ...(devices === undefined ? [] : [devices]),
    ...(carrier === undefined
      ? []
      : [
          sql`exists (select from usage_sims c where c.organization_id = u.organization_id and c.iccid = u.iccid
            and name_key(c.carrier) = name_key(${carrier}))`,
        ]),
  ]);
}

/** Not rounded: many SIMs that use little each would add up to nothing. Exact, since both factors are decimal. */
const cost = sql`(u.sent + u.received)::numeric * p.cost_per_gb * 1e-9`;
/** What is shown of a cost or a sum of them. */
const inCents = (amount: Fragment) => sql`round(${amount}, 2)::float8`;
const sums = (scope: Scope, filter: UseFilter): Fragment => sql`(select u.organization_id, u.iccid, u.device_id,
    sum(u.sent)::float8 as sent, sum(u.received)::float8 as received from usage_days u where ${usedBy(scope, filter)} group by 1, 2, 3) u
  join organizations o on o.id = u.organization_id
  left join devices d on d.organization_id = u.organization_id and d.id = u.device_id
  left join usage_sims s on s.organization_id = u.organization_id and s.iccid = u.iccid
  left join usage_plans p on p.organization_id = u.organization_id and p.id = s.plan_id`;

const name = nameOfDevice(sql`u.organization_id`, sql`u.device_id`);

/** Data used in days of the organizations of a scope, by SIM and vehicle, the most first (RPM-01). */
export function periodUse(scope: Scope, filter: UseFilter): Fragment {
  const { from, until } = filter;
  return sql`select u.iccid, ${name} as name, o.name as org_name, coalesce(s.carrier, '') as carrier,
      coalesce(p.name, '') as plan, u.sent, u.received, coalesce(p.currency, '') as currency, ${inCents(cost)} as cost,
      ${serialsOfDevice(sql`u.organization_id`, sql`u.device_id`, sql`${from}::date`, sql`${until}::date + 1`)} as serial
    from ${sums(scope, filter)} order by u.sent + u.received desc, u.iccid, u.device_id`;
}

const keys = {
  vehicles: { key: sql`u.device_id::text`, name },
  groups: {
    key: sql`d.group_key`,
    name: sql`(select g.name from groups g where g.organization_id = u.organization_id and g.key = d.group_key)`,
  },
  plans: { key: sql`p.id::text`, name: sql`p.name` },
} as const;

/** The same by vehicle, group of now or plan; a line for each currency, since prices of different ones cannot be added up. */
export function periodSums(scope: Scope, filter: UseFilter, by: keyof typeof keys): Fragment {
  const { key, name: nameOfKey } = keys[by];
  return sql`select coalesce(max(k.name), '') as name, o.name as org_name, count(distinct k.iccid)::int as sims, count(distinct k.device_id)::int as vehicles,
      sum(k.sent) as sent, sum(k.received) as received, ${inCents(sql`sum(k.cost)`)} as cost, k.currency
    from (select u.*, ${key} as key, ${nameOfKey} as name, coalesce(p.currency, '') as currency, ${cost} as cost from ${sums(scope, filter)}) k
      join organizations o on o.id = k.organization_id
    group by k.organization_id, o.name, k.key, k.currency order by sum(k.sent + k.received) desc, k.organization_id, k.key, k.currency`;
}

/** Data used by day. */
export function periodUseByDay(scope: Scope, filter: UseFilter): Fragment {
  return sql`select u.day::text as day, sum(u.sent + u.received)::float8 as bytes from usage_days u
    where ${usedBy(scope, filter)} group by 1 order by 1`;
}
