import { apiKeys as calls } from '@highline/contract';
import type { Scope } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { keys } from './api-keys.queries.ts';
import { createKey, listGrantable, revokeKey, rotateKey, type KeyDeps, type MintedKey } from './api-keys.service.ts';

export interface KeyRoutesDeps extends KeyDeps, Pick<Deps, 'reader' | 'streams'> {}

/** Registers the operations of API keys (HKS-02). */
export function registerKeyRoutes(routes: Routes, deps: KeyRoutesDeps): void {
  const respond = async (scope: Scope, { id, secret }: MintedKey) => ({ result: await keys.get(deps, scope, id), secret });

  routes.on(calls.listKeys, async ({ scope, query }) => keys.list(deps.clock.now()).respond(deps, scope, query));
  routes.on(calls.keyOperations, async ({ scope, actor }) => ({ result: listGrantable(deps, scope, actor) }));
  routes.on(calls.createKey, async ({ scope, actor, body }) => respond(scope, await createKey(deps, scope, actor, body)));
  routes.on(calls.rotateKey, async ({ scope, actor, params, body }) =>
    respond(scope, await rotateKey(deps, scope, actor, params.key, body.overlapHours)),
  );
  routes.on(calls.revokeKey, async ({ scope, actor, params }) => {
    await revokeKey(deps, scope, actor, params.key);
    return { result: { revoked: 1 as const } };
  });
}
