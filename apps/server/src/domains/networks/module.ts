import type { Module } from '../../platform/modules/module.ts';
import type { Database } from '../../platform/ports/database.ts';
import { deleteOldClients } from '../router-state/index.ts';
import { registerNetworkRoutes } from './networks.routes.ts';
import type { Networks } from './networks.service.ts';

export interface NetworksModuleDeps {
  readonly networks: Networks;
  readonly database: Database;
}

/** Lists of people's devices are kept this long after the router last reported them. */
const CLIENT_DAYS = 30;

export const networksModule: Module<NetworksModuleDeps> = {
  open(routes, { networks, database }) {
    registerNetworkRoutes(routes, networks);
    const run = (now: Date) => database.write((tx) => deleteOldClients(tx, new Date(now.getTime() - CLIENT_DAYS * 86_400_000)));
    return { jobs: [{ name: 'clients of routers', everyMs: 3_600_000, run }] };
  },
};
