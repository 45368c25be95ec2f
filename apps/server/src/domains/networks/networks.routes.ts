import { networks as calls } from '@highline/contract';
import { withVersion, type OrganizationScope } from '../../kernel/index.ts';
import { sendSavedContent, type Routes } from '../../platform/calls/index.ts';
import { chosenColumns, sendCsv } from '../../platform/csv/index.ts';
import type { Networks } from './networks.service.ts';
import { readClientSettings } from './use/use.queries.ts';
import { openUseFile, readClientUse, saveClientSettings, useColumns, type UseDeps } from './use/use.service.ts';

/** Registers the calls about the networks of vehicles (LIV-02, LIV-03, LIV-10). */
export function registerNetworkRoutes(routes: Routes, networks: Networks, deps: UseDeps): void {
  routes.on(calls.readNetworks, async ({ scope, actor, query }) => ({ result: await networks.read(scope, actor, query) }));

  routes.on(calls.repairWifi, async ({ scope, actor, body }) => ({
    result: await networks.repair(scope, actor, body.device, body.cause),
  }));

  routes.on(calls.readClientUse, async ({ scope, query }) => ({ result: await readClientUse(deps, scope, query) }));

  routes.on(calls.exportClientUse, async (call) => {
    const { name, rows } = await openUseFile(deps, call.scope, call.query.device);
    const columns = chosenColumns(useColumns, undefined, ['day', 'name', 'mac', 'received', 'sent']);
    return sendCsv(call, `Clients_${name}`, columns, rows);
  });

  const settingsOf = (scope: OrganizationScope) => readClientSettings(deps.database.read, scope.organizationId);

  routes.on(calls.readClientSettings, async ({ scope }) => ({ result: withVersion(await settingsOf(scope)) }));

  routes.on(calls.saveClientSettings, (call) => {
    const { scope, actor, body } = call;
    const { keep, days } = body;
    return sendSavedContent(
      call,
      (isCurrent) => saveClientSettings(deps, scope, actor, { keep, days }, isCurrent),
      () => settingsOf(scope),
    );
  });
}
