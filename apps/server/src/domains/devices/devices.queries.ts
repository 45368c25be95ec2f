import { type devices, nameKey } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { allOf, defineList, manyOf, natural, type Fragment, type Reader } from '../../platform/listing/index.ts';
import { attentionConditions } from './attention-conditions.queries.ts';
import { countedDevices, deviceConditions, devicesOf, type DeviceFilters } from './device.filters.ts';
import { deviceSegments, table, wholeOf } from './device.orders.ts';
import { deviceJoins, deviceColumns, type DeviceRow, type EvaluationContext } from './device.dto.ts';
import { storedTags } from './device.tags.ts';
import { subscriptionDay, type SubscriptionDay } from '../subscriptions/index.ts';

/**
 * The devices of a scope, filtered and sorted (DEV-01, DEV-02, OGL-01, OGL-02).
 * @param also count how many of them are online
 */
export function deviceList<Item>({ now, expiringDays }: EvaluationContext, toDto: (row: DeviceRow) => Item, also?: 'online') {
  const day = subscriptionDay(now, expiringDays);
  return defineList({
    of(scope: Scope, query: devices.DeviceListQuery & Pick<DeviceFilters, 'devices'>) {
      const filters = filtersOf(scope, query, day, now);
      const matching = allOf([devicesOf(scope), ...filters]);
      const counted = countedDevices(scope, query, also);
      const online = sql`select count(*)::int as total, (count(*) filter (where d.presence = 'online'))::int as online
        from devices d where ${matching}`;
      const whole = wholeOf(query.sort ?? 'serial');
      const count = counted ?? (also === undefined ? undefined : online);
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
        group: sql.ref('d.group_key'),
        segments: deviceSegments(scope, query.sort ?? 'serial', day, filters.length === 0),
        estimatable: query.search === undefined || query.search === '',
        ...(count === undefined ? {} : { count }),
        ...(whole === undefined ? {} : { whole }),
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

/** How many of these are living devices of the scope. */
export async function countDevices(reader: Reader, scope: Scope, ids: readonly string[]): Promise<number> {
  const [row] = await reader.rows<{ count: number }>(sql`select count(*)::int as count from devices d
    where ${devicesOf(scope)} and d.id = any (${[...ids]}::uuid[])`);
  return row!.count;
}

/** The tags of living devices of the scope with the numbers of their devices, in alphabetical order; at most the `limit` most used. */
export async function listTags(reader: Reader, scope: Scope, limit: number): Promise<{ tag: string; devices: number }[]> {
  return reader.rows(sql`select * from (
      select t.tag collate "C" as tag, count(*)::int as devices from devices d cross join unnest(d.tags) as t (tag)
      where ${devicesOf(scope)} and d.tags <> '{}' group by 1 order by 2 desc, 1 limit ${limit}
    ) most order by ${natural(sql`tag`)}`);
}

/** These tags as living devices of the scope have them, by the keys of their names; a new one is left out. */
export async function tagsInUse(queries: Queries, scope: Scope, tags: readonly string[]): Promise<Map<string, string>> {
  const used = sql`devices d cross join unnest(d.tags) as t (tag) where ${devicesOf(scope)} and d.tags <> '{}'`;
  const { rows: same } = await sql<{ tag: string }>`select distinct t.tag from ${used}
    and d.tags && ${[...tags]}::text[] and t.tag = any (${[...tags]}::text[])`.execute(queries);
  const found = new Map(same.map(({ tag }) => [nameKey(tag), tag]));
  const missing = tags.map((tag) => nameKey(tag)).filter((key) => !found.has(key));
  if (missing.length === 0) return found;
  // Seldom: no index has tags without case.
  const { rows: others } = await sql<{ tag: string }>`select u.tag from (select distinct t.tag from ${used}) u
    where name_key(u.tag) = any (${missing}::text[])`.execute(queries);
  for (const { tag } of others) found.set(nameKey(tag), tag);
  return found;
}

/** Typed tags in their stored form; one that devices already have is written as they have it. */
export async function tagsAsInUse(queries: Queries, scope: Scope, tags: readonly string[]): Promise<string[]> {
  if (tags.length === 0) return [];
  const used = await tagsInUse(queries, scope, tags);
  return storedTags(tags.map((tag) => used.get(nameKey(tag)) ?? tag));
}

/** The living devices of a scope that match a filter, as a condition on `devices d`. @throws DomainError `request.invalid` */
export function devicesMatching(scope: Scope, filters: DeviceFilters, expiringDays: number, at: Date): Fragment {
  return allOf([devicesOf(scope), ...filtersOf(scope, filters, subscriptionDay(at, expiringDays), at)]);
}

/** Every filter of a device list: what a list shows is what an action on all of it changes. */
function filtersOf(scope: Scope, filters: DeviceFilters, day: SubscriptionDay, now: Date): Fragment[] {
  return [...deviceConditions(scope, filters, day, now), ...attentionConditions(scope, filters, now)];
}
