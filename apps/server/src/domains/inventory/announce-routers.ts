import { sql } from 'kysely';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Notify the consoles that show these routers, in the inventory and as devices. */
export async function announceRouters(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const routers = await tx
    .selectFrom('routers')
    .select(['id', 'main_account_id', 'organization_id', 'device_id'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  for (const [mainAccountId, own] of Map.groupBy(routers, (router) => router.main_account_id)) {
    await announce(
      tx,
      { kind: 'main', mainAccountId },
      'inventory',
      own.map(({ id }) => id),
    );
    for (const [organizationId, held] of Map.groupBy(own, (router) => router.organization_id)) {
      if (organizationId === null) continue;
      const scope = { kind: 'organization', mainAccountId, organizationId } as const;
      await announce(
        tx,
        scope,
        'devices',
        held.flatMap(({ device_id: id }) => (id === null ? [] : [id])),
      );
    }
  }
}
