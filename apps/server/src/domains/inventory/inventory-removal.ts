import { DomainError, isId, type Actor, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import type { InventoryServiceDeps } from './inventory.service.ts';
import { deleteRouters, lockRouters } from './inventory.store.ts';

/**
 * Remove routers from the inventory, all or none; their secrets become invalid.
 * @returns how many
 * @throws DomainError `not_found` for an id that is not one of ours, `inventory.claimed`
 */
export async function removeRouters(
  { database, clock, deviceLink, changed }: Pick<InventoryServiceDeps, 'database' | 'clock' | 'deviceLink' | 'changed'>,
  scope: MainScope,
  actor: Actor,
  ids: readonly string[],
): Promise<number> {
  const chosen = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (!chosen.every(isId)) throw new DomainError('not_found');
  await database.write(async (tx) => {
    const routers = await lockRouters(tx, scope, chosen);
    if (routers.length !== chosen.length) throw new DomainError('not_found');
    const claimed = routers.filter((router) => router.organization_id !== null);
    if (claimed.length > 0)
      throw new DomainError('inventory.claimed', { detail: claimed.slice(0, 20).map(({ serial }) => serial) });
    await deleteRouters(tx, scope, chosen);
    await announce(tx, scope, 'inventory', chosen);
    await recordAudit(tx, scope.mainAccountId, actor, deletion(routers), clock.now());
  });
  deviceLink.disconnect(chosen, 'This router was removed from the inventory.');
  changed(scope.mainAccountId);
  return chosen.length;
}

function deletion(routers: readonly { readonly id: string; readonly serial: string }[]) {
  const [only] = routers;
  const one = routers.length === 1 && only !== undefined;
  return {
    action: one ? sentence('router.removed', only.serial) : sentence('routers.removed', routers.length),
    subject: { kind: 'router', id: one ? only.id : 'many' },
    detail: { serials: routers.map(({ serial }) => serial) },
  };
}
