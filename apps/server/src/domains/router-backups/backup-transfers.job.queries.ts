// Reads tables of other domains: devices, organizations, routers, sent_commands.
// For routers, which know a secret and have no scope, and for the commands that give it to them.
import { sql, type Insertable } from 'kysely';
import type { Actor } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row, Tables } from '../../platform/ports/tables.ts';

/** The address of a command, as its router may use it now. */
export interface OpenBackup
  extends
    Row<'router_backup_transfers', 'organization_id' | 'command_id' | 'device_id' | 'router_id' | 'backup_id' | 'received_at'>,
    Row<'organizations', 'main_account_id'> {
  readonly serial: string;
  readonly model: string;
  readonly firmware: string | null;
  readonly config: string | null;
  readonly actor: Actor;
}

/** Its command has not ended, and the device still has this router. @param hash SHA-256 of the secret in the address */
export async function findOpenBackup(queries: Queries, hash: Buffer): Promise<OpenBackup | undefined> {
  const { rows } =
    await sql<OpenBackup>`select t.organization_id, t.command_id, t.device_id, t.router_id, t.backup_id, t.received_at,
      o.main_account_id, d.serial, coalesce(r.model, '') as model, d.firmware, d.config, c.actor
    from router_backup_transfers t
      join sent_commands c on c.id = t.command_id and c.state in ('sent', 'running')
      join devices d on d.organization_id = t.organization_id and d.id = t.device_id and d.router_id = t.router_id and d.archived_at is null
      join organizations o on o.id = t.organization_id
      left join routers r on r.id = t.router_id
    where t.address_hash = ${hash}::bytea`.execute(queries);
  return rows[0];
}

/** Note a new address of a command. @returns whether its device still has this router */
export async function insertTransfer(
  tx: Tx,
  transfer: Pick<OpenBackup, 'command_id' | 'device_id' | 'router_id' | 'backup_id' | 'organization_id'>,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into router_backup_transfers
      (address_hash, organization_id, command_id, device_id, router_id, backup_id, created_at)
    select ${hash}::bytea, d.organization_id, ${transfer.command_id}::uuid, d.id, d.router_id, ${transfer.backup_id}::uuid,
      ${now}::timestamptz
    from devices d where d.organization_id = ${transfer.organization_id}::uuid and d.id = ${transfer.device_id}::uuid
      and d.router_id = ${transfer.router_id}::uuid and d.archived_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Note that the file of an address arrived. @returns whether it is the first time */
export async function markReceived(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`update router_backup_transfers set received_at = ${now}::timestamptz
    where address_hash = ${hash}::bytea and received_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Where a router keeps its configuration, with the final dot; null = it never reported one. */
export async function findConfigSlot(queries: Queries, routerId: string): Promise<string | null> {
  const { rows } = await sql<{ slot: string | null }>`select reported ->> 'config_slot' as slot from routers
    where id = ${routerId}::uuid`.execute(queries);
  return rows[0]?.slot ?? null;
}

/** The version that a command restores, while its device has a router of the same model. */
export async function findRestored(
  queries: Queries,
  {
    organization_id: organizationId,
    device_id: deviceId,
    backup_id: id,
  }: Pick<OpenBackup, 'organization_id' | 'device_id' | 'backup_id'>,
): Promise<Row<'router_backups', 'id' | 'name' | 'bytes' | 'sha256' | 'sealed'> | undefined> {
  const { rows } = await sql<Row<'router_backups', 'id' | 'name' | 'bytes' | 'sha256' | 'sealed'>>`
    select b.id, b.name, b.bytes, b.sha256, b.sealed from router_backups b
      join devices d on d.organization_id = b.organization_id and d.id = b.device_id
      join routers r on r.id = d.router_id and r.model = b.model
    where b.organization_id = ${organizationId}::uuid and b.device_id = ${deviceId}::uuid and b.id = ${id}::uuid`.execute(
    queries,
  );
  return rows[0];
}

/** The newest version of a device, locked. */
export async function lockNewest(
  tx: Tx,
  { organization_id: organizationId, device_id: deviceId }: Pick<OpenBackup, 'organization_id' | 'device_id'>,
): Promise<Row<'router_backups', 'id' | 'sha256' | 'model'> | undefined> {
  const { rows } = await sql<Row<'router_backups', 'id' | 'sha256' | 'model'>>`select id, sha256, model from router_backups
    where organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid order by id desc limit 1 for update`.execute(
    tx,
  );
  return rows[0];
}

export type NewBackup = Omit<Insertable<Tables['router_backups']>, 'created_at' | 'confirmed_at'>;

/** Store a version. */
export async function insertBackup(tx: Tx, backup: NewBackup, now: Date): Promise<void> {
  await tx
    .insertInto('router_backups')
    .values({ ...backup, created_at: now, confirmed_at: now })
    .execute();
}

/** The router sent the same file again. */
export async function confirmBackup(tx: Tx, organizationId: string, id: string, now: Date): Promise<void> {
  await sql`update router_backups set confirmed_at = ${now}::timestamptz
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** Note when a device was backed up last; rows of one device are written in turn. */
export async function noteBackedUp(
  tx: Tx,
  { organization_id: organizationId, device_id: deviceId }: Pick<OpenBackup, 'organization_id' | 'device_id'>,
  now: Date,
): Promise<void> {
  await sql`insert into router_backup_states (organization_id, device_id, backed_up_at)
    values (${organizationId}::uuid, ${deviceId}::uuid, ${now}::timestamptz)
    on conflict (organization_id, device_id) do update set backed_up_at = excluded.backed_up_at`.execute(tx);
}

/** Delete the versions of a device beyond the newest ones. */
export async function deleteBeyond(
  tx: Tx,
  { organization_id: organizationId, device_id: deviceId }: Pick<OpenBackup, 'organization_id' | 'device_id'>,
  versions: number,
): Promise<void> {
  await sql`delete from router_backups where organization_id = ${organizationId}::uuid and id in (
    select id from router_backups where organization_id = ${organizationId}::uuid and device_id = ${deviceId}::uuid
    order by id desc offset ${versions})`.execute(tx);
}
