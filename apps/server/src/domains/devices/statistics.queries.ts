// Reads tables of other domains: audit_entries, audit_heads, esim_profiles, groups, organizations.
import type { CountedPresence, devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { currentLimit } from '../../platform/calls/call-steps.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { dayIn, startOfDay, type Scope } from '../../kernel/index.ts';
import { devicesCounted, devicesOf } from './device.filters.ts';
import type { EvaluationContext } from './device.dto.ts';
import { subscriptionDay, subscriptionIs } from '../subscriptions/index.ts';

export type Statistics = z.input<typeof devices.statistics.response>['result'];
/** Without the colours of carriers, which are given apart. */
type CountedCarrier = Omit<Statistics['carriers'][number], 'color'>;
type Counted = Omit<Statistics, 'carriers'> & { readonly carriers: readonly CountedCarrier[] };

interface CarrierCount {
  readonly carrier: string | null;
  readonly presence: CountedPresence;
  readonly count: number;
}

/**
 * The counts of the overview (OVW-01 … 04).
 * @param zone IANA time zone in which `logsToday` begins its day
 * @throws DomainError `request.invalid` for an unknown zone
 */
export async function readStatistics(reader: Reader, scope: Scope, zone: string, context: EvaluationContext): Promise<Counted> {
  const since = startOfDay(zone, dayIn(zone, context.now));
  const [counts, sims, expired, group, logs, logsToday] = await Promise.all([
    countByCarrier(reader, scope),
    countProfiles(reader, scope),
    countExpiring(reader, scope, context),
    countOf(reader, groupsOf(scope)),
    countOf(
      reader,
      // Retention removes the oldest entries of a chain: the rest is counted from its first entry. A limited person sees some of a chain.
      currentLimit() !== undefined
        ? sql`select count(*) as total from audit_entries e where e.chain_id in (${chainsOf(scope)})`
        : sql`select coalesce(sum(h.seq - first.seq + 1), 0)::bigint as total from audit_heads h
        cross join lateral (select min(e.seq) as seq from audit_entries e where e.chain_id = h.chain_id) first
        where h.chain_id in (${chainsOf(scope)})`,
    ),
    countOf(
      reader,
      sql`select count(*) as total from audit_entries e
        where e.chain_id in (${chainsOf(scope)}) and e.at >= ${since}::timestamptz`,
    ),
  ]);
  const having = (presence: CountedPresence) => sum(counts.filter((row) => row.presence === presence));
  return {
    online: having('online'),
    offline: having('offline'),
    unknown: having('unknown'),
    never: having('never'),
    parked: having('parked'),
    planned: having('planned'),
    expired,
    devices: sum(counts),
    group,
    logs,
    logsToday,
    carriers: carriersOf(sims, counts),
  };
}

async function countByCarrier(reader: Reader, scope: Scope): Promise<CarrierCount[]> {
  return reader.rows<CarrierCount>(
    sql`select c.carrier, c.presence, sum(c.devices)::int as count from device_counts c where ${devicesCounted(scope)} group by 1, 2`,
  );
}

interface ProfileCount {
  readonly carrier: string;
  readonly total: number;
}

/**
 * SIMs per carrier: those in use for the network that their router reports, as the devices of this carrier are listed, and each other eSIM
 * profile for its own; those of unknown carrier are left out.
 */
async function countProfiles(reader: Reader, scope: Scope): Promise<ProfileCount[]> {
  const mine =
    scope.kind === 'organization'
      ? sql`p.organization_id = ${scope.organizationId}::uuid`
      : sql`p.main_account_id = ${scope.mainAccountId}::uuid`;
  return reader.rows<ProfileCount>(
    sql`select carrier, sum(n)::int as total from (
        select p.carrier, count(*) as n from esim_profiles p where ${mine} group by 1
        union all
        -- The SIM in use of each device: an eSIM profile, or a card in its slot.
        select c.carrier, sum(c.devices) from device_counts c where ${devicesCounted(scope)} and c.carrier is not null group by 1
        union all
        -- A profile in use is counted with its device; of several, the one of the network.
        select used.carrier, -count(*) from (
          select distinct on (d.id) p.carrier from esim_profiles p join devices d on d.organization_id = p.organization_id and d.id = p.device_id
          where ${mine} and p.status = 'In Use' and ${devicesOf(scope)} and d.carrier is not null order by d.id, p.carrier <> d.carrier, p.id
        ) used group by 1
      ) sims where carrier <> '' group by 1 having sum(n) <> 0`,
  );
}

/** SIMs per carrier, the most first, each with the routers that use this carrier now, by connection (OVW-04). */
function carriersOf(sims: readonly ProfileCount[], counts: readonly CarrierCount[]): CountedCarrier[] {
  const none = { online: 0, offline: 0, unknown: 0, never: 0, parked: 0, planned: 0 };
  const carriers = new Map<string, CountedCarrier>(sims.map(({ carrier, total }) => [carrier, { carrier, total, ...none }]));
  for (const { carrier, presence, count } of counts) {
    const known = carrier === null ? undefined : carriers.get(carrier);
    if (known !== undefined) known[presence] += count;
  }
  return [...carriers.values()].sort((a, b) => b.total - a.total || (a.carrier < b.carrier ? -1 : 1));
}

async function countExpiring(reader: Reader, scope: Scope, { now, expiringDays }: EvaluationContext): Promise<number> {
  const expiring = subscriptionIs('expiring', subscriptionDay(now, expiringDays));
  return countOf(reader, sql`select count(*) as total from devices d where ${devicesOf(scope)} and ${expiring}`);
}

function groupsOf(scope: Scope): Fragment {
  if (scope.kind === 'organization')
    return sql`select count(*) as total from groups g where g.organization_id = ${scope.organizationId}::uuid`;
  return sql`select count(*) as total from groups g join organizations o on o.id = g.organization_id
    where o.main_account_id = ${scope.mainAccountId}::uuid and o.deleted_at is null`;
}

/** The audit chains a scope may read: an organization its own; a main account its own and those of its organizations. */
function chainsOf(scope: Scope): Fragment {
  if (scope.kind === 'organization') return sql`select ${scope.organizationId}::uuid`;
  return sql`select ${scope.mainAccountId}::uuid union all
    select o.id from organizations o where o.main_account_id = ${scope.mainAccountId}::uuid`;
}

async function countOf(reader: Reader, statement: Fragment): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(statement);
  return row!.total;
}

function sum(counts: readonly CarrierCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
