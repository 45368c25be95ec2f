import { type reports, normalizeGroupKey } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { allOf, searchable, type Fragment } from '../../platform/listing/index.ts';
import { catalogue, findProperty, type CataloguedProperty } from './property.catalogue.ts';
import type { TimeRange } from './time-range.ts';

/** A query for records. */
export interface RecordQuestion {
  /** Identifies this query among those of the organization, for any time range. */
  readonly key: string;
  readonly range: TimeRange;
  /** An empty list finds nothing. */
  readonly properties: readonly CataloguedProperty[];
  /** Condition on `devices d`: the organization's own, including archived ones, narrowed by the query. */
  readonly devices: Fragment;
  /** Condition on `groups g`: the groups of the query, whose tags choose its windows (RPT-03). */
  readonly groups: Fragment;
  readonly value: ValueCondition;
}

/** How values are compared. */
export type ValueCondition =
  | { readonly kind: 'any' }
  /** The value as the API writes it, as text (RPT-01). */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'more' | 'less'; readonly than: number };

/** The devices of a query. */
export interface DevicesInput {
  readonly group?: string | undefined;
  readonly device?: string | undefined;
  /** A group's key or a device's id. */
  readonly id?: string | undefined;
}

/**
 * Convert an API query. Ids of other organizations find nothing (RPT-01).
 * @throws DomainError `request.invalid` for texts that no column can hold
 */
export function questionOf(scope: OrganizationScope, query: reports.RecordQuery, range: TimeRange): RecordQuestion {
  const { property = '', value = '' } = query;
  const known = findProperty(property);
  return {
    key: JSON.stringify([query.group ?? '', query.device ?? '', query.id ?? '', property, value]),
    range,
    properties: property === '' ? catalogue : known === undefined ? [] : [known],
    devices: requestedDevices(scope, query),
    groups: requestedGroups(scope, query),
    value: value === '' ? { kind: 'any' } : { kind: 'text', text: searchable(value, 'value') },
  };
}

/**
 * Condition on `devices d`, part of every read of records. Archived devices have their records from before they were archived.
 */
export function requestedDevices(scope: OrganizationScope, { group = '', device = '', id = '' }: DevicesInput): Fragment {
  const conditions = [sql`d.organization_id = ${scope.organizationId}::uuid`];
  if (group !== '') conditions.push(inGroup(group, 'group'));
  if (device !== '') conditions.push(isDevice(device));
  if (id !== '') conditions.push(sql`(${inGroup(id, 'id')} or ${isDevice(id)})`);
  return allOf(conditions);
}

/** Condition on `groups g`: the named group, or that of the named device; none if the query covers all. */
export function requestedGroups(scope: OrganizationScope, { group = '', device = '', id = '' }: DevicesInput): Fragment {
  const keys = [group, id].filter((key) => key !== '').map((key) => normalizeGroupKey(searchable(key, 'group')));
  const ids = [device, id].filter(isId);
  return sql`g.organization_id = ${scope.organizationId}::uuid and (g.key = any (${keys}::text[]) or g.key in (
    select d.group_key from devices d where d.organization_id = ${scope.organizationId}::uuid and d.id = any (${ids}::uuid[])))`;
}

function inGroup(key: string, field: string): Fragment {
  return sql`d.group_key = ${normalizeGroupKey(searchable(key, field))}`;
}

function isDevice(id: string): Fragment {
  return isId(id) ? sql`d.id = ${id}::uuid` : sql`false`;
}
