import type { EsimReport, ToldProfile } from '../../ports/device-link.ts';
import type { Answers } from './answers.ts';
import { SIMS } from './paths.ts';
import { cleanText } from '../../told-text.ts';
import { readFlag, readNumber } from './text.ts';

/** Code units kept of a text that a router tells. */
const LONGEST = 100;
/** Profiles that are read of one eUICC; no other is believed. */
const MOST_PROFILES = 10;
/** Priorities beyond are none. */
const MOST_PRIORITY = 99;

/** Where a profile says whether it is in use. */
export const PROFILE_STATES = `${SIMS}*.Profile.*.State`;

/** The SIM that is an eUICC: it has an EID, or at least profiles. 0 = none is. */
export function findEuicc(answers: Answers): number {
  const sims = answers.instances(SIMS);
  const hasEid = (sim: number) => cleanText(answers.get(`${SIMS}${sim}.EID`) ?? '', LONGEST) !== null;
  return sims.find((sim) => hasEid(sim)) ?? sims.find((sim) => profilesOf(answers, sim).length > 0) ?? 0;
}

/** Whether an agent tells the state of profiles at all. */
export function tellsProfiles(answers: Answers): boolean {
  return answers
    .instances(SIMS)
    .some((sim) => profilesOf(answers, sim).some((path) => answers.get(`${path}State`) !== undefined));
}

/** What a router tells of its eUICC; null = it has none. */
export function readEsim(answers: Answers): EsimReport | null {
  const sim = findEuicc(answers);
  if (sim === 0) return null;
  const profiles = profilesOf(answers, sim).map((path) => readProfile(answers, path));
  return {
    path: `${SIMS}${sim}.`,
    eid: readNumber('eid', answers.get(`${SIMS}${sim}.EID`) ?? '').value,
    count: profiles.length,
    profiles,
  };
}

function profilesOf(answers: Answers, sim: number): string[] {
  const table = `${SIMS}${sim}.Profile.`;
  return answers
    .instances(table)
    .slice(0, MOST_PROFILES)
    .map((instance) => `${table}${instance}.`);
}

function readProfile(answers: Answers, path: string): ToldProfile {
  const text = (name: string) => {
    const told = answers.get(`${path}${name}`);
    // A text that is there and empty is told; one that is not there is not.
    return told === undefined ? null : (cleanText(told, LONGEST) ?? '');
  };
  return {
    path,
    iccid: readNumber('iccid', answers.get(`${path}ICCID`) ?? '').value,
    active: answers.get(`${path}State`) === 'Active',
    preloaded: readFlag(answers.get(`${path}X_HIGHLINE_Preloaded`)) === true,
    name: text('Name'),
    carrier: text('X_HIGHLINE_Carrier'),
    apn: text('X_HIGHLINE_APN'),
    apn2: text('X_HIGHLINE_APN2'),
    priority: readPriority(answers.get(`${path}X_HIGHLINE_Priority`)),
  };
}

function readPriority(told: string | undefined): number | null {
  const value = /^\d{1,3}$/u.test(told ?? '') ? Number(told) : 0;
  return value >= 1 && value <= MOST_PRIORITY ? value : null;
}
