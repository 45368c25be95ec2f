import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import { allOf, defineList, manyOf, type Reader } from '../../platform/listing/index.ts';
import { deviceConditions, devicesOf } from './device.filters.ts';
import { deviceSegments, table } from './device.orders.ts';
import { deviceJoins, deviceColumns, type DeviceRow, type EvaluationContext } from './device.dto.ts';
import { subscriptionDay } from '../subscriptions/index.ts';

/**
 * The devices of a scope, filtered and sorted (DEV-01, DEV-02, OGL-01, OGL-02).
 * @param also count how many of them are online
 */
export function deviceList<Item>({ now, expiringDays }: EvaluationContext, toDto: (row: DeviceRow) => Item, also?: 'online') {
  const day = subscriptionDay(now, expiringDays);
  return defineList({
    of(scope: Scope, query: devices.DeviceListQuery) {
      const filters = deviceConditions(scope, query, day, now);
      const matching = allOf([devicesOf(scope), ...filters]);
      const online = sql`select count(*)::int as total, (count(*) filter (where d.presence = 'online'))::int as online
        from devices d where ${matching}`;
      return {
        name: 'devices',
        dependsOn: [day, also],
        table,
        alias: 'd',
        identity: ['organization_id', 'id'],
        scope: devicesOf(scope),
        filters,
        columns: deviceColumns,
        joins: deviceJoins,
        segments: deviceSegments(scope, query.sort ?? 'serial', day),
        ...(also === undefined ? {} : { count: online }),
      };
    },
    toDto,
  });
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
