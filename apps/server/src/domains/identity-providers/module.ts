import { Resolver } from 'node:dns/promises';
import type { MasterKey } from '../../kernel/index.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import type { Module } from '../../platform/modules/module.ts';
import { registerProviderRoutes, type ProviderRoutesDeps } from './identity-providers.routes.ts';
import { createProviderClient } from './provider-client.ts';
import { createFlowSealing, createProviderSealing } from './sealing.ts';
import { removeProvidersOf } from './providers.store.ts';

interface ProviderModuleDeps extends Omit<ProviderRoutesDeps, 'client' | 'secrets' | 'flows' | 'keepSession' | 'resolveText'> {
  readonly masterKey: MasterKey;
  /** Cookies of sign-ins depend on it. */
  readonly signIn: Pick<ProviderRoutesDeps, 'keepSession'>;
}

const TIMEOUT_MS = 2_000;

export const identityProvidersModule: Module<ProviderModuleDeps> = {
  open(routes, deps) {
    const { masterKey, signIn } = deps;
    registerProviderRoutes(routes, {
      ...deps,
      keepSession: signIn.keepSession,
      client: createProviderClient(deps),
      secrets: createProviderSealing(masterKey),
      flows: createFlowSealing(masterKey),
      resolveText,
    });
  },
  sealed: [sealedFor('identity_providers', 'sealed_secret', { id: 'uuid' }, 'id', createProviderSealing)],
  organizationEnd: { close: removeProvidersOf },
};

async function resolveText(name: string): Promise<string[]> {
  try {
    const records = await new Resolver({ timeout: TIMEOUT_MS, tries: 2 }).resolveTxt(name);
    return records.map((parts) => parts.join(''));
  } catch {
    // It does not exist, or cannot be seen from here: either way it proves nothing.
    return [];
  }
}
