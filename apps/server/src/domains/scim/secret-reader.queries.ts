// Reads tables of other domains: organizations.
import { sql } from 'kysely';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { hashSecret, isSecret } from './secret.ts';

/** The last use is written at most this often: a read must not cost a write. */
const TOUCH_MS = 60_000;

export type FoundSecret = Row<'scim_secrets', 'id' | 'main_account_id' | 'organization_id' | 'name' | 'hint' | 'last_used_at'>;

/** Finds whose directory calls, by its secret. */
export function createSecretReader({ database, clock }: Pick<Deps, 'database' | 'clock'>) {
  return {
    /** Undefined for one that is unknown, revoked, expired, or of a deleted organization. */
    async read(secret: string, address: string): Promise<FoundSecret | undefined> {
      if (!isSecret(secret)) return undefined;
      const now = clock.now();
      const found = await findSecret(database.read, hashSecret(secret), now);
      if (found === undefined) return undefined;
      const { id, last_used_at: last } = found;
      if (last === null || now.getTime() - last.getTime() >= TOUCH_MS)
        await database.write((tx) =>
          tx.updateTable('scim_secrets').set({ last_used_at: now, last_used_address: address }).where('id', '=', id).execute(),
        );
      return found;
    },
  };
}

async function findSecret(queries: Queries, hash: Buffer, now: Date): Promise<FoundSecret | undefined> {
  const { rows } = await sql<FoundSecret>`select s.id, s.main_account_id, s.organization_id, s.name, s.hint, s.last_used_at
    from scim_secrets s join organizations o on o.id = s.organization_id and o.deleted_at is null
    where s.secret_hash = ${hash} and s.expires_at > ${now}::timestamptz`.execute(queries);
  return rows[0];
}
