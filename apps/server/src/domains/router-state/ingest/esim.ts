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
  /** Its SIM in the last reading; 0 = that had none. */
  readonly sim: number;
  /** '' = it reports none; null = the router has no eUICC; undefined = it never said. */
  readonly eid: string | null | undefined;
  /** Since when readings lack it although they have a SIM, epoch milliseconds. */
  readonly lackingSince?: number;
}

/** A modem that restarts has no eUICC for a time. */
const RESTART_MS = 300_000;

/**
 * The eUICC after a reading: the SIM that has an EID, or at least profiles. One that was there before is gone once readings with a SIM have lacked it
 * for longer than a modem takes to restart. A reading without any SIM says nothing: the modem may not be there yet.
 * @param before as of the last reading
 * @param at when the response came, epoch milliseconds
 */
export function chooseEuicc(responses: Responses, before: Euicc, at: number): Euicc {
  const found = findEuicc(responses);
  if (found !== 0) return { sim: found, eid: eidOf(responses, found) ?? '' };
  if (!hasSim(responses)) return { sim: 0, eid: before.eid };
  const { eid, lackingSince = at } = before;
  return typeof eid === 'string' && at - lackingSince < RESTART_MS ? { sim: 0, eid, lackingSince } : { sim: 0, eid: null };
}

/** The last reading lacks the eUICC that the router had before. */
export function isEuiccLacking({ sim, eid }: Euicc): boolean {
  return sim === 0 && typeof eid === 'string';
}

/** TR-181 keeps the number of the SIM in one of two places. */
function hasSim(responses: Responses): boolean {
  const has = (table: string, name: string) =>
    responses.instances(table).some((instance) => (responses.get(`${table}${instance}.${name}`) ?? '') !== '');
  return has(SIMS, 'ICCID') || has(MODEMS, 'USIM.ICCID');
}

const eidOf = (responses: Responses, sim: number) => readNumber(normalizeEid, responses.get(`${SIMS}${sim}.EID`) ?? '').value;

function findEuicc(responses: Responses): number {
  const sims = responses.instances(SIMS);
  return sims.find((sim) => eidOf(responses, sim) !== null) ?? sims.find((sim) => profilesOf(responses, sim).length > 0) ?? 0;
}

/** Whether an agent reports the state of profiles at all. */
export function reportsProfiles(responses: Responses): boolean {
  return responses
    .instances(SIMS)
    .some((sim) => profilesOf(responses, sim).some((path) => responses.get(`${path}State`) !== undefined));
}

/** The reported eUICC; null = the router has none, undefined = what is stored stays. */
export function readEsim(responses: Responses, { sim, eid }: Euicc): EsimReport | null | undefined {
  if (sim === 0) return eid === null ? null : undefined;
  const profiles = profilesOf(responses, sim).map((path) => readProfile(responses, path));
  return {
    path: `${SIMS}${sim}.`,
    eid: eidOf(responses, sim),
    count: profiles.length,
    profiles,
  };
}

function profilesOf(responses: Responses, sim: number): string[] {
  const table = `${SIMS}${sim}.Profile.`;
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
