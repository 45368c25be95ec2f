import { BULK_DATA, measures, PROFILES, readFlag, type Answers } from '../mapping/index.ts';

/** Our profile is found again by this name. */
export const PROFILE_NAME = 'highline-telemetry';
/** How many reports a router keeps while it has no connection. */
export const RETAINED = 'NumberOfRetainedFailedReports';
/** Two hours of them at one a minute; where that is out of the agent's range, as many as fit (-1), or at least a few. */
export const RETAINED_REPORTS: readonly number[] = [120, -1, 20, 5];

export interface BulkDataPlan {
  /** Path of our profile; undefined = it has to be made. */
  readonly profile: string | undefined;
  /** Seconds. */
  readonly interval: number;
  /** What the profile still has to report: paths, with `*` where the agent understands it. */
  readonly addReferences: readonly string[];
  /** Paths of parameters it reports for nobody. */
  readonly removeParameters: readonly string[];
  /** It keeps reports while it has no connection, or cannot. */
  readonly retains: boolean;
  /** Parameters of the profile that have other values: path below the profile → value. */
  readonly change: ReadonlyMap<string, string>;
  /** Device.BulkData.Enable is off. */
  readonly switchOn: boolean;
}

/** Whether an agent can report as we read it: USP events, JSON (TR-181 Device.BulkData). Lists it does not tell are believed to. */
export function canReport(answers: Answers): boolean {
  const has = (name: string, word: string) => {
    const list = answers.get(`${BULK_DATA}${name}`) ?? '';
    return list === '' || list.split(',').some((each) => each.trim() === word);
  };
  return answers.get(`${BULK_DATA}Enable`) !== undefined && has('Protocols', 'USPEventNotif') && has('EncodingTypes', 'JSON');
}

/**
 * Compare our telemetry profile at an agent (out of an answer to READ_PATHS) with what it should be.
 * @param seconds wanted between two reports; the agent's least interval is respected
 * @param hasBattery whether the agent's supported data model shows our extension for it
 */
export function planBulkData(answers: Answers, seconds: number, hasBattery: boolean): BulkDataPlan {
  const least = Number(answers.get(`${BULK_DATA}MinReportingInterval`) ?? 0) || 0;
  const interval = Math.max(seconds, least);
  const wanted = referencesOf(answers, hasBattery);
  const switchOn = readFlag(answers.get(`${BULK_DATA}Enable`)) === false;
  const profile = answers
    .instances(PROFILES)
    .map((instance) => `${PROFILES}${instance}.`)
    .find((path) => answers.get(`${path}Name`) === PROFILE_NAME);
  if (profile === undefined)
    return { profile, interval, addReferences: wanted, removeParameters: [], retains: false, change: new Map(), switchOn };
  const held = new Map(
    answers
      .instances(`${profile}Parameter.`)
      .map((instance) => [answers.get(`${profile}Parameter.${instance}.Reference`) ?? '', `${profile}Parameter.${instance}.`]),
  );
  return {
    profile,
    interval,
    addReferences: wanted.filter((reference) => !held.has(reference)),
    removeParameters: Array.from(held).flatMap(([reference, path]) => (wanted.includes(reference) ? [] : [path])),
    retains: answers.get(profile + RETAINED) !== '0',
    change: changesOf(answers, profile, interval),
    switchOn,
  };
}

/** What a profile's parameters should be, besides its name. */
export function profileSettings(interval: number): ReadonlyMap<string, string> {
  return new Map([
    ['Protocol', 'USPEventNotif'],
    ['EncodingType', 'JSON'],
    ['ReportingInterval', String(interval)],
  ]);
}

/** Reports without it count as of when they arrive. */
export const TIMESTAMP = 'JSONEncoding.ReportTimestamp';
/** How the JSON must be written for us to read it; a part of the profile that has a place of its own. */
export const jsonSettings: ReadonlyMap<string, string> = new Map([
  ['JSONEncoding.ReportFormat', 'NameValuePair'],
  [TIMESTAMP, 'Unix-Epoch'],
]);

function changesOf(answers: Answers, profile: string, interval: number): ReadonlyMap<string, string> {
  const wanted = [...profileSettings(interval), ...jsonSettings];
  const other = wanted.filter(([name, value]) => (answers.get(profile + name) ?? value) !== value);
  const isOff = readFlag(answers.get(`${profile}Enable`)) === false;
  return new Map(isOff ? [...other, ['Enable', 'true']] : other);
}

/** One reference for each measure that the agent has a value for. */
function referencesOf(answers: Answers, hasBattery: boolean): string[] {
  const isWild = readFlag(answers.get(`${BULK_DATA}ParameterWildCardSupported`)) === true;
  return measures.flatMap(({ table, name }) => {
    if (table === undefined) return hasBattery ? [name] : [];
    const paths = answers.instances(table).map((instance) => `${table}${instance}.${name}`);
    const there = paths.filter((path) => answers.get(path) !== undefined);
    return isWild && there.length > 0 ? [`${table}*.${name}`] : there;
  });
}
