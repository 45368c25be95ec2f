import { sql } from 'kysely';
import { isId, type OrganizationScope } from '../../kernel/index.ts';
import { allOf, type Fragment } from '../../platform/listing/index.ts';
import type { Tx, Row } from '../../platform/ports/index.ts';
import { lockRoutersInOrder } from '../inventory/index.ts';
import { subscriptionIs, type SubscriptionDay } from '../subscriptions/index.ts';

/** A living device that is locked for a move. */
export interface LockedMember extends Row<'devices', 'id' | 'serial' | 'group_key'> {
  /** Its subscription has begun and not ended: it may go into a group. */
  readonly subscribed: boolean;
}

// Each statement is planned for its own values, so that `= any` of 50,000 uses a hash where no index helps. In a join with a list
// of values, just imported devices without statistics may be compared with every value.

const living = (scope: OrganizationScope): Fragment =>
  sql`d.organization_id = ${scope.organizationId}::uuid and d.archived_at is null`;

/**
 * Ids of living devices of the organization, by ids or serial numbers.
 * @returns an id for each name, in their order; undefined for an unknown device
 */
export async function resolveDevices(
  tx: Tx,
  scope: OrganizationScope,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const ids = names.filter(isId);
  const serials = names.filter((name) => !isId(name));
  const { rows } = await sql<{ id: string; serial: string }>`
    select d.id, d.serial from devices d where ${living(scope)} and d.id = any (${ids}::uuid[])
    union all
    select d.id, d.serial from devices d where ${living(scope)} and d.serial = any (${serials}::text[])`.execute(tx);
  const found = new Map<string, string>();
  for (const { id, serial } of rows) found.set(id, id).set(serial, id);
  return names.map((name) => found.get(isId(name) ? name.toLowerCase() : name));
}

/** Ids of the living devices of a group. */
export async function listMemberIds(tx: Tx, scope: OrganizationScope, key: string): Promise<string[]> {
  const { rows } = await sql<Row<'devices', 'id'>>`
    select d.id from devices d where ${living(scope)} and d.group_key = ${key}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Lock devices with their routers, each in the order of their ids: two moves of the same devices, and router events at the same
 * time, wait for each other without a deadlock.
 */
export async function lockDevices(
  tx: Tx,
  scope: OrganizationScope,
  ids: readonly string[],
  day: SubscriptionDay,
): Promise<LockedMember[]> {
  return lockWhere(tx, scope, sql`d.id = any (${[...ids]}::uuid[])`, day);
}

/** As `lockDevices`, but for all devices of groups. */
export async function lockMembers(
  tx: Tx,
  scope: OrganizationScope,
  keys: readonly string[],
  day: SubscriptionDay,
): Promise<LockedMember[]> {
  return lockWhere(tx, scope, sql`d.group_key = any (${[...keys]}::text[])`, day);
}

async function lockWhere(tx: Tx, scope: OrganizationScope, which: Fragment, day: SubscriptionDay): Promise<LockedMember[]> {
  const where = allOf([living(scope), which]);
  const { rows: routers } = await sql<{ id: string }>`select d.router_id as id from devices d where ${where}`.execute(tx);
  await lockRoutersInOrder(
    tx,
    scope,
    routers.map(({ id }) => id),
  );
  const { rows } = await sql<LockedMember>`
    select d.id, d.serial, d.group_key, not ${subscriptionIs('not-subscribed', day)} as subscribed
    from devices d where ${where} order by d.id for no key update of d`.execute(tx);
  // Sorted for readers, and so that a log entry's digest does not depend on the order.
  return rows.sort((a, b) => (a.serial < b.serial ? -1 : 1));
}

/** Rows per statement: a device is in some twenty indexes, and no statement may reach its time limit. */
const BATCH = 10_000;

/** Put locked devices into a group and increment their versions. */
export async function setGroup(tx: Tx, scope: OrganizationScope, ids: readonly string[], key: string, now: Date): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH)
    await sql`update devices d set group_key = ${key}, version = d.version + 1, updated_at = ${now}::timestamptz
      where ${living(scope)} and d.id = any (${ids.slice(start, start + BATCH)}::uuid[])`.execute(tx);
}
