import type { Database } from '../../platform/ports/database.ts';

const KEPT_DAYS = 30;
const EXPIRED_DAYS = 90;

/** A job of the clock: delete calls of long ago, and secrets that expired long ago. */
export async function purgeDirectories(database: Database, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await database.write(async (tx) => {
    await tx.deleteFrom('scim_calls').where('at', '<', before(KEPT_DAYS)).execute();
    await tx.deleteFrom('scim_secrets').where('expires_at', '<', before(EXPIRED_DAYS)).execute();
  });
}
