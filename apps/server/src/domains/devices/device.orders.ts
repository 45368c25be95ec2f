import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import { nameSortKey, sorted, type Fragment, type KeyKind, type Segment, type SortKey } from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { SubscriptionDay } from '../subscriptions/index.ts';
import { devicesWithDiagnosis, hasDiagnosis } from './device-diagnosis.queries.ts';
import { devicesCounted } from './device.filters.ts';

/** The table that device lists are read from. */
export const table = sql`devices d`;

function key(column: string, kind: KeyKind = 'text'): SortKey {
  return { column: sql.ref(`d.${column}`), kind };
}

const serial = key('serial');
const id = key('id', 'uuid');
const expires = key('expires_on', 'day');

/** A column with the keys of its index, and whether it may be unset because the router never reported it. */
interface Column {
  readonly keys: readonly SortKey[];
  readonly nullable?: Fragment;
  /** The index order is the reverse of the displayed order: the longest uptime has the earliest start. */
  readonly reversed?: boolean;
  /** As in a segment. */
  readonly isByGroup?: boolean;
}

type SegmentsOf = (scope: Scope, descending: boolean, day: SubscriptionDay, isWhole: boolean) => Segment[];

const columns: Record<devices.DeviceSort, Column | SegmentsOf> = {
  serial: { keys: [serial, id], isByGroup: true },
  vehicle: { keys: [nameSortKey(sql.ref('d.vehicle_number')), serial, id] },
  model: { keys: [key('model'), serial, id], nullable: sql.ref('d.model') },
  uptime: { keys: [key('up_since', 'instant'), id], nullable: sql.ref('d.up_since'), reversed: true },
  firmware: { keys: [key('firmware'), serial, id], nullable: sql.ref('d.firmware') },
  config: { keys: [key('config'), serial, id], nullable: sql.ref('d.config') },
  carrier: { keys: [key('carrier'), key('presence'), serial, id], nullable: sql.ref('d.carrier') },
  presence: { keys: [key('presence'), serial, id] },
  expires: { keys: [expires, serial, id], nullable: sql.ref('d.expires_on') },
  health: { keys: [key('health', 'number'), serial, id], nullable: sql.ref('d.health') },
  service: serviceSegments,
  group: groupSegments,
  diagnosis: diagnosisSegments,
  organization: organizationSegments,
};

/**
 * How a sorted device list is read, segment by segment (listing/order.ts). Rows without a value come last in both directions.
 * @param isWhole the list has no filters
 */
export function deviceSegments(scope: Scope, sort: string, day: SubscriptionDay, isWhole: boolean): Segment[] {
  const { value: column, descending } = sorted(sort, columns);
  return typeof column === 'function' ? column(scope, descending, day, isWhole) : columnSegments(column, descending);
}

function columnSegments({ keys, nullable, reversed = false, isByGroup = false }: Column, descending: boolean): Segment[] {
  const direction = descending !== reversed;
  if (nullable === undefined) return [{ from: table, keys, descending: direction, isByGroup }];
  return [
    { from: table, where: sql`${nullable} is not null`, keys, descending: direction },
    { from: table, where: sql`${nullable} is null`, keys: nullKeys(keys), descending: direction, lead: nullable },
  ];
}

/** Within the rows without a value, the other keys of the same index. */
function nullKeys(keys: readonly SortKey[]): readonly SortKey[] {
  return keys.slice(1);
}

/** Subscribed, expiring, not begun, ended, never: within each, the latest end first, as one walk along the expiry days. */
function serviceSegments(_: Scope, descending: boolean, { today, safeFrom }: SubscriptionDay): Segment[] {
  const begun = sql`d.started_on <= ${today}::date`;
  const slices: readonly (readonly [Fragment, readonly SortKey[]])[] = [
    [sql`${begun} and d.expires_on >= ${safeFrom}::date`, [expires, serial, id]],
    [sql`${begun} and d.expires_on >= ${today}::date and d.expires_on < ${safeFrom}::date`, [expires, serial, id]],
    [sql`d.started_on > ${today}::date and d.expires_on >= ${today}::date`, [expires, serial, id]],
    [sql`d.expires_on < ${today}::date`, [expires, serial, id]],
    [sql`d.expires_on is null`, [serial, id]],
  ];
  const lead = expires.column;
  const segments = slices.map(([where, keys]) => ({
    from: table,
    where,
    keys,
    descending: !descending,
    ...(keys[0] === expires ? {} : { lead }),
  }));
  return descending ? segments.reverse() : segments;
}

/** What the whole list is read from, in one statement, where that is not the first segment. */
export function wholeOf(sort: string): Fragment | undefined {
  return sort.endsWith('diagnosis') ? devicesWithDiagnosis('left') : undefined;
}

/** Those of which something was found, the most urgent first, in the order of an index of their own; then all others. */
function diagnosisSegments(_: Scope, descending: boolean): Segment[] {
  const found: Segment = {
    from: devicesWithDiagnosis('inner'),
    where: hasDiagnosis,
    keys: [
      { column: sql.ref('x.number'), kind: 'number' },
      { column: sql.ref('x.device_id'), kind: 'uuid' },
      // Those of all others, which the whole list ends with.
      serial,
      id,
    ],
    descending,
  };
  return [found, { from: table, where: sql`not ${hasDiagnosis}`, keys: [serial, id], descending }];
}

/** Group names are unique in an organization, so that a list of one is read group by group. */
function groupSegments(scope: Scope, descending: boolean, _: SubscriptionDay, isWhole: boolean): Segment[] {
  const name = nameSortKey(sql`g.name`);
  const on = sql`d.organization_id = g.organization_id and d.group_key = g.key`;
  const segment = { from: sql`groups g join devices d on ${on}`, keys: [name, serial, id], descending };
  // Over all organizations one name matches many groups: such a list is sorted as a whole; no screen needs it.
  if (scope.kind === 'main') return [segment];
  const outerWhere = sql`g.organization_id = ${scope.organizationId}::uuid`;
  const total = sql`select coalesce(sum(c.devices), 0)::int as total from device_counts c
    where ${devicesCounted(scope)} and c.group_key = g.key`;
  const nested = { outer: sql`groups g`, outerWhere, outerKeys: 1, inner: table, on, ...(isWhole ? { total } : {}) };
  return [{ ...segment, nested }];
}

function organizationSegments(scope: Scope, descending: boolean): Segment[] {
  if (scope.kind === 'organization') return [{ from: table, keys: [serial, id], descending }];
  const on = sql`d.organization_id = o.id`;
  const segment: Segment = {
    from: sql`organizations o join devices d on ${on}`,
    keys: [nameSortKey(sql`o.name`), { column: sql.ref('o.id'), kind: 'uuid' }, serial, id],
    descending,
    nested: {
      outer: sql`organizations o`,
      outerWhere: sql`o.main_account_id = ${scope.mainAccountId}::uuid`,
      outerKeys: 2,
      inner: table,
      innerScope: sql`d.archived_at is null`,
      on,
    },
  };
  return [segment];
}
