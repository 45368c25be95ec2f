import { apiKeys } from '@highline/contract';
import type { Database } from '../../platform/ports/database.ts';

/** A job of the clock: delete keys that were revoked or expired at least 90 days ago. */
export async function purgeKeys(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - apiKeys.ENDED_KEY_DAYS * 86_400_000);
  await database.write((tx) =>
    tx
      .deleteFrom('api_keys')
      .where((where) => where.or([where('revoked_at', '<', before), where('expires_at', '<', before)]))
      .execute(),
  );
}
