import { normalizeEid, normalizeIccid } from '@highline/usp';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import type { Responses } from './responses.ts';
import { MODEMS, sanitizeText, readFlag, SIMS } from '../../../kernel/index.ts';
import { MAX_TEXT, readNumber } from './text.ts';

/** Profiles read per eUICC; real ones have fewer. */
const MOST_PROFILES = 10;
/** Higher priorities are invalid. */
const MOST_PRIORITY = 99;

/** Path of the state (enabled or disabled) of a profile. */
export const PROFILE_STATES = `${SIMS}*.Profile.*.State`;

/** The eUICC of a router, as far as it is known. */
export interface Euicc {
  /** Path of its SIM; '' = the router has none, undefined = it never said. */
  readonly path: string | undefined;
  /** '' = it reports none. */
  readonly eid: string;
  /** Whether the last reading had it. */
  readonly isThere: boolean;
  /** Since when readings lack it although they have a SIM, epoch milliseconds. */
  readonly lackingSince?: number;
}

/** A modem that restarts has no eUICC for a time. */
const RESTART_MS = 300_000;

/**
 * The eUICC after a reading: the one known before, also if others come first; without one, the first. It is gone when another one is in its place, or
 * once readings with a SIM have lacked it for longer than a modem takes to restart. A reading without any SIM says nothing: the modem may not be there
 * yet.
 * @param before as of the last reading
 * @param at when the response came, epoch milliseconds
 */
export function chooseEuicc(responses: Responses, before: Euicc, at: number): Euicc {
  const { path, eid, lackingSince = at } = before;
  const first = findEuicc(responses);
  const known = eid === '' ? first : simPathsOf(responses).find((sim) => eidOf(responses, sim) === eid);
  if (known !== undefined) return euiccAt(responses, known);
  if (first === undefined && !hasSim(responses)) return { path, eid, isThere: false };
  const isReplaced = path === undefined || path === '' || eidOf(responses, path) !== null;
  if (!isReplaced && at - lackingSince < RESTART_MS) return { path, eid, isThere: false, lackingSince };
  return first === undefined ? { path: '', eid: '', isThere: false } : euiccAt(responses, first);
}

const euiccAt = (responses: Responses, path: string): Euicc => ({ path, eid: eidOf(responses, path) ?? '', isThere: true });

/** The last reading lacks the eUICC that the router had before. */
export function isEuiccLacking({ path = '', isThere }: Euicc): boolean {
  return path !== '' && !isThere;
}

/** TR-181 keeps the number of the SIM in one of two places. */
function hasSim(responses: Responses): boolean {
  const has = (table: string, name: string) =>
    responses.instances(table).some((instance) => (responses.get(`${table}${instance}.${name}`) ?? '') !== '');
  return has(SIMS, 'ICCID') || has(MODEMS, 'USIM.ICCID');
}

const eidOf = (responses: Responses, sim: string) => readNumber(normalizeEid, responses.get(`${sim}EID`) ?? '').value;

const simPathsOf = (responses: Responses) => responses.instances(SIMS).map((instance) => `${SIMS}${instance}.`);

/** The SIM that has an EID, or at least profiles. */
function findEuicc(responses: Responses): string | undefined {
  const sims = simPathsOf(responses);
  return sims.find((sim) => eidOf(responses, sim) !== null) ?? sims.find((sim) => profilesOf(responses, sim).length > 0);
}

/** Whether an agent reports the state of profiles at all. */
export function reportsProfiles(responses: Responses): boolean {
  return simPathsOf(responses).some((sim) =>
    profilesOf(responses, sim).some((path) => responses.get(`${path}State`) !== undefined),
  );
}

/** The reported eUICC; null = the router has none, undefined = what is stored stays. */
export function readEsim(responses: Responses, { path, isThere }: Euicc): EsimReport | null | undefined {
  if (path === undefined || !isThere) return path === '' ? null : undefined;
  const profiles = profilesOf(responses, path).map((profile) => readProfile(responses, profile));
  return { path, eid: eidOf(responses, path), count: profiles.length, profiles };
}

function profilesOf(responses: Responses, sim: string): string[] {
  const table = `${sim}Profile.`;
  return responses
    .instances(table)
    .slice(0, MOST_PROFILES)
    .map((instance) => `${table}${instance}.`);
}

function readProfile(responses: Responses, path: string): ReportedProfile {
  const text = (name: string) => {
    const reported = responses.get(`${path}${name}`);
    // Keep an empty text apart from a missing one.
    return reported === undefined ? null : (sanitizeText(reported, MAX_TEXT) ?? '');
  };
  return {
    path,
    iccid: readNumber(normalizeIccid, responses.get(`${path}ICCID`) ?? '').value,
    active: responses.get(`${path}State`) === 'Active',
    preloaded: readFlag(responses.get(`${path}X_HIGHLINE_Preloaded`)) === true,
    name: text('Name'),
    carrier: text('X_HIGHLINE_Carrier'),
    apn: text('X_HIGHLINE_APN'),
    apn2: text('X_HIGHLINE_APN2'),
    priority: readPriority(responses.get(`${path}X_HIGHLINE_Priority`)),
  };
}

function readPriority(reported: string | undefined): number | null {
  const value = /^\d{1,3}$/u.test(reported ?? '') ? Number(reported) : 0;
  return value >= 1 && value <= MOST_PRIORITY ? value : null;
}
