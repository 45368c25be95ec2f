import { inventory, type TextEncodingName } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallResponse, filesOf } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';
import { pagesOf } from '../../api/useList.ts';

export type Router = inventory.Router;
/** A router with the secret of its path, which is shown once. */
export type Minted = CallResponse<typeof inventory.addRouter>['result'];
export type RouterImport = CallResponse<typeof inventory.importRouters>['result'];

/** One page of the inventory. */
export const fetchRouters = pagesOf(inventory.listRouters);

/** The same list as CSV, without secrets. */
export const fetchRoutersFile = filesOf(inventory.exportRouters);

export type RouterDetails = CallResponse<typeof inventory.getRouter>['result'];

/** One router of the inventory. Null = it does not exist. */
export const routerQuery = (id: string) =>
  queryOptions({
    queryKey: ['inventory', 'one', id],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => (await call(inventory.getRouter, { params: { router: id }, signal })).result),
    meta: { topics: ['inventory', 'devices'] },
  });

export interface NewRouter {
  readonly serial_number: string;
  readonly mac: string;
  readonly model: string;
  /** Empty = the default. */
  readonly endpointId: string;
}

/** Take one router into stock; its secret is in this response alone. */
export async function addRouter(router: NewRouter): Promise<Minted> {
  return (await call(inventory.addRouter, { body: { ...router } })).result;
}

/** Give a router another endpoint ID, or with an empty one the default; its secret stays. */
export async function changeEndpointId(router: string, endpointId: string): Promise<Router> {
  return (await call(inventory.updateRouter, { params: { router }, body: { endpointId } })).result;
}

/** Set how a router authenticates. */
export async function saveAuthentication(router: string, authentication: inventory.Authentication): Promise<void> {
  await call(inventory.updateRouter, { params: { router }, body: { authentication } });
}

export type IssuedCertificate = CallResponse<typeof inventory.issueCertificate>['result'];

/** Issue a client certificate; its key is in this response alone. @param csr the router's own request, PEM */
export async function issueCertificate(router: string, csr: string | undefined): Promise<IssuedCertificate> {
  return (await call(inventory.issueCertificate, { params: { router }, body: csr === undefined ? {} : { csr } })).result;
}

/** Revoke a client certificate: the connection of its router is closed immediately. */
export async function revokeCertificate(router: string, certificate: string): Promise<void> {
  await call(inventory.revokeCertificate, { params: { router, certificate } });
}

/** Add the routers of a CSV or workbook to the stock: valid rows are added, with their secrets, and invalid rows are listed. */
export async function importRouters(
  file: File,
  { encoding, dryRun = false }: { readonly encoding?: TextEncodingName | undefined; readonly dryRun?: boolean },
): Promise<RouterImport> {
  const query = { encoding, ...(dryRun ? { dryRun: 'true' } : {}) };
  return (await call(inventory.importRouters, { query, body: {}, files: { file } })).result;
}

/** Mint another secret; the one in use opens connections until 24 h after the first use of the new one. */
export async function rotateSecret(router: string): Promise<Minted> {
  return (await call(inventory.rotateSecret, { params: { router } })).result;
}

/** End the secret before the last rotation now. */
export async function endPreviousSecret(router: string): Promise<void> {
  await call(inventory.endPreviousSecret, { params: { router } });
}

/** Deletes all routers or none: fails if one belongs to an organization. */
export async function deleteRouters(ids: readonly string[]): Promise<void> {
  await call(inventory.deleteRouters, { body: { routers: [...ids] } });
}

export type ModelSettings = CallResponse<typeof inventory.listModelSettings>['result'];

/** How often routers of each model report. */
export const modelSettingsQuery = queryOptions({
  queryKey: ['inventory', 'model-settings'],
  queryFn: async ({ signal }) => (await call(inventory.listModelSettings, { signal })).result,
  meta: { topics: ['inventory'] },
});

/** Set how often routers of models report, all or none. */
export async function saveModelSettings(models: readonly inventory.ModelSettings[]): Promise<ModelSettings> {
  return (await call(inventory.saveModelSettings, { body: { models: [...models] } })).result;
}
