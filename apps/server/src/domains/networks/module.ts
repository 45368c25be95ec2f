import type { Module } from '../../platform/modules/module.ts';
import { registerNetworkRoutes } from './networks.routes.ts';
import type { Networks } from './networks.service.ts';
import { createClientUseJob, type ClientUseDeps } from './use/client-use.ts';
import { deleteOldClients } from './use/old-clients.job.ts';

export interface NetworksModuleDeps extends ClientUseDeps {
  readonly networks: Networks;
}

export const networksModule: Module<NetworksModuleDeps> = {
  open(routes, { networks, ...deps }) {
    registerNetworkRoutes(routes, networks, deps);
    const run = (now: Date) => deleteOldClients(deps.database, now);
    return { jobs: [createClientUseJob(deps), { name: 'clients of routers', everyMs: 3_600_000, run }] };
  },
  organizationEnd: { tables: ['client_days', 'client_counters', 'client_settings'] },
};
