import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { MainScope } from '../../kernel/scope.ts';
import { devicesOf } from './device.filters.ts';
import type { Located } from './devices.moved.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A living device that is being transferred to another organization. */
export type TransferableDevice = Located & Row<'devices', 'router_id' | 'serial'>;

// One parameter per value instead of a join with a list of values: just imported devices have no statistics, and the join would
// compare each of them with every value.

/** Living devices of the main account by their serial numbers. */
export async function findBySerials(tx: Tx, scope: MainScope, serials: readonly string[]): Promise<TransferableDevice[]> {
  const { rows } = await sql<TransferableDevice>`
    select d.id, d.organization_id, d.group_key, d.router_id, d.serial from devices d
    where ${devicesOf(scope)} and d.serial = any (${[...serials]}::text[])`.execute(tx);
  return rows;
}

/** Lock living devices in the order of their ids. */
export async function lockForTransfer(tx: Tx, scope: MainScope, ids: readonly string[]): Promise<TransferableDevice[]> {
  const { rows } = await sql<TransferableDevice>`
    select d.id, d.organization_id, d.group_key, d.router_id, d.serial from devices d
    where ${devicesOf(scope)} and d.id = any (${[...ids]}::uuid[]) order by d.id for update`.execute(tx);
  return rows;
}

/** Rows per statement: a device is in some twenty indexes, and no statement may reach its time limit. */
const BATCH = 5_000;

/**
 * Put locked devices into the default group of another organization and increment their versions. Tags stay behind: who is limited to one there
 * would see vehicles that no one there has tagged (IAM-04).
 */
export async function moveToOrganization(
  tx: Tx,
  scope: MainScope,
  ids: readonly string[],
  organizationId: string,
  now: Date,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH)
    await sql`update devices d set organization_id = ${organizationId}::uuid, group_key = ${DEFAULT_GROUP_KEY}, tags = '{}',
        version = d.version + 1, updated_at = ${now}::timestamptz
      where ${devicesOf(scope)} and d.id = any (${ids.slice(start, start + BATCH)}::uuid[])`.execute(tx);
}

/** Names of organizations of the main account. */
export async function namesOf(tx: Tx, scope: MainScope, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
