import { REQUESTS, withoutRequest, withRequest } from './requests.ts';
import type { EsimState, RouterState, SwitchJob, EsimJobRequest } from './state.ts';

/** How eSIM commands move the stored state. Pure: the caller commits what comes out, and a crash between two commits resumes at the first. */

/** The table of profiles; the one from the factory is its first instance, and what was set of the others is in rows. */
export const PROFILES = 'Device.TrustedElements.SIM.1.Profile.';
const ACCESS_POINT = 'Device.Cellular.AccessPoint.1.';
export const PRELOADED = 1;
const KEPT_ENDS = 8;

/** What a controller gives a profile; empty = nothing of its own. */
export type ProfileSettings = { name: string; apn: string; apn2: string; priority: string };

/** Names of a profile's settings in the data model. */
export const SETTINGS = {
  name: 'Name',
  apn: 'X_HIGHLINE_APN',
  apn2: 'X_HIGHLINE_APN2',
  priority: 'X_HIGHLINE_Priority',
} as const;

/** A job begins: it and its Request row are one write. */
export function withEsimJob(before: RouterState, request: EsimJobRequest, originator: string): RouterState {
  const { state, requestPath } = withRequest(before, request, originator);
  const job =
    request.kind === 'download'
      ? ({ ...request, requestPath, stage: 'download' } as const)
      : ({ ...request, requestPath, stage: 'accepted', previous: '', trying: '', untried: [], boots: 0 } as const);
  return withEsims(state, { job: job as EsimState['job'] });
}

/** The job ends; what is to be told of it is kept until it was. @param failure null = it is done */
export function withEsimEnd(state: RouterState, failure: string | null, outputs: Readonly<Record<string, string>>): RouterState {
  const { job, ended } = state.esims;
  if (job === null) return state;
  const { objPath, command, commandKey, requestPath } = job;
  const end = { objPath, command, commandKey, failure, outputs: { ...outputs }, delivered: false };
  const others = ended.filter((each) => each.commandKey !== commandKey);
  return withEsims(withoutRequest(state, requestPath), { job: null, ended: [...others, end].slice(-KEPT_ENDS) });
}

/** Another profile comes into use; what was set for the access point of the one before goes. */
export function withSwitching(state: RouterState, job: SwitchJob): RouterState {
  const { [ACCESS_POINT]: row, ...rows } = state.rows;
  const { APN: _, ...rest } = row ?? {};
  return withEsims({ ...state, rows: row === undefined ? rows : { ...rows, [ACCESS_POINT]: rest } }, { job });
}

/** A profile gets its number and its settings. */
export function withProfile(
  state: RouterState,
  iccid: string,
  settings: ProfileSettings,
): { state: RouterState; number: number } {
  const number = state.nextInstance[PROFILES] ?? PRELOADED + 1;
  const rows = { ...state.rows, [rowOf(number)]: { ICCID: iccid, ...settingsRow(settings) } };
  return { state: { ...state, rows, nextInstance: { ...state.nextInstance, [PROFILES]: number + 1 } }, number };
}

/** The profile from the factory gets settings. */
export function withPreloaded(state: RouterState, settings: ProfileSettings): RouterState {
  const row = { ...state.rows[rowOf(PRELOADED)], ...settingsRow(settings) };
  return { ...state, rows: { ...state.rows, [rowOf(PRELOADED)]: row } };
}

/** A profile gets another access point. */
export function withProfileApn(state: RouterState, number: number, apn: string): RouterState {
  const row = { ...state.rows[rowOf(number)], [SETTINGS.apn]: apn };
  return { ...state, rows: { ...state.rows, [rowOf(number)]: row } };
}

/** What was known of a profile goes with it. */
export function withoutProfile(state: RouterState, iccid: string): RouterState {
  const isIts = ([path, row]: [string, RouterState['rows'][string]]) => path.startsWith(PROFILES) && row['ICCID'] === iccid;
  return { ...state, rows: Object.fromEntries(Object.entries(state.rows).filter((entry) => !isIts(entry))) };
}

/** The controller has taken the end of a command. */
export function afterEsimEndDelivered(state: RouterState, commandKey: string): RouterState {
  const ended = state.esims.ended.map((end) => (end.commandKey === commandKey ? { ...end, delivered: true } : end));
  return withEsims(state, { ended });
}

/** A start counts against the profile that is on trial. */
export function countTrialStart(state: RouterState): RouterState {
  const { job } = state.esims;
  if (job === null || job.kind === 'download' || job.stage === 'accepted') return state;
  return withEsims(state, { job: { ...job, boots: job.boots + 1 } });
}

/** What a factory reset leaves: profiles with their access points, without which none would connect, and the command under way. */
export function keptOfEsims({
  chip,
  esims,
  rows,
  nextInstance,
}: RouterState): Pick<RouterState, 'chip' | 'esims' | 'rows' | 'nextInstance'> {
  const stays = (path: string) => path.startsWith(PROFILES) || path === esims.job?.requestPath;
  const counts = (table: string) => table === PROFILES || (table === REQUESTS && esims.job !== null);
  return { chip, esims, rows: pick(rows, stays), nextInstance: pick(nextInstance, counts) };
}

/** The state with some of what is kept of profiles changed. */
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
