import { devices } from '@highline/contract';
import { sql } from 'kysely';
import { isId } from '../../kernel/ids.ts';
import {
  allOf,
  fingerprint,
  manyOf,
  readCountedPage,
  sortOf,
  type List,
  type Cache,
  type Page,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { deviceConditions, devicesOf } from './device.filters.ts';
import { deviceSegments, table, wholeOrder } from './device.orders.ts';
import { deviceJoins, deviceColumns, type DeviceRow, type EvaluationContext } from './device.dto.ts';
import { subscriptionDay } from '../subscriptions/index.ts';

/** How many devices a filtered list contains, and how many of them are online. */
export interface DeviceTotals {
  readonly total: number;
  readonly online: number;
}

export interface DevicePage extends Page<DeviceRow>, DeviceTotals {}

/**
 * One page of the devices of a scope, filtered and sorted (DEV-01, DEV-02, OGL-01, OGL-02).
 * @throws DomainError `request.invalid` for a cursor of another list, or an unknown zone or field
 */
export async function pageDevices(
  reader: Reader,
  totals: Cache<DeviceTotals>,
  scope: Scope,
  query: devices.DeviceListQuery,
  limit: number,
  context: EvaluationContext,
): Promise<DevicePage> {
  const list = deviceList(scope, query, context);
  const count = totals.get(scope.mainAccountId, list.counted, () => countDevices(reader, list));
  const [page, counted] = await Promise.all([
    readCountedPage<DeviceRow>(
      reader,
      list,
      pagingOf(query, limit),
      count.then(({ total }) => total),
    ),
    count,
  ]);
  return { ...page, ...counted };
}

function pagingOf({ offset, cursor, around }: devices.DeviceListQuery, limit: number) {
  return {
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(around !== undefined && isId(around) ? { around: sql`d.id = ${around}::uuid` } : {}),
  };
}

interface DeviceList extends List {
  /** Identifies the counted list: its scope and filters. Sorts do not change it. */
  readonly counted: string;
}

function deviceList(scope: Scope, query: devices.DeviceListQuery, { now, expiringDays }: EvaluationContext): DeviceList {
  const day = subscriptionDay(now, expiringDays);
  const conditions = deviceConditions(scope, query, day, now);
  const { column, descending } = sortOf(query.sort, devices.deviceSorts, 'serial');
  const { search, field, ignoreCase, service, presence, group, carrier, expiration, zone } = query;
  const counted = JSON.stringify([
    scopeId(scope),
    search,
    field,
    ignoreCase,
    service,
    presence,
    group,
    carrier,
    expiration,
    zone,
    day,
  ]);
  return {
    counted,
    fingerprint: fingerprint(['devices', counted, column, descending]),
    table,
    alias: 'd',
    identity: ['organization_id', 'id'],
    scope: devicesOf(scope),
    filters: conditions,
    columns: deviceColumns,
    joins: deviceJoins,
    segments: deviceSegments(scope, column, descending, day),
    prepared: conditions.length === 0,
  };
}

function scopeId(scope: Scope): string {
  return scope.kind === 'main' ? `main ${scope.mainAccountId}` : scope.organizationId;
}

async function countDevices(reader: Reader, list: List): Promise<DeviceTotals> {
  const [row] = await reader.rows<DeviceTotals>(
    sql`select count(*)::int as total, (count(*) filter (where d.presence = 'online'))::int as online
      from devices d where ${allOf([list.scope, ...list.filters])}`,
    list.prepared,
  );
  return row!;
}

/** The whole filtered and sorted list, streamed from one snapshot. */
export function streamDevices(
  streams: RowStreams,
  scope: Scope,
  query: devices.DeviceListQuery,
  context: EvaluationContext,
): AsyncIterable<DeviceRow> {
  const list = deviceList(scope, query, context);
  const { from, orderBy } = wholeOrder(list.segments);
  return streams.open<DeviceRow>(
    sql`select ${deviceColumns} from ${from} ${deviceJoins} where ${allOf([list.scope, ...list.filters])} order by ${orderBy}`,
  );
}

/** A living device of the scope, or undefined; also for an invalid id. */
export async function findDevice(reader: Reader, scope: Scope, id: string): Promise<DeviceRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<DeviceRow>(
    sql`select ${deviceColumns} from devices d ${deviceJoins} where ${devicesOf(scope)} and d.id = ${id}::uuid`,
    true,
  );
  return row;
}

/** Living devices of the scope by their ids, in the order of the ids given. */
export async function findDevices(reader: Reader, scope: Scope, ids: readonly string[]): Promise<DeviceRow[]> {
  const rows = await reader.rows<DeviceRow>(
    sql`select ${deviceColumns} from devices d ${deviceJoins} where ${devicesOf(scope)} and d.id in ${manyOf(ids, 'uuid')}`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
