import type { Module } from '../../platform/modules/module.ts';
import { purgeKeys } from './api-keys.purge.ts';
import { registerKeyRoutes, type KeyRoutesDeps } from './api-keys.routes.ts';
import { revokeKeysOf } from './api-keys.store.ts';

export const apiKeysModule: Module<KeyRoutesDeps> = {
  open(routes, deps) {
    registerKeyRoutes(routes, deps);
    return { jobs: [{ name: 'API keys: retention', everyMs: 3_600_000, run: (now) => purgeKeys(deps.database, now) }] };
  },
  organizationEnd: { close: revokeKeysOf, lastTables: ['api_keys'] },
};
