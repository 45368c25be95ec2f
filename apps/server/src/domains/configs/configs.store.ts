import { sql } from 'kysely';
import { manyOf, natural } from '../../platform/listing/index.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

/** A config file at one of its versions, as other modules need it. */
export interface ConfigRecord {
  readonly id: string;
  readonly name: string;
  /** Number of the version. */
  readonly number: number;
  /** Bytes and SHA-256 of its decrypted contents. */
  readonly size: number;
  readonly sha256: Buffer;
}

/**
 * @param number of the version; undefined = the newest
 * @param shared lock the file against deletion until the transaction ends
 */
export async function selectConfig(
  queries: Queries,
  scope: OrganizationScope,
  id: string,
  number: number | undefined,
  shared: boolean,
): Promise<ConfigRecord | undefined> {
  return queries
    .selectFrom('config_files as c')
    .innerJoin('config_versions as v', (join) =>
      join
        .onRef('v.organization_id', '=', 'c.organization_id')
        .onRef('v.config_id', '=', 'c.id')
        .on('v.number', '=', (eb) => (number === undefined ? eb.ref('c.current_version') : eb.val(number))),
    )
    .select(['c.id', 'c.name', 'v.number', 'v.size', 'v.sha256'])
    .where('c.organization_id', '=', scope.organizationId)
    .where('c.id', '=', id)
    .$if(shared, (query) => query.forKeyShare('c'))
    .executeTakeFirst();
}

/** One version's contents as stored, encrypted. */
export async function selectSealed(
  queries: Queries,
  scope: Pick<OrganizationScope, 'organizationId'>,
  id: string,
  number: number,
): Promise<Buffer | undefined> {
  const row = await queries
    .selectFrom('config_versions')
    .select('sealed')
    .where('organization_id', '=', scope.organizationId)
    .where('config_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.sealed;
}

export interface NextVersion extends Row<'config_files', 'id'> {
  readonly number: number;
}

/**
 * Create a file, or increment the version of the one with this name; it is locked until the transaction ends.
 * @param note undefined keeps the current one
 */
export async function nextVersion(
  tx: Tx,
  scope: OrganizationScope,
  file: { readonly id: string; readonly name: string; readonly note: string | undefined },
  now: Date,
): Promise<NextVersion> {
  const { rows } = await sql<NextVersion>`
    insert into config_files as c (organization_id, id, name, note, created_at, updated_at)
    values (${scope.organizationId}::uuid, ${file.id}::uuid, ${file.name}, ${file.note ?? ''}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (organization_id, name) do update set current_version = c.current_version + 1, version = c.version + 1,
      note = coalesce(${file.note ?? null}::text, c.note), updated_at = excluded.updated_at
    returning c.id, c.current_version as number`.execute(tx);
  return rows[0]!;
}

export interface NewContents extends NextVersion {
  readonly size: number;
  readonly sha256: Buffer;
  readonly sealed: Buffer;
  readonly by: string;
}

/** Add a version; earlier ones stay, because routers may be about to load one. */
export async function insertVersion(tx: Tx, scope: OrganizationScope, contents: NewContents, now: Date): Promise<void> {
  const { id, number, size, sha256, sealed, by } = contents;
  const values = { config_id: id, number, size, sha256, sealed, created_by: by, created_at: now };
  await tx
    .insertInto('config_versions')
    .values({ organization_id: scope.organizationId, ...values })
    .execute();
}

/** Delete versions before a number that no binding names, not even an ended one. */
export async function deleteVersionsBefore(tx: Tx, scope: OrganizationScope, id: string, number: number): Promise<void> {
  await sql`delete from config_versions v
    where v.organization_id = ${scope.organizationId}::uuid and v.config_id = ${id}::uuid and v.number < ${number}
      and not exists (select 1 from bindings b
        where b.organization_id = v.organization_id and b.config_id = v.config_id and b.config_number = v.number)`.execute(tx);
}

export type LockedConfig = Row<'config_files', 'id' | 'name' | 'note' | 'version'>;

/** Lock files in the order of their ids; until the transaction ends no other call binds, changes or deletes them. */
export async function lockConfigs(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<LockedConfig[]> {
  return tx
    .selectFrom('config_files')
    .select(['id', 'name', 'note', 'version'])
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', manyOf(ids, 'uuid'))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Change only the note: no new version of the contents. */
export async function updateNote(tx: Tx, scope: OrganizationScope, id: string, note: string, now: Date): Promise<void> {
  await tx
    .updateTable('config_files')
    .set((row) => ({ note, updated_at: now, version: row('version', '+', 1) }))
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** A group with a file bound, to name it in an error. */
export interface BoundGroup {
  readonly group: string;
  readonly groupName: string;
  /** Name of the file. */
  readonly config: string;
}

/** Groups that have one of these files bound now, by name. */
export async function groupsBoundToConfig(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<BoundGroup[]> {
  return tx
    .selectFrom('bindings as b')
    .innerJoin('groups as g', (join) =>
      join.onRef('g.organization_id', '=', 'b.organization_id').onRef('g.key', '=', 'b.group_key'),
    )
    .select(['g.key as group', 'g.name as groupName', 'b.label as config'])
    .where('b.organization_id', '=', scope.organizationId)
    .where('b.config_id', 'in', manyOf(ids, 'uuid'))
    .where('b.ended_at', 'is', null)
    .orderBy(natural(sql`g.name`))
    .execute();
}

/** Delete files without active bindings, with their versions and the history of their bindings. */
export async function deleteConfigs(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<void> {
  const chosen = manyOf(ids, 'uuid');
  await tx
    .deleteFrom('bindings')
    .where('organization_id', '=', scope.organizationId)
    .where('config_id', 'in', chosen)
    .where('ended_at', 'is not', null)
    .execute();
  await tx.deleteFrom('config_files').where('organization_id', '=', scope.organizationId).where('id', 'in', chosen).execute();
}
