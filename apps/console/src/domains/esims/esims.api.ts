import { type ConnectionImpact, esims, type TextEncodingName, type rollouts } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, filesOf } from '../../api/client.ts';
import { nullIfMissing } from '../../api/errors.ts';
import { pagesOf } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Profile = esims.Profile;
export type ListedProfile = esims.ListedProfile;
export type ImportResult = esims.ProfileImportResult;

/** A router as its eSIM screens name it. */
export interface RouterKey {
  readonly serial: string;
  readonly eid: string;
}

/** The request fields of a new profile, without the router. */
export interface NewProfile {
  readonly ac: string;
  readonly confirmationCode?: string;
  readonly iccid: string;
  /** A doubtful one, as the user has confirmed it. */
  readonly iccidConfirmed?: string;
  readonly apn: string;
  readonly apn2?: string;
  readonly name?: string;
  readonly priority?: number;
}

/** The position of an eSIM, 1 = first. */
export interface Position {
  readonly profile: string;
  readonly priority: number;
}

/** The changed fields. */
export interface CardChange {
  name?: string;
  apn1?: string;
  apn2?: string;
  iccid?: string;
  iccidConfirmed?: string;
  confirmationCode?: string;
}

/** One page of the eSIMs. */
export const fetchProfiles = pagesOf(esims.listProfiles);

/** The same list as CSV, filtered and sorted alike (SHR-08). */
export const fetchProfilesFile = filesOf(esims.exportProfiles);

/** A CSV to fill in (SIM-02). */
export function fetchExampleFile(language: Language): Promise<Blob> {
  return callFile(esims.exportProfiles, { query: { language, layout: 'example' } });
}

/** The eSIMs of one router, with what is known of the router. */
export interface RouterProfiles {
  readonly profiles: readonly Profile[];
  readonly router: esims.ProfileRouter;
}

/** The eSIMs of one router by priority, with a placeholder where its preloaded one is not set up (SIM-06). */
export const routerProfilesQuery = ({ serial, eid }: RouterKey) =>
  queryOptions({
    queryKey: ['esims', 'router', serial, eid],
    queryFn: async ({ signal }): Promise<RouterProfiles> => {
      const { result: profiles, router } = await call(esims.listProfiles, { query: { serial, eid }, signal });
      return { profiles, router: router ?? { vehicle: '', hasEuicc: null } };
    },
    staleTime: 0,
    retry: false,
    meta: { topics: ['esims'] },
  });

/**
 * The router of an eSIM. Null = the eSIM does not exist. Loaded once: the page keeps its router even if this eSIM is deleted.
 */
export const routerOfQuery = (pk: string) =>
  queryOptions({
    queryKey: ['esim-router', pk],
    queryFn: ({ signal }) =>
      nullIfMissing<RouterKey>(async () => {
        const { serial, eid } = (await call(esims.getProfile, { params: { profile: pk }, signal })).result;
        return { serial, eid };
      }),
    staleTime: Infinity,
    gcTime: 0,
  });

/** How an action that changes a router's connection is called: checked only, or as it was confirmed after a check. */
export type Confirmed = { readonly dryRun: '1' } | { readonly confirmed: string } | Record<string, never>;

/** @returns the new profile's pk */
export async function addProfile(router: RouterKey, profile: NewProfile): Promise<string> {
  return (await call(esims.addProfile, { body: { ...router, ...profile } })).result.pk;
}

/** @param etag of the loaded profile; if it changed since, the call fails with 'conflict.stale' */
export async function saveProfile(pk: string, change: CardChange, etag: string, query: Confirmed): Promise<ConnectionImpact> {
  const ifMatch = etag === '' ? {} : { ifMatch: etag };
  return (await call(esims.saveProfile, { params: { profile: pk }, query, body: change, ...ifMatch })).impact;
}

/** Reorder the eSIMs of one router; the router switches to a new first one. */
export async function orderProfiles(order: readonly Position[], query: Confirmed): Promise<ConnectionImpact> {
  return (await call(esims.orderProfiles, { query, body: { order: [...order] } })).impact;
}

/** Have the router switch to this eSIM; it returns to the one before when it cannot connect. */
export async function switchToProfile(
  pk: string,
  query: Confirmed,
  window?: rollouts.UpdateWindow | null,
): Promise<ConnectionImpact> {
  return (await call(esims.useProfile, { query, body: { profile: pk, window } })).impact;
}

/** Start a deletion: the profile is removed after its router confirms, and is 'Deleting...' until then. */
export async function deleteProfile(pk: string, query: Confirmed): Promise<ConnectionImpact> {
  return (await call(esims.deleteProfile, { params: { profile: pk }, query })).impact;
}

/** Let the router retry a failed download (SIM-03). */
export async function resumeProfile(pk: string): Promise<Profile> {
  return (await call(esims.resumeProfile, { body: { profile: pk } })).result;
}

/** Add the rows of a CSV or workbook (SIM-04), or only check the result. @param areConfirmed the user has compared the doubtful ICCIDs */
export async function importProfiles(
  file: File,
  { encoding, ...confirmed }: Partial<Record<'dryRun' | 'confirmed', string>> & { encoding?: TextEncodingName | undefined },
  areConfirmed = false,
): Promise<ImportResult> {
  const query = {
    ...confirmed,
    ...(encoding === undefined ? {} : { encoding }),
    ...(areConfirmed ? { iccidsConfirmed: '1' } : {}),
  };
  return (await call(esims.importProfiles, { query, body: {}, files: { profile: file } })).result;
}
