import type { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { findFact, storeFact } from '../installation/facts.ts';

const CLUSTER = 'outbox_cluster';

/**
 * Rows of the outbox name transactions of their cluster. In a database that was restored from a dump they mean nothing, or ones that
 * are yet to come, so they are removed. A promoted replica is the same cluster.
 * @param client connected as the owner, while no other process migrates
 */
export async function removeForeignEvents(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ cluster: string }>('select system_identifier::text as cluster from pg_control_system()');
  const { cluster } = rows[0]!;
  const known = await findFact(client, CLUSTER);
  if (known === cluster) return;
  // Before this was recorded, only transactions that have not begun show a restore.
  const isForeign = known === undefined ? 'xid >= pg_snapshot_xmax(pg_current_snapshot())' : 'true';
  const { rowCount } = await client.query(`delete from outbox where ${isForeign}`);
  if (rowCount !== 0) log.info({ events: rowCount }, 'Events of another cluster were removed: this database was restored.');
  await storeFact(client, CLUSTER, cluster);
}
