import { type devices, type HealthRating, healthRatings, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import {
  allOf,
  contains,
  containsNumber,
  searchable,
  searchOf,
  type Fragment,
  type SearchFields,
} from '../../platform/listing/index.ts';
import { daysOf, type Scope } from '../../kernel/index.ts';
import { diagnosisIs } from './device-diagnosis.queries.ts';
import { subscriptionMatches, type SubscriptionDay } from '../subscriptions/index.ts';

/** The filters of a device list (DEV-02, OGL-02). */
/** `devices`: only these. */
export type DeviceFilters = { readonly devices?: readonly string[] } & Pick<
  devices.DeviceListQuery,
  | 'search'
  | 'field'
  | 'ignoreCase'
  | 'service'
  | 'presence'
  | 'offline'
  | 'signal'
  | 'health'
  | 'diagnosis'
  | 'sim'
  | 'position'
  | 'connection'
  | 'geofence'
  | 'group'
  | 'carrier'
  | 'expiration'
  | 'tag'
>;

/** The living devices of a scope, on `devices` under an alias. */
export function devicesOf(scope: Scope, alias = 'd'): Fragment {
  const mine =
    scope.kind === 'organization'
      ? sql`${sql.ref(`${alias}.organization_id`)} = ${scope.organizationId}::uuid`
      : sql`${sql.ref(`${alias}.main_account_id`)} = ${scope.mainAccountId}::uuid`;
  return sql`${mine} and ${sql.ref(`${alias}.archived_at`)} is null`;
}

/**
 * The total of a list from `device_counts`; undefined if it has filters that these counts do not know.
 * @param also count how many of them are online
 */
export function countedDevices(scope: Scope, query: DeviceFilters, also?: 'online'): Fragment | undefined {
  const { search, service, presence, group, carrier, expiration, tag } = query;
  if (
    query.offline !== undefined ||
    query.signal !== undefined ||
    query.health !== undefined ||
    query.diagnosis !== undefined ||
    query.sim !== undefined ||
    query.position !== undefined ||
    query.connection !== undefined ||
    query.geofence !== undefined
  )
    return undefined;
  if (service !== undefined || expiration !== undefined || tag !== undefined || (search !== undefined && search !== ''))
    return undefined;
  const conditions = [devicesCounted(scope)];
  if (presence !== undefined) conditions.push(sql`c.presence = ${presence}`);
  if (group !== undefined && group !== '') conditions.push(sql`c.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`);
  if (carrier !== undefined && carrier !== '') conditions.push(sql`c.carrier = ${searchable(carrier, 'carrier')}`);
  const online = sql`, coalesce(sum(c.devices) filter (where c.presence = 'online'), 0)::int as online`;
  return sql`select coalesce(sum(c.devices), 0)::int as total ${also === undefined ? sql`` : online} from device_counts c where ${allOf(conditions)}`;
}

/** The scope of `devicesOf`, on `device_counts c`. */
export function devicesCounted(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`c.organization_id = ${scope.organizationId}::uuid`
    : sql`c.main_account_id = ${scope.mainAccountId}::uuid`;
}

/**
 * The filters as conditions on `devices d`.
 * @throws DomainError `request.invalid` for an unknown field, or a text no column can hold
 */
export function deviceConditions(scope: Scope, filters: DeviceFilters, day: SubscriptionDay, now: Date): Fragment[] {
  const { service, presence, group, carrier, expiration, tag, devices: ids } = filters;
  const conditions: Fragment[] = [];
  if (service !== undefined) conditions.push(subscriptionMatches(service, day));
  if (presence !== undefined) conditions.push(presenceMatches(presence));
  if (filters.health !== undefined) conditions.push(healthIs(filters.health));
  if (filters.diagnosis !== undefined) conditions.push(diagnosisIs(scope, filters.diagnosis));
  if (group !== undefined && group !== '') conditions.push(sql`d.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`);
  if (carrier !== undefined && carrier !== '') conditions.push(sql`d.carrier = ${searchable(carrier, 'carrier')}`);
  if (ids !== undefined) conditions.push(sql`d.id = any (${[...ids]}::uuid[])`);
  // The second condition is the one of the index.
  if (tag !== undefined) conditions.push(sql`d.tags && ${spellingsOf(scope, searchable(tag, 'tag'))} and d.tags <> '{}'`);
  if (expiration !== undefined) {
    // A subscription ends with its last day in UTC, wherever the reader is.
    const { from, to } = daysOf(expiration, 'UTC', now);
    conditions.push(sql`d.expires_on between ${from}::date and ${to}::date`);
  }
  return [...conditions, ...searchOf(filters, searchFields(scope))];
}

/**
 * A tag as devices of the scope have it: as it was typed, if some do, else each that is the same name. Found once for a statement; no index
 * has tags without case.
 */
function spellingsOf(scope: Scope, tag: string): Fragment {
  const tagged = sql`from devices d cross join unnest(d.tags) as t (tag) where ${devicesOf(scope)} and d.tags <> '{}'`;
  return sql`(select case
      when exists (select from devices d where ${devicesOf(scope)} and d.tags <> '{}' and d.tags @> array[${tag}]::text[]) then array[${tag}]::text[]
      else (select coalesce(array_agg(u.tag), '{}') from (select distinct t.tag ${tagged}) u where name_key(u.tag) = name_key(${tag})) end)`;
}

/** The condition on `devices d` for a filter by connection; agrees with `device_counts` and the contract's `countedPresence`. */
export function presenceMatches(presence: devices.PresenceFilter): Fragment {
  if (presence === 'online' || presence === 'unknown') return sql`d.presence = ${presence}`;
  if (presence === 'never') return sql`(d.presence = 'offline' and d.presence_since is null)`;
  const off = sql`d.presence = 'offline' and d.presence_since is not null`;
  if (presence === 'planned') return sql`(${off} and d.is_planned)`;
  const isParked = sql`d.ignition = 'off' and d.is_planned is distinct from true`;
  return presence === 'parked' ? sql`(${off} and ${isParked})` : sql`(${off} and ${isOutage})`;
}

/** An offline `devices d` that has connected is offline by a fault: its ignition is not off, and no rollout works on it (SAY-04). */
export const isOutage: Fragment = sql`d.ignition is distinct from 'off' and d.is_planned is distinct from true`;

/** Whether the score has a rating (DPG-03). */
function healthIs(rating: HealthRating): Fragment {
  const { good, fair } = healthRatings;
  if (rating === 'good') return sql`d.health >= ${good}`;
  return rating === 'fair' ? sql`d.health >= ${fair} and d.health < ${good}` : sql`d.health < ${fair}`;
}

/** Fewer characters have no trigram, by which the numbers are found. */
const FEWEST_CHARACTERS = 3;
/** A text that more numbers share, such as the beginning of a carrier's ICCIDs, is no search for one of them. */
const MOST_NUMBERS = 1_000;

/**
 * Vehicle, serial number, and the numbers of SIM and modem, in any case (SAY-10). The numbers are read once, as a short array, so that the
 * planner joins three indexes for a rare text and walks the order of the list for a frequent one.
 */
function anyNumber(scope: Scope, typed: string): Fragment {
  const has = (column: Fragment) => contains(column, typed.trim(), { ignoreCase: 'true' });
  const named = sql`${has(sql`d.vehicle_number`)} or ${has(sql`d.serial`)}`;
  if (typed.trim().length < FEWEST_CHARACTERS) return sql`(${named})`;
  const whose =
    scope.kind === 'organization'
      ? sql`i.organization_id = ${scope.organizationId}::uuid`
      : sql`i.main_account_id = ${scope.mainAccountId}::uuid`;
  const numbers = sql`select i.device_id from device_identifiers i where ${whose} and ${containsNumber(sql`i.value`, typed, has)}
    limit ${MOST_NUMBERS + 1}`;
  return sql`(${named} or d.id = any ((select case when count(*) <= ${MOST_NUMBERS} then array_agg(n.device_id) end from (${numbers}) n)::uuid[]))`;
}

const searchFields = (scope: Scope): SearchFields<DeviceFilters['field']> => ({
  serial: sql`d.serial`,
  vehicle: sql`d.vehicle_number`,
  config: sql`d.config`,
  note: sql`d.note`,
  any: (_has, text) => anyNumber(scope, text),
  // The names are looked up once, as an array: with a join the planner might not use the order of the index.
  organization: (has) => sql`d.organization_id = any (array(select o.id from organizations o
    where o.main_account_id = ${scope.mainAccountId}::uuid and ${has(sql`o.name`)}))`,
  group: (has) =>
    scope.kind === 'organization'
      ? sql`d.group_key = any (array(select g.key from groups g
          where g.organization_id = ${scope.organizationId}::uuid and ${has(sql`g.name`)}))`
      : sql`exists (select 1 from groups g
          where g.organization_id = d.organization_id and g.key = d.group_key and ${has(sql`g.name`)})`,
});
