import { REQUESTS, withoutRequest, withRequest } from './requests.ts';
import type { EsimState, RouterState, SwitchJob, EsimJobRequest } from './state.ts';

/**
 * State transitions of eSIM commands. Pure: the caller commits the result, and a crash between two commits resumes at the first.
 */

/** The table of profiles; the preloaded one is its first instance, and settings of the others are in rows. */
export const PROFILES = 'Device.TrustedElements.SIM.1.Profile.';
const ACCESS_POINT = 'Device.Cellular.AccessPoint.1.';
export const PRELOADED = 1;
const RETAINED_ENDS = 8;

/** Settings of a profile by the controller; empty = not set. */
export type ProfileSettings = { name: string; apn: string; apn2: string; priority: string };

/** Names of a profile's settings in the data model. */
export const SETTINGS = {
  name: 'Name',
  apn: 'X_HIGHLINE_APN',
  apn2: 'X_HIGHLINE_APN2',
  priority: 'X_HIGHLINE_Priority',
} as const;

/** Start a job: it and its Request row are one write. */
export function withEsimJob(before: RouterState, request: EsimJobRequest, originator: string): RouterState {
  const { state, requestPath } = withRequest(before, request, originator);
  const job =
    request.kind === 'download'
      ? ({ ...request, requestPath, stage: 'download' } as const)
      : ({ ...request, requestPath, stage: 'accepted', previous: '', trying: '', untried: [], boots: 0 } as const);
  return withEsims(state, { job: job as EsimState['job'] });
}

/** End the job; its result is kept until it was acknowledged. @param failure null = success */
export function withEsimEnd(state: RouterState, failure: string | null, outputs: Readonly<Record<string, string>>): RouterState {
  const { job, ended } = state.esims;
  if (job === null) return state;
  const { objPath, command, commandKey, requestPath } = job;
  const end = { objPath, command, commandKey, failure, outputs: { ...outputs }, delivered: false };
  const others = ended.filter((each) => each.commandKey !== commandKey);
  return withEsims(withoutRequest(state, requestPath), { job: null, ended: [...others, end].slice(-RETAINED_ENDS) });
}

/** An instance number and the ICCID. */
type NumberedProfile = { readonly number: number; readonly iccid: string };

/** Switch the profile; another has no APN of the access point. */
export function withSwitching(state: RouterState, current: NumberedProfile | undefined, job: SwitchJob): RouterState {
  return withEsims(withoutApn(state, current), { job });
}

/**
 * Make the APN of the access point that of the current profile, for when the router returns to it: it is not that of another. One that has not
 * called home yet is dropped for the one that has.
 */
export function withoutApn(state: RouterState, current: NumberedProfile | undefined): RouterState {
  const { APN: apn, ...row } = state.rows[ACCESS_POINT] ?? {};
  if (apn === undefined) return state;
  const next = { ...state, rows: { ...state.rows, [ACCESS_POINT]: row } };
  const { proven } = state.esims;
  if (current === undefined) return next;
  return withProfileApn(next, current.number, proven?.iccid === current.iccid ? proven.apn : apn);
}

/** Add a profile with its number and its settings. */
export function withProfile(
  state: RouterState,
  iccid: string,
  settings: ProfileSettings,
): { state: RouterState; number: number } {
  const number = state.nextInstance[PROFILES] ?? PRELOADED + 1;
  const rows = { ...state.rows, [rowOf(number)]: { ICCID: iccid, ...settingsRow(settings) } };
  return { state: { ...state, rows, nextInstance: { ...state.nextInstance, [PROFILES]: number + 1 } }, number };
}

/** Set the settings of the preloaded profile. */
export function withPreloaded(state: RouterState, settings: ProfileSettings): RouterState {
  const row = { ...state.rows[rowOf(PRELOADED)], ...settingsRow(settings) };
  return { ...state, rows: { ...state.rows, [rowOf(PRELOADED)]: row } };
}

/** Set the APN of a profile. */
export function withProfileApn(state: RouterState, number: number, apn: string): RouterState {
  const row = { ...state.rows[rowOf(number)], [SETTINGS.apn]: apn };
  return { ...state, rows: { ...state.rows, [rowOf(number)]: row } };
}

/** Remove everything known of a profile. */
export function withoutProfile(state: RouterState, iccid: string): RouterState {
  const isIts = ([path, row]: [string, RouterState['rows'][string]]) => path.startsWith(PROFILES) && row['ICCID'] === iccid;
  return { ...state, rows: Object.fromEntries(Object.entries(state.rows).filter((entry) => !isIts(entry))) };
}

/** The controller has acknowledged the end of a command. */
export function afterEsimEndDelivered(state: RouterState, commandKey: string): RouterState {
  const ended = state.esims.ended.map((end) => (end.commandKey === commandKey ? { ...end, delivered: true } : end));
  return withEsims(state, { ended });
}

/** Count a start against the profile on trial. */
export function countTrialStart(state: RouterState): RouterState {
  const { job } = state.esims;
  if (job === null || job.kind === 'download' || job.stage === 'accepted') return state;
  return withEsims(state, { job: { ...job, boots: job.boots + 1 } });
}

/** State kept by a factory reset: profiles with their APNs, without which none would connect, and the running command. */
export function retainedEsims({
  chip,
  esims,
  rows,
  nextInstance,
}: RouterState): Pick<RouterState, 'chip' | 'esims' | 'rows' | 'nextInstance'> {
  const stays = (path: string) => path.startsWith(PROFILES) || path === esims.job?.requestPath;
  const counts = (table: string) => table === PROFILES || (table === REQUESTS && esims.job !== null);
  return { chip, esims, rows: pick(rows, stays), nextInstance: pick(nextInstance, counts) };
}

/** The state with changed profile data. */
export function withEsims(state: RouterState, changed: Partial<EsimState>): RouterState {
  return { ...state, esims: { ...state.esims, ...changed } };
}

function pick<T>(record: Readonly<Record<string, T>>, matches: (key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => matches(key)));
}

function rowOf(number: number): string {
  return `${PROFILES}${number}.`;
}

function settingsRow(settings: ProfileSettings): Record<string, string> {
  const given = Object.entries(SETTINGS).map(([field, param]) => [param, settings[field as keyof ProfileSettings]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
