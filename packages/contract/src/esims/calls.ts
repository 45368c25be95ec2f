import { z } from 'zod';
import { importChanges, importedFile, importQuery } from '../devices/device-adding.ts';
import { connectionImpact, impactQuery } from '../impact.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';
import {
  fileFormat,
  columnsOf,
  language,
  line,
  onlyRows,
  pageOf,
  pageQuery,
  sortOf,
  tenantBody,
  tenantQuery,
  typedName,
} from '../conventions.ts';
import { updateWindow } from '../rollouts/update-window.ts';

/** The most profiles of one router, including the preloaded one (SIM-07). */
export const MAX_PROFILES = 4;
/** Activation code and name of the preloaded profile; `pre` is read as `preload` (SIM-04). */
export const PRELOAD = 'preload';
export const PRELOADED_NAME = 'preloaded_eSIM';

/** An ICCID that a person has to confirm: what is typed, and what is probably meant. */
export const iccidDoubt = z.object({
  doubt: z.enum(['check-digit', 'digit-too-many']),
  typed: z.string(),
  meant: z.string(),
});
export type IccidDoubt = z.infer<typeof iccidDoubt>;

/**
 * The ICCID that a person has confirmed, digit by digit: needed for one whose check digit is wrong, and for one of 20 digits whose first 19
 * are complete (`esim.iccid_check`, `esim.iccid_longer`, each with both numbers as detail).
 */
const iccidConfirmed = line(60).optional();

/** The longest confirmation code. */
export const MAX_CONFIRMATION = 100;

// Only admins may change eSIMs (SIM-02); the main account may read them.

/** States, spelled as part 2 section 3 stores them (SIM-10). 'Not Purchased' is a placeholder: no such profile is stored. */
export const profileStatuses = [
  'Assigning...',
  'Downloading...',
  'Activated',
  'In Use',
  'Deleting...',
  'Fail to download',
  'Fail to activate',
  'Out of memory',
  'Not Purchased',
] as const;
export type ProfileStatus = (typeof profileStatuses)[number];

/** The filters of the list (SIM-01). */
export const profileStatusFilters = [
  'in-use',
  'activated',
  'downloading',
  'assigning',
  'fail-to-download',
  'out-of-memory',
] as const;

/** eSIM profile in the API (part 2 section 3). */
export const profile = z.object({
  /** Empty for the placeholder of a preloaded profile that is not set up yet. */
  pk: z.string(),
  /** The same as `pk`. */
  profile: z.string(),
  /** Device id. */
  device: z.string(),
  serial: z.string(),
  eid: z.string(),
  /** Activation code; 'preload' for the preloaded profile. */
  ac: z.string(),
  /** Whether the router uses it now. */
  act: z.boolean(),
  iccid: z.string(),
  apn: z.string(),
  apn2: z.string(),
  name: z.string(),
  carrier: z.string(),
  status: z.enum(profileStatuses),
  statusIcon: z.enum(['online', 'expire', 'doing']),
  /** 1 = highest. */
  priority: z.number().int(),
  /**
   * Why the last step failed, from the router; `offline`, `window-…`: what the switch to it waits for; `not-allowed`: it was withdrawn, as who
   * requested it may not do so any more; else empty.
   */
  reason: z.string(),
  /** A user requested that the router switches to it, and the router has not begun: it can be withdrawn. */
  requested: z.boolean(),
  /** When the router may do so (WIN-02); null = at any time, or it is not requested. */
  window: updateWindow.nullable(),
  /** For If-Match; it changes with user changes, never with the router's progress. Empty for the placeholder. */
  etag: z.string(),
  /** ISO 8601. */
  created: z.string(),
  updated: z.string(),
});
export type Profile = z.infer<typeof profile>;

/** A profile of the list: with its vehicle, and its signal. */
export const listedProfile = profile.extend({
  /** Vehicle number of the device; empty if not set. Left out of the cards of one router. */
  vehicle: z.string().optional(),
  /** RSSI of the router in dBm, of the profile that it uses while it is online; null for all others. */
  signal: z.number().nullable().optional(),
});
export type ListedProfile = z.infer<typeof listedProfile>;

export const profileSorts = ['serial', 'name', 'carrier', 'iccid', 'apn', 'status', 'updated'] as const;

export const profileQuery = tenantQuery.extend({
  ...pageQuery.shape,
  /** With `eid`: the cards of one router (SIM-06), by priority, with a placeholder if no preloaded profile is set up. */
  serial: z.string().max(60).optional(),
  eid: z.string().max(60).optional(),
  sort: sortOf(profileSorts),
  field: z.enum(['serial', 'name', 'carrier', 'iccid', 'apn']).optional(),
  status: z.enum(profileStatusFilters).optional(),
  /** Open the page that contains this profile, instead of `offset` (SHR-04). */
  around: z.string().max(60).optional(),
});
export type ProfileQuery = z.infer<typeof profileQuery>;

