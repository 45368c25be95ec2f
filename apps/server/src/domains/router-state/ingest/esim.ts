import { normalizeEid, normalizeIccid } from '@highline/usp';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import type { Responses } from './responses.ts';
import { sanitizeText, readFlag, SIMS } from '../../../kernel/index.ts';
import { MAX_TEXT, readNumber } from './text.ts';

/** Profiles read per eUICC; real ones have fewer. */
const MOST_PROFILES = 10;
/** Higher priorities are invalid. */
const MOST_PRIORITY = 99;

/** Path of the state (enabled or disabled) of a profile. */
export const PROFILE_STATES = `${SIMS}*.Profile.*.State`;

/** The SIM that is an eUICC: it has an EID, or at least profiles. 0 = none. */
export function findEuicc(responses: Responses): number {
  const sims = responses.instances(SIMS);
  const hasEid = (sim: number) => readNumber(normalizeEid, responses.get(`${SIMS}${sim}.EID`) ?? '').value !== null;
  return sims.find((sim) => hasEid(sim)) ?? sims.find((sim) => profilesOf(responses, sim).length > 0) ?? 0;
}

/** Whether an agent reports the state of profiles at all. */
export function reportsProfiles(responses: Responses): boolean {
  return responses
    .instances(SIMS)
    .some((sim) => profilesOf(responses, sim).some((path) => responses.get(`${path}State`) !== undefined));
}

/** The reported eUICC; null = the router has none. */
export function readEsim(responses: Responses): EsimReport | null {
  const sim = findEuicc(responses);
  if (sim === 0) return null;
  const profiles = profilesOf(responses, sim).map((path) => readProfile(responses, path));
  return {
    path: `${SIMS}${sim}.`,
    eid: readNumber(normalizeEid, responses.get(`${SIMS}${sim}.EID`) ?? '').value,
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
