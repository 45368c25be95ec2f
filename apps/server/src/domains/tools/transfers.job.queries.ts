// Reads tables of other domains: devices.
// For routers, which know a secret and have no scope.
import { tools } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A one-time address that a router may use now. */
export interface OpenTransfer extends Row<'tool_runs', 'organization_id' | 'router_id' | 'tool' | 'input'> {}

/** The device must still be of the organization that requested the transfer. */
const isOwn = (hash: Buffer) => sql`r.address_hash = ${hash}::bytea and exists (select from devices d
    where d.organization_id = r.organization_id and d.id = r.device_id and d.router_id = r.router_id and d.archived_at is null)`;

const isRunning = (hash: Buffer, now: Date) => sql`${isOwn(hash)} and r.state = 'running' and r.ends_by > ${now}::timestamptz`;

/** The transfer of an address that was not used yet, or whose file was kept: a router repeats it if the answer was lost. @param hash SHA-256 of its secret */
export async function findTransfer(queries: Queries, hash: Buffer, now: Date): Promise<OpenTransfer | undefined> {
  const { rows } = await sql<OpenTransfer>`select r.organization_id, r.router_id, r.tool, r.input from tool_runs r
    where ${isRunning(hash, now)} and (r.address_used_at is null or r.file_sha256 is not null)`.execute(queries);
  return rows[0];
}

/** Use an address up. @returns whether it was unused */
export async function claimTransfer(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`update tool_runs r set address_used_at = ${now}::timestamptz
    where ${isRunning(hash, now)} and r.address_used_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Keep what a router sent, which uses its address up. @returns whether it is kept: now, or since the router sent the same before */
export async function storeFile(
  tx: Tx,
  hash: Buffer,
  { contents, sha256 }: { readonly contents: Buffer; readonly sha256: string },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`with run as (
      update tool_runs r set address_used_at = ${now}::timestamptz, file_bytes = ${contents.length}, file_sha256 = ${sha256}
      where ${isOwn(hash)} and r.address_used_at is null returning organization_id, id
    ) insert into tool_files (organization_id, run_id, contents, created_at)
      select organization_id, id, ${contents}::bytea, ${now}::timestamptz from run`.execute(tx);
  if (numAffectedRows === 1n) return true;
  const { rows } = await sql`select from tool_runs r where ${isOwn(hash)} and r.file_sha256 = ${sha256}`.execute(tx);
  return rows.length > 0;
}

/** Bytes that the captures and logs of all organizations have at most which have not ended. */
export async function countFileBytes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
      coalesce(sum(case tool when 'log' then ${tools.MAX_LOG_BYTES} else (input ->> 'bytes')::bigint end), 0)::float8 as bytes
    from tool_runs where state = 'running' and tool in ('capture', 'log')`.execute(tx);
  return rows[0]!.bytes;
}
