import { configs } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallResponse, callTagged } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';
import { pagesOf } from '../../api/useList.ts';

export type Config = configs.Config;
/** A config file with its versions and the groups it is bound to. */
export type ConfigDetails = CallResponse<typeof configs.getConfig>['result'];

/** One page of the config files. */
export const fetchConfigs = pagesOf(configs.listConfigs);

/** A file of exactly this name, if there is one: an upload becomes its next version. */
export async function findConfig(name: string, signal: AbortSignal): Promise<Config | undefined> {
  const { result } = await call(configs.listConfigs, { query: { search: name, field: 'name', limit: 50, offset: 0 }, signal });
  return result.find((one) => one.name === name);
}

/** One config file with the ETag a save must be based on. Null = it does not exist. */
export const configQuery = (pk: string) =>
  queryOptions({
    queryKey: ['configs', 'one', pk],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => {
        const { response, etag } = await callTagged(configs.getConfig, { params: { config: pk }, signal });
        return { config: response.result, etag };
      }),
    meta: { topics: ['configs', 'groups'] },
  });

/** What was uploaded as a version. The server logs each call. */
export async function fetchContents(pk: string, number: number, signal?: AbortSignal): Promise<Blob> {
  return callFile(configs.readConfigVersion, { params: { config: pk, number }, ...(signal && { signal }) });
}

/** The same to show: a version never changes, so it is fetched once. */
export const contentsQuery = (pk: string, number: number) =>
  queryOptions({
    queryKey: ['configs', 'contents', pk, number],
    queryFn: async ({ signal }) => (await fetchContents(pk, number, signal)).arrayBuffer(),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { topics: [] },
  });

/** Upload a file; an existing name gets a new version, and keeps its note unless there is another one. */
export async function uploadConfig(input: { readonly file: File; readonly note: string }): Promise<Config> {
  const body = input.note === '' ? {} : { note: input.note };
  return (await call(configs.uploadConfig, { body, files: { config: input.file } })).result;
}

/** Change the note. @param etag of the loaded file; another user's save is answered as stale; undefined saves in any case */
export async function saveConfig(pk: string, note: string, etag: string | undefined): Promise<void> {
  const ifMatch = etag === undefined ? {} : { ifMatch: etag };
  await call(configs.saveConfig, { params: { config: pk }, body: { note }, ...ifMatch });
}

/** Deletes all files or none. */
export async function deleteConfigs(pks: readonly string[]): Promise<void> {
  await call(configs.deleteConfig, { params: { config: pks.join(',') } });
}
