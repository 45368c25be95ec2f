import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '../../ports/log.ts';

/** Another process holds the lock. */
const BUSY_PAUSE_MS = 200;
/** The holder is logged after so long, and then at each interval. */
const FIRST_MS = 2_000;
const AGAIN_MS = 60_000;

/**
 * Take an advisory lock, which the session holds until it unlocks it or ends, and log which session it waits for. It asks again and again: a
 * statement that waits would hold a snapshot, which `create index concurrently` of the holder waits for in turn.
 * @param lock SQL of its number
 * @param waiting what is logged while another session holds it
 */
export async function takeAdvisoryLock(client: Client, lock: string, log: Pick<Log, 'warn'>, waiting: string): Promise<void> {
  for (let nextAt = performance.now() + FIRST_MS; ;) {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lock}) as mine`);
    if (rows[0]!.mine) return;
    if (performance.now() >= nextAt) {
      log.warn({ holder: await findHolder(client, lock) }, waiting);
      nextAt = performance.now() + AGAIN_MS;
    }
    await pause(BUSY_PAUSE_MS);
  }
}

/** The session that holds a lock, as its administrator finds it in `pg_stat_activity`. */
async function findHolder(client: Client, lock: string): Promise<object | undefined> {
  const { rows } = await client.query<object>(`select a.pid, a.application_name as application, host(a.client_addr) as address,
      a.backend_start as since, left(a.query, 200) as statement
    from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and (l.classid::bigint << 32 | l.objid::bigint) = ${lock}`);
  return rows[0];
}
