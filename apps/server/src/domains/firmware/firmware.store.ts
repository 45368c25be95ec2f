import { sql } from 'kysely';
import { natural } from '../../platform/listing/index.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import type { MainScope, Scope } from '../../kernel/scope.ts';

/** An image of the catalogue, as other modules need it. */
export interface FirmwareRecord extends Row<'firmware', 'id' | 'version' | 'sha256'> {
  /** Device model the image is for. */
  readonly profile: string;
  /** Bytes, with the trailer. */
  readonly size: number;
  /** Fingerprint of the key; null for an image without our trailer. */
  readonly signed_by: string | null;
}

export interface NewFirmware extends FirmwareRecord {
  readonly note: string;
  readonly file_name: string;
}

/** A group with an image bound, to name it in an error. */
export interface BoundGroup {
  readonly group: string;
  readonly groupName: string;
  readonly org: string;
  readonly orgName: string;
}

const record = ['id', 'version', 'profile', 'size', 'sha256', 'signed_by'] as const;

/** The image if it is this main account's. */
export async function selectFirmware(queries: Queries, scope: Scope, id: string): Promise<FirmwareRecord | undefined> {
  return queries
    .selectFrom('firmware')
    .select(record)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The same, locked against deletion until the transaction ends. */
export async function shareFirmware(tx: Tx, scope: Scope, id: string): Promise<FirmwareRecord | undefined> {
  return tx
    .selectFrom('firmware')
    .select(record)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
}

/** The same, locked against binding and deletion until the transaction ends. */
export async function lockFirmware(tx: Tx, scope: MainScope, id: string): Promise<FirmwareRecord | undefined> {
  return tx
    .selectFrom('firmware')
    .select(record)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** False when the catalogue already has this version for this model. */
export async function insertFirmware(tx: Tx, scope: MainScope, firmware: NewFirmware, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('firmware')
    .values({ ...firmware, main_account_id: scope.mainAccountId, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['main_account_id', 'profile', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this version for this model was uploaded before: versions are not replaced. */
export async function hasVersion(queries: Queries, scope: MainScope, profile: string, version: string): Promise<boolean> {
  const row = await queries
    .selectFrom('firmware')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('profile', '=', profile)
    .where('version', '=', version)
    .executeTakeFirst();
  return row !== undefined;
}

/** Groups of every organization that have it bound now, by name. */
export async function groupsBoundToFirmware(tx: Tx, scope: MainScope, id: string): Promise<BoundGroup[]> {
  return tx
    .selectFrom('bindings as b')
    .innerJoin('groups as g', (join) =>
      join.onRef('g.organization_id', '=', 'b.organization_id').onRef('g.key', '=', 'b.group_key'),
    )
    .innerJoin('organizations as o', 'o.id', 'b.organization_id')
    .select(['g.key as group', 'g.name as groupName', 'o.id as org', 'o.name as orgName'])
    .where('b.firmware_id', '=', id)
    .where('b.ended_at', 'is', null)
    .where('o.main_account_id', '=', scope.mainAccountId)
    .orderBy(natural(sql`o.name`))
    .orderBy(natural(sql`g.name`))
    .execute();
}

/** Delete an image without active bindings, with the history of its bindings. */
export async function deleteFirmware(tx: Tx, scope: MainScope, id: string): Promise<void> {
  await tx.deleteFrom('bindings').where('firmware_id', '=', id).where('ended_at', 'is not', null).execute();
  await tx.deleteFrom('firmware').where('main_account_id', '=', scope.mainAccountId).where('id', '=', id).execute();
}

/**
 * Uploads hold it shared while they name a blob, the sweep holds it alone: no blob is deleted between being found and being
 * named.
 */
const BLOBS_LOCK = sql`hashtextextended('highline firmware blobs', 0)`;

/** Until the end of the transaction the sweep deletes no blob that a row is about to name. */
export async function shareBlobs(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${BLOBS_LOCK})`.execute(tx);
}

/** Names of all blobs in any catalogue, of every main account; no other transaction names one until this one ends. */
export async function lockNamedBlobs(tx: Tx): Promise<Set<string>> {
  await sql`select pg_advisory_xact_lock(${BLOBS_LOCK})`.execute(tx);
  const rows = await tx.selectFrom('firmware').select('sha256').distinct().execute();
  return new Set(rows.map(({ sha256 }) => sha256.toString('hex')));
}
