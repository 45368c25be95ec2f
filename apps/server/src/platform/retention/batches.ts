import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Database, Tx } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** What a statement says that deletes rows. */
interface Deleted {
  readonly numAffectedRows?: bigint | undefined;
}

/**
 * Repeat a deletion of at most `batch` rows, each in a transaction of its own, until there are fewer. After an interruption the next run of a job
 * continues.
 * @returns how many rows were deleted
 */
export async function deleteInBatches(
  database: Pick<Database, 'write'>,
  batch: number,
  remove: (tx: Tx) => Promise<Deleted>,
): Promise<number> {
  for (let deleted = 0; ;) {
    const { numAffectedRows = 0n } = await database.write(remove);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batch) return deleted;
  }
}

/** Rows of an organization that are deleted in one transaction. */
const ROWS = 10_000;

/** Delete all rows of an organization that is being purged in these tables, one after another, in batches (ORG-02). */
export async function purgeTables(
  database: Pick<Database, 'write'>,
  { organizationId }: OrganizationScope,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  for (const name of tables) {
    const table = sql.table(name);
    // Of a table with partitions other rows can have the same `ctid`.
    await deleteInBatches(database, ROWS, (tx) =>
      sql`delete from ${table} t where t.organization_id = ${organizationId}::uuid and t.ctid = any (array(
        select f.ctid from ${table} f where f.organization_id = ${organizationId}::uuid limit ${ROWS}))`.execute(tx),
    );
  }
}

/** The same in one transaction, of tables with few rows. */
export async function purgeLastTables(
  tx: Tx,
  { organizationId }: OrganizationScope,
  tables: readonly (keyof Tables)[],
): Promise<void> {
  for (const name of tables)
    await sql`delete from ${sql.table(name)} where organization_id = ${organizationId}::uuid`.execute(tx);
}
