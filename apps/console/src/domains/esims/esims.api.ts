import { esims } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile } from '../../api/client.ts';
import { searchQuery } from '../../api/searchQuery.ts';
import { ApiError } from '../../api/errors.ts';
import type { Page, PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListSearch } from '../../ui/list/spec.ts';
import type { esimList } from './esims.lists.ts';

export type Profile = esims.Profile;
export type ImportResult = esims.ProfileImportResult;
type Search = ListSearch<typeof esimList>;

/** A router as its eSIM screens name it. */
export interface RouterKey {
  readonly serial: string;
  readonly eid: string;
}

/** What adding a profile sends besides the router. */
export interface NewProfile {
  readonly ac: string;
  readonly confirmationCode?: string;
  readonly iccid: string;
  readonly apn: string;
  readonly apn2?: string;
  readonly name?: string;
  readonly priority?: number;
}

/** What differs from what the server holds. */
export interface CardChange {
  name?: string;
  apn1?: string;
  apn2?: string;
  iccid?: string;
  confirmationCode?: string;
  priority?: number;
}

/** The address's filters as the call takes them; the field alone narrows nothing. */
function narrowing(search: Search) {
  return { sort: search.sort, status: search.status, ...searchQuery(search, 'serial') };
}

/** One page of the eSIMs. */
export async function fetchProfiles(search: Search, page: PageRequest, signal: AbortSignal): Promise<Page<Profile>> {
  const answer = await call(esims.listProfiles, { query: { ...narrowing(search), ...page }, signal });
  return { rows: answer.result, total: answer.total ?? answer.result.length, offset: answer.offset };
}

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export function fetchProfilesFile(search: Search, language: Language): Promise<Blob> {
  return callFile(esims.exportProfiles, { query: { ...narrowing(search), language, layout: 'profiles' } });
}

/** A CSV to fill in (SIM-02). */
export function fetchExampleFile(language: Language): Promise<Blob> {
  return callFile(esims.exportProfiles, { query: { language, layout: 'example' } });
}

/** The eSIMs of one router by priority, with a placeholder where its preloaded one is not set up (SIM-06). */
export const routerProfilesQuery = ({ serial, eid }: RouterKey) =>
  queryOptions({
    queryKey: ['esims', 'router', serial, eid],
    queryFn: async ({ signal }) => (await call(esims.listProfiles, { query: { serial, eid }, signal })).result,
    staleTime: 0,
    retry: false,
    meta: { topics: ['esims'] },
  });

/**
 * The router that holds an eSIM. Null = there is no such eSIM (any more). Asked once: the page stays with its router, also when this
 * one of its eSIMs goes.
 */
export const routerOfQuery = (pk: string) =>
  queryOptions({
    queryKey: ['esim-router', pk],
    queryFn: async ({ signal }): Promise<RouterKey | null> => {
      try {
        const { serial, eid } = (await call(esims.getProfile, { params: { profile: pk }, signal })).result;
        return { serial, eid };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** @returns the new profile's pk */
export async function addProfile(router: RouterKey, profile: NewProfile): Promise<string> {
  return (await call(esims.addProfile, { body: { ...router, ...profile } })).result.pk;
}

/** @param etag what the change is based on; another one by now is refused with 'conflict.stale' */
export async function saveProfile(pk: string, change: CardChange, etag: string): Promise<void> {
  await call(esims.saveProfile, { params: { profile: pk }, body: change, ...(etag === '' ? {} : { ifMatch: etag }) });
}

/** Begin to delete: the profile goes once its router has, and stands as 'Deleting...' until then. */
export async function deleteProfile(pk: string): Promise<void> {
  await call(esims.deleteProfile, { params: { profile: pk } });
}

/** Have the router try again what failed (SIM-03). */
export async function resumeProfile(pk: string): Promise<Profile> {
  return (await call(esims.resumeProfile, { body: { profile: pk } })).result;
}

/** Add the rows of a CSV (SIM-04). */
export async function importProfiles(file: File): Promise<ImportResult> {
  return (await call(esims.importProfiles, { body: {}, files: { profile: file } })).result;
}
