import { inventory } from '@highline/contract';
import { sendCsv, chosenColumns, timeIn } from '../../platform/csv/index.ts';
import { DomainError, epochSeconds, type MainScope, required } from '../../kernel/index.ts';
import { isSet, type Routes } from '../../platform/calls/index.ts';
import { createTotals, mapRows, type Totals } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { importRouters } from './inventory.import.ts';
import { findRouter, listFreeModels, routerList } from './inventory.queries.ts';
import { toCertificateDto } from './certificates/certificate.dto.ts';
import { createCertificatesService, type CertificatesDeps } from './certificates/certificates.service.ts';
import { removeRouters } from './inventory-removal.ts';
import {
  addRouter,
  endPreviousSecret,
  rotateSecret,
  setAuthentication,
  setEndpointId,
  type ClientTls,
} from './inventory.service.ts';
import { listModelSettings, saveModelSettings } from './model-settings.ts';
import { routerColumns } from './router.export.ts';
import { agentSettings, routerUrl, type AgentAddress } from './router-secret.ts';
import { toRouterDto, withLatestRouterContact, type RouterContext } from './router.dto.ts';

export interface InventoryRoutesDeps extends Pick<
  Deps,
  'database' | 'reader' | 'streams' | 'keySamples' | 'clock' | 'deviceLink' | 'contacts' | 'log' | 'onChanged'
> {
  /** The server's address and endpoint id for routers: shown with every minted secret. */
  readonly agent: AgentAddress;
  readonly clientTls: ClientTls;
  /** Seconds between two reports of a router whose group and model set none (setting REPORT_SECONDS). */
  readonly reportSeconds: number;
  readonly authorities: Pick<CertificatesDeps, 'sealing' | 'authorityAdded'>;
}

/** The most models in the choice. */
const MOST_MODELS = 200;

/** Registers the operations of a main account's inventory. */
export function registerInventoryRoutes(routes: Routes, deps: InventoryRoutesDeps): void {
  const { database, reader, streams, keySamples, clock, deviceLink, contacts, agent } = deps;
  const contextOf = (): RouterContext => ({ now: clock.now(), contacts, controllerId: agent.controllerId });
  const totals = createTotals<Totals>(deps);
  const { clientTls } = deps;
  const certificates = createCertificatesService({ database, clock, deviceLink, ...deps.authorities });
  const own = { ...deps, changed: (owner: string) => totals.invalidate(owner) };

  const minted = async (scope: MainScope, id: string, secret: string) => {
    const row = required(await findRouter(reader, scope, id), 'not_found');
    const url = routerUrl(agent.address, row.endpoint_id, secret);
    return { result: { ...toRouterDto(row, contextOf()), secret, url, controllerId: agent.controllerId } };
  };

  routes.on(inventory.listRouters, async ({ scope, query }) =>
    routerList(contextOf()).respond({ reader, streams, keySamples, totals }, scope, query),
  );

  routes.on(inventory.exportRouters, async (call) => {
    const rows = routerList(contextOf()).rows(streams, call.scope, call.query);
    const latest = mapRows(rows, (row) => withLatestRouterContact(row, contacts));
    const time = timeIn(call.query.zone, call.query.language);
    const columns = chosenColumns(routerColumns(time), call.query.columns, inventory.routerColumns);
    return sendCsv(call, 'Inventory_export', columns, latest);
  });

  routes.on(inventory.getRouter, async ({ scope, params }) => {
    const row = required(await findRouter(reader, scope, params.router), 'not_found');
    const issued = await certificates.list(scope, row.id);
    return {
      result: {
        ...toRouterDto(row, contextOf()),
        agent: agentSettings(agent, row.endpoint_id, row.authentication),
        certificates: issued.map((certificate) => toCertificateDto(certificate, clock.now())),
        asksForCertificates: clientTls.isServed,
      },
    };
  });

  routes.on(inventory.listModels, async ({ scope }) => ({ result: await listFreeModels(reader, scope, MOST_MODELS) }));

  const modelSettings = async (scope: MainScope) => ({
    result: {
      models: await listModelSettings(database.read, scope, inventory.MAX_MODELS),
      reportSeconds: deps.reportSeconds,
    },
  });

  routes.on(inventory.listModelSettings, ({ scope }) => modelSettings(scope));

  routes.on(inventory.saveModelSettings, async ({ scope, actor, body }) => {
    await saveModelSettings({ database, clock }, scope, actor, body.models);
    return modelSettings(scope);
  });

  routes.on(inventory.addRouter, async ({ scope, actor, body }) => {
    const { id, secret } = await addRouter(own, scope, actor, body);
    return minted(scope, id, secret);
  });

  routes.on(inventory.updateRouter, async ({ scope, actor, params, body }) => {
    const { endpointId, authentication } = body;
    if (endpointId !== undefined) await setEndpointId(own, scope, actor, params.router, endpointId);
    if (authentication !== undefined) await setAuthentication(own, scope, actor, params.router, authentication);
    const row = required(await findRouter(reader, scope, params.router), 'not_found');
    return { result: toRouterDto(row, contextOf()) };
  });

  routes.on(inventory.importRouters, async ({ scope, actor, query, file }) => {
    if (file === undefined) throw new DomainError('csv.empty', { field: 'file', reason: 'There is no file.' });
    const result = await importRouters({ database, clock, log: deps.log }, scope, actor, file.path, {
      dryRun: isSet(query.dryRun),
      encoding: query.encoding,
    });
    totals.invalidate(scope.mainAccountId);
    return { result };
  });

  routes.on(inventory.deleteRouters, async ({ scope, actor, body }) => ({
    result: { deleted: await removeRouters(own, scope, actor, body.routers) },
  }));

  routes.on(inventory.issueCertificate, async ({ scope, actor, params, body }) => {
    const days = body.days ?? inventory.CERTIFICATE_DAYS;
    const csr = body.csr === '' ? undefined : body.csr;
    const { id, serialNumber, expiresAt, certificate, key, authority } = await certificates.issue(scope, actor, params.router, {
      csr,
      days,
    });
    const expires = epochSeconds(expiresAt);
    return { result: { id, serial_number: serialNumber, expires, certificate, key: key ?? null, authority } };
  });

  routes.on(inventory.revokeCertificate, async ({ scope, actor, params }) => ({
    result: toCertificateDto(await certificates.revoke(scope, actor, params.router, params.certificate), clock.now()),
  }));

  routes.on(inventory.rotateSecret, async ({ scope, actor, params }) => {
    const secret = await rotateSecret(own, scope, actor, params.router);
    return minted(scope, params.router, secret);
  });

  routes.on(inventory.endPreviousSecret, async ({ scope, actor, params }) => {
    await endPreviousSecret(own, scope, actor, params.router);
    const row = required(await findRouter(reader, scope, params.router), 'not_found');
    return { result: toRouterDto(row, contextOf()) };
  });
}