/** The router whose cards are shown. */
export const profileRouter = z.object({
  /** Vehicle number; empty if not set. */
  vehicle: z.string(),
  /** Whether it reported an eUICC; null while it has not reported its SIMs. */
  hasEuicc: z.boolean().nullable(),
});
export type ProfileRouter = z.infer<typeof profileRouter>;

export const listProfiles = operation({
  id: 'esims.list',
  method: 'GET',
  path: '/data_manager/v1/dm/profiles',
  summary: 'eSIM profiles of an organization (SIM-01), or with `serial` and `eid` those of one router (SIM-06).',
  scope: 'tenant',
  roles: everyRole,
  query: profileQuery,
  /** `router` if `serial` and `eid` name one. */
  response: pageOf(listedProfile).extend({ router: profileRouter.optional() }),
});

/** Columns that the file can have, by their ids on the list. */
export const profileColumns = [
  'number',
  'status',
  'reason',
  'serial',
  'vehicle',
  'eid',
  'name',
  'carrier',
  'signal',
  'iccid',
  'cycle',
  'apn',
  'apn2',
  'priority',
  'updated',
] as const;

export const exportProfiles = operation({
  id: 'esims.export',
  method: 'GET',
  path: '/data_manager/v1/dm/profiles/export',
  summary:
    'The same list as CSV or Excel workbook (eSIMs_export), or with `layout` example the template of an import (eSIMs_export_example).',
  scope: 'tenant',
  roles: everyRole,
  query: profileQuery.extend({
    layout: z.enum(['profiles', 'example']).optional(),
    format: fileFormat,
    columns: columnsOf(profileColumns),
    only: onlyRows,
    language,
  }),
  response: z.string(),
  sends: 'file',
});

export const getProfile = operation({
  id: 'esims.get',
  method: 'GET',
  path: '/data_manager/v1/dm/profile/{profile}',
  summary: 'One eSIM profile (SIM-09); answers an ETag.',
  scope: 'tenant',
  roles: everyRole,
  params: z.object({ profile: z.string() }),
  query: tenantQuery,
  response: z.object({ result: profile }),
});

export const addProfile = operation({
  id: 'esims.add',
  method: 'POST',
  path: '/data_manager/v1/dm/profile/',
  summary:
    'Add a profile to a router: it downloads it as soon as it can (SIM-07), and never uses it before a user requests it. The preloaded one needs its ICCID.',
  scope: 'organization',
  roles: adminOnly,
  query: impactQuery,
  body: tenantBody.extend({
    serial: line(60),
    eid: line(60),
    ac: line(255),
    /** Required by an activation code that ends in `$1` (SGP.22 4.1); never returned. */
    confirmationCode: line(MAX_CONFIRMATION).optional(),
    iccid: line(60).optional(),
    iccidConfirmed,
    apn: line(100),
    apn2: line(100).optional(),
    name: typedName(100).optional(),
    /** Its position among the cards, 1 = first; left out: after the others. Never above the one in use. */
    priority: z.number().int().min(1).max(MAX_PROFILES).optional(),
  }),
  /** 'Checked' answers `?dryRun`: a preview of the profile, without a pk. */
  response: z.object({ status: z.enum(['Created', 'Checked']), result: profile, impact: connectionImpact }),
});

export const saveProfile = operation({
  id: 'esims.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/profile/{profile}',
  summary:
    'Change a profile: name, access points, priority; the ICCID only of a failed preloaded one (SIM-07). A priority that makes another profile the first one switches the router. If-Match is honoured.',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ profile: z.string() }),
  query: impactQuery,
  body: tenantBody.extend({
    name: typedName(100).optional(),
    apn1: line(100).optional(),
    apn2: line(100).optional(),
    priority: z.number().int().min(1).max(MAX_PROFILES).optional(),
    ac: line(255).optional(),
    /** '' = unchanged; a new activation code removes the previous one. */
    confirmationCode: line(MAX_CONFIRMATION).optional(),
    iccid: line(60).optional(),
    iccidConfirmed,
  }),
  response: z.object({ result: profile, impact: connectionImpact }),
});

/** The position of a profile among those of its router. */
export const profilePosition = z.object({
  profile: z.string(),
  priority: z.number().int().min(1).max(MAX_PROFILES),
});

