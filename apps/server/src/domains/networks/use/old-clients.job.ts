import { forEachOrganization } from '../../../kernel/index.ts';
import type { Database, Tx } from '../../../platform/ports/database.ts';
import { deleteInBatches } from '../../../platform/retention/batches.ts';
import { deleteClientLists } from '../../router-state/index.ts';
import { closeOldCounters } from './days.job.queries.ts';
import { deleteDaysOfGone, deleteOldDays, listOrganizationsWithDays } from './use.job.queries.ts';

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
/** Of one transaction. */
const BATCH = { rows: 10_000, devices: 500 };

/**
 * Delete what organizations no longer keep of clients: days and lists that are older than they chose, everything where they keep nothing, and
 * days of devices that left the organization. The last day of a router that is not read any more is stored before its counters are deleted.
 * Each batch is a transaction; a part that fails delays no other.
 */
export async function deleteOldClients(database: Database, now: Date, most = BATCH): Promise<void> {
  const parts = [
    () => inPages(database, (tx, after) => closeOldCounters(tx, now, after)),
    async () =>
      forEachOrganization(
        await listOrganizationsWithDays(database.read),
        (id) => id,
        (id) => deleteInBatches(database, most.rows, (tx) => deleteOldDays(tx, id, now, most.rows)),
      ),
    () => inPages(database, (tx, after) => deleteDaysOfGone(tx, now, after, most.devices)),
    () => deleteInBatches(database, most.rows, (tx) => deleteClientLists(tx, now, most.rows)),
  ];
  const failures: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join(' '));
}

/** @param work returns where the next page begins; undefined = there is none */
async function inPages(database: Database, work: (tx: Tx, after: string) => Promise<string | undefined>): Promise<void> {
  for (let after: string | undefined = LEAST_ID; after !== undefined;) {
    const from: string = after;
    after = await database.write((tx) => work(tx, from));
  }
}
