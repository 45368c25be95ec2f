// Reads tables of other domains: devices.
// For routers, which know a secret and have no scope.
import { tools } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A one-time address that a router may use now. */
export interface OpenTransfer extends Row<'tool_runs', 'organization_id' | 'id' | 'router_id' | 'tool' | 'input'> {}

/** The device must still be of the organization that requested the transfer. */
const isOpen = (
  hash: Buffer,
  now: Date,
) => sql`r.address_hash = ${hash}::bytea and r.state = 'running' and r.address_used_at is null
  and r.ends_by > ${now}::timestamptz and exists (select from devices d where d.organization_id = r.organization_id
    and d.id = r.device_id and d.router_id = r.router_id and d.archived_at is null)`;

/** The transfer of an address that was not used yet. @param hash SHA-256 of its secret */
export async function findTransfer(queries: Queries, hash: Buffer, now: Date): Promise<OpenTransfer | undefined> {
  const { rows } = await sql<OpenTransfer>`select r.organization_id, r.id, r.router_id, r.tool, r.input from tool_runs r
    where ${isOpen(hash, now)}`.execute(queries);
  return rows[0];
}

/** Use an address up. @returns whether it was unused */
export async function claimTransfer(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update tool_runs r set address_used_at = ${now}::timestamptz where ${isOpen(hash, now)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Keep what a router sent. */
export async function storeFile(
  tx: Tx,
  { organization_id: organizationId, id }: OpenTransfer,
  { contents, sha256 }: { readonly contents: Buffer; readonly sha256: string },
  now: Date,
): Promise<void> {
  await sql`with run as (
      update tool_runs set file_bytes = ${contents.length}, file_sha256 = ${sha256}
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid returning organization_id, id
    ) insert into tool_files (organization_id, run_id, contents, created_at)
      select organization_id, id, ${contents}::bytea, ${now}::timestamptz from run on conflict do nothing`.execute(tx);
}

/** Bytes that the captures and logs of all organizations have at most which have not ended. */
export async function countFileBytes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
      coalesce(sum(case tool when 'log' then ${tools.MAX_LOG_BYTES} else (input ->> 'bytes')::bigint end), 0)::float8 as bytes
    from tool_runs where state = 'running' and tool in ('capture', 'log')`.execute(tx);
  return rows[0]!.bytes;
}
