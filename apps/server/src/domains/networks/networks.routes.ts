import { networks as calls } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import type { Networks } from './networks.service.ts';

/** Registers the calls about the networks of vehicles (LIV-02, LIV-03, LIV-10). */
export function registerNetworkRoutes(routes: Routes, networks: Networks): void {
  routes.on(calls.readNetworks, async ({ scope, actor, query }) => ({ result: await networks.read(scope, actor, query) }));

  routes.on(calls.repairWifi, async ({ scope, actor, body }) => ({
    result: await networks.repair(scope, actor, body.device, body.cause),
  }));
}
