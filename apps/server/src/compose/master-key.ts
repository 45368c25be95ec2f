import { sql } from 'kysely';
import { masterKeyCheck, type ProcessKeys } from '../platform/adapters/installation/keys.ts';
import { ROTATING } from '../platform/adapters/installation/facts.ts';
import type { Job } from '../platform/jobs/runner.ts';
import { recordKeys, type ServerNode } from '../platform/nodes/index.ts';
import type { Database } from '../platform/ports/database.ts';
import type { Log } from '../platform/ports/log.ts';

export interface MasterKeyDeps {
  readonly database: Database;
  readonly keys: ProcessKeys;
  readonly node: Pick<ServerNode, 'id'>;
  /** Waits until every write that has begun has ended. */
  readonly writesEnded: () => Promise<void>;
  readonly log: Log;
}

const EVERY_MS = 2_000;

/**
 * Follows a rotation of the master key: seals with the new key as soon as the rotation has begun, and says so once no write that
 * may have sealed with the former one is under way. The rotation waits for that before it reads the first row
 * (docs/domains/platform.md).
 */
export function followMasterKey({ database, keys, node, writesEnded, log }: MasterKeyDeps): Job {
  const known = keys.known.map(masterKeyCheck);
  let missing: string | undefined;
  return {
    name: 'master key',
    everyMs: EVERY_MS,
    async run() {
      const check = await readCheck(database);
      const next = check === undefined ? keys.active : keys.find(check);
      if (next === undefined) {
        if (check !== missing)
          log.error(
            {},
            'The master key is being replaced by one that this process does not have. Restart it with HIGHLINE_MASTER_KEY set to the new key and HIGHLINE_MASTER_KEY_PREVIOUS to the one before.',
          );
        missing = check;
        return;
      }
      if (next !== keys.active) {
        keys.use(next);
        log.info({}, 'The master key is being replaced; everything new is sealed with the new key.');
        await writesEnded();
      }
      await recordKeys(database.read, node.id, { known, sealing: masterKeyCheck(next) });
    },
  };
}

/** The key to seal with: of a rotation that has begun, or else the one in use. */
async function readCheck(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ check: string }>`
    select value #>> array[]::text[] as check from installation where key in ('master_key_check', ${ROTATING})
    order by key <> ${ROTATING} limit 1`.execute(database.read);
  return rows[0]?.check;
}