export const orderProfiles = operation({
  id: 'esims.order',
  method: 'POST',
  path: '/data_manager/v1/dm/profile/order',
  summary:
    'Reorder the profiles of one router, all at once (SIM-06). If another profile becomes the first one, the router switches to it, and returns if it cannot connect with it.',
  scope: 'organization',
  roles: adminOnly,
  query: impactQuery,
  body: tenantBody.extend({ order: z.array(profilePosition).min(1).max(MAX_PROFILES) }),
  response: z.object({ result: z.array(profile), impact: connectionImpact }),
});

export const useProfile = operation({
  id: 'esims.use',
  method: 'POST',
  path: '/data_manager/v1/dm/profile/use',
  summary:
    'Switch a router to one of its profiles, now or when its `window` opens (WIN-02); null withdraws a switch that waits. It must connect with it within some minutes, or it returns to the previous one.',
  scope: 'organization',
  roles: adminOnly,
  query: impactQuery,
  body: tenantBody.extend({ profile: z.string(), window: updateWindow.nullable().optional() }),
  bodyExample: { window: undefined },
  response: z.object({ result: profile, impact: connectionImpact }),
});

export const deleteProfile = operation({
  id: 'esims.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/profile/{profile}',
  summary: "Delete a profile from its router: 'Deleting...' until the router confirms it (SIM-08). Never the preloaded one.",
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ profile: z.string() }),
  query: tenantQuery.extend(impactQuery.shape),
  response: z.object({ result: profile, impact: connectionImpact }),
});

export const resumeProfile = operation({
  id: 'esims.resume',
  method: 'POST',
  path: '/data_manager/v1/dm/profile/resume',
  summary: "Retry a failed download on the router: 'Assigning...' at once (SIM-03). To retry a failed activation call `use`.",
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ profile: z.string() }),
  response: z.object({ result: profile }),
});

/** One row of an import that failed, as part 2 section 3 names its fields, and its line in the file (the header is row 1). */
export const failedProfile = z.object({
  row: z.number().int(),
  serial: z.string(),
  eid: z.string(),
  ac: z.string(),
  iccid: z.string(),
  apn1: z.string(),
  apn2: z.string(),
  name: z.string(),
  error: z.string(),
});
export type FailedProfile = z.infer<typeof failedProfile>;

export const profileImportResult = z.object({
  dryRun: z.boolean(),
  /** Number of rows that were added. */
  success: z.number().int(),
  total: z.number().int(),
  /** At most 1,000 of the rows that failed. */
  fail: z.array(failedProfile),
  /** Number of all rows that failed. */
  failed: z.number().int(),
  /** For the highlight cookie, at most 200. */
  ids: z.array(z.string()),
  changes: importChanges,
  /** At most 1,000 of the rows whose ICCID a person has to confirm. A dry run counts them as good; without a confirmation they fail. */
  doubts: z.array(iccidDoubt.extend({ row: z.number().int(), serial: z.string() })),
  /** Number of all such rows. */
  doubted: z.number().int(),
  file: importedFile,
  /** The failed rows as CSV or Excel workbook (eSIMs_error): mended, it can be imported (BLK-05). Without confirmation codes; at most 10,000 rows or 2 MB. */
  report: z.string(),
  /** Number of rows in `report`, the first ones of `failed`. */
  reported: z.number().int(),
  /** The effect on the connections of vehicles: a new profile is placed below the one in use. */
  impact: connectionImpact,
});
export type ProfileImportResult = z.infer<typeof profileImportResult>;

export const importProfiles = operation({
  id: 'esims.import',
  queue: 'imports',
  method: 'POST',
  path: '/data_manager/v1/dm/profile/batch',
  summary:
    'Add profiles from a CSV or an Excel workbook in the field `profile`: good rows are added, bad rows listed (SIM-04, SIM-05).',
  scope: 'organization',
  roles: adminOnly,
  query: impactQuery.extend({
    ...importQuery.pick({ encoding: true }).shape,
    /** `1`: a person has compared the ICCIDs that a dry run lists as `doubts`; `meant` is stored. A column `iccid_confirmed` does it for a row. */
    iccidsConfirmed: z.string().max(10).optional(),
  }),
  body: tenantBody,
  bodyKind: 'multipart',
  fileExample:
    'SN,EID,Activation Code,ICCID,APN1,APN2,NAME\nHL5-20260117,89049032007008882600112233445566,preload,8901410321111851072,internet,,Spare\n',
  response: z.object({ result: profileImportResult }),
});

export const topics = ['esims'] as const;

export const schemaNames = {
  FailedProfile: failedProfile,
  ListedProfile: listedProfile,
  Profile: profile,
  ProfileBody: useProfile.body,
  ProfileImportResult: profileImportResult,
  ProfilePosition: profilePosition,
  ProfileRouter: profileRouter,
  UsedProfile: useProfile.response,
};
