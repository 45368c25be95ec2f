import { type devices, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import { searchable, searchOf, type Fragment, type SearchFields } from '../../platform/listing/index.ts';
import { daysOf, type Scope } from '../../kernel/index.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';

/** The filters of a device list (DEV-02, OGL-02). */
export type DeviceFilters = Pick<
  devices.DeviceListQuery,
  'search' | 'field' | 'ignoreCase' | 'service' | 'presence' | 'group' | 'carrier' | 'expiration' | 'zone'
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
 * The filters as conditions on `devices d`.
 * @throws DomainError `request.invalid` for an unknown zone or field, or a text no column can hold
 */
export function deviceConditions(scope: Scope, filters: DeviceFilters, day: SubscriptionDay, now: Date): Fragment[] {
  const { service, presence, group, carrier, expiration } = filters;
  const conditions: Fragment[] = [];
  if (service !== undefined) conditions.push(subscriptionIs(service, day));
  if (presence !== undefined) conditions.push(sql`d.presence = ${presence}`);
  if (group !== undefined && group !== '') conditions.push(sql`d.group_key = ${normalizeGroupKey(searchable(group, 'group'))}`);
  if (carrier !== undefined && carrier !== '') conditions.push(sql`d.carrier = ${searchable(carrier, 'carrier')}`);
  if (expiration !== undefined) {
    const { from, to } = daysOf(expiration, filters.zone ?? 'UTC', now);
    conditions.push(sql`d.expires_on between ${from}::date and ${to}::date`);
  }
  return [...conditions, ...searchOf(filters, searchFields(scope))];
}

const searchFields = (scope: Scope): SearchFields<DeviceFilters['field']> => ({
  serial: sql`d.serial`,
  vehicle: sql`d.vehicle_number`,
  config: sql`d.config`,
  note: sql`d.note`,
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
