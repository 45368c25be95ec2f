import type { Ingest } from '../../../domains/router-state/index.ts';
import { BULK_DATA, GPS, INFO, MODEMS, PROFILES, SIMS, readFlag } from '../../../kernel/tr181.ts';
import type { Responses } from '../responses.ts';

type Readings = Ingest['readings'];

/** Name that identifies our profile. */
export const PROFILE_NAME = 'highline-telemetry';
/** How many reports a router keeps while it is disconnected. */
export const RETAINED = 'NumberOfRetainedFailedReports';
/** Two hours of reports at one a minute; if the agent rejects that, as many as fit (-1), or at least a few. */
export const RETAINED_REPORTS: readonly number[] = [120, -1, 20, 5];

/** Our extensions of which reports include values. */
export interface Extensions {
  readonly hasBattery: boolean;
  readonly hasTrail: boolean;
}

export interface BulkDataPlan {
  /** Path of our profile; undefined = it must be created. */
  readonly profile: string | undefined;
  /** Seconds. */
  readonly interval: number;
  /** Missing references of the profile: paths, with `*` where the agent supports it. */
  readonly addReferences: readonly string[];
  /** Paths of parameters that nothing needs any more. */
  readonly removeParameters: readonly string[];
  /** It keeps reports while disconnected, or lacks that function. */
  readonly retains: boolean;
  /** Parameters of the profile with wrong values: path below the profile → desired value. */
  readonly change: ReadonlyMap<string, string>;
  /** Device.BulkData.Enable is off. */
  readonly switchOn: boolean;
}

/**
 * Whether an agent can report in the format we read: USP events, JSON (TR-181 Device.BulkData). A list that the agent does not
 * report is assumed to contain it.
 */
export function canReport(responses: Responses): boolean {
  const has = (name: string, phrase: string) => {
    const list = responses.get(`${BULK_DATA}${name}`) ?? '';
    return list === '' || list.split(',').some((each) => each.trim() === phrase);
  };
  return responses.get(`${BULK_DATA}Enable`) !== undefined && has('Protocols', 'USPEventNotif') && has('EncodingTypes', 'JSON');
}

/**
 * Compare our telemetry profile at an agent (from an answer to the paths read at every connect) with the desired one.
 * @param seconds desired interval between two reports; the agent's minimum interval is respected
 * @param extensions which of our extensions the agent's supported data model includes; undefined = not known, so nothing is removed
 */
export function planBulkData(
  responses: Responses,
  readings: Readings,
  seconds: number,
  extensions: Extensions | undefined,
): BulkDataPlan {
  const least = Number(responses.get(`${BULK_DATA}MinReportingInterval`) ?? 0) || 0;
  const interval = Math.max(seconds, least);
  const desired = referencesOf(responses, readings, extensions ?? { hasBattery: false, hasTrail: false });
  const switchOn = readFlag(responses.get(`${BULK_DATA}Enable`)) === false;
  const profile = responses
    .instances(PROFILES)
    .map((instance) => `${PROFILES}${instance}.`)
    .find((path) => responses.get(`${path}Name`) === PROFILE_NAME);
  if (profile === undefined)
    return { profile, interval, addReferences: desired, removeParameters: [], retains: false, change: new Map(), switchOn };
  const current = new Map(
    responses
      .instances(`${profile}Parameter.`)
      .map((instance) => [responses.get(`${profile}Parameter.${instance}.Reference`) ?? '', `${profile}Parameter.${instance}.`]),
  );
  return {
    profile,
    interval,
    addReferences: desired.filter((reference) => !current.has(reference)),
    removeParameters:
      extensions === undefined
        ? []
        : Array.from(current).flatMap(([reference, path]) => (desired.includes(reference) ? [] : [path])),
    retains: responses.get(profile + RETAINED) !== '0',
    change: changesOf(responses, profile, interval),
    switchOn,
  };
}

/** Desired parameters of a profile, except its name. */
export function profileSettings(interval: number): ReadonlyMap<string, string> {
  return new Map([
    ['Protocol', 'USPEventNotif'],
    ['EncodingType', 'JSON'],
    ['ReportingInterval', String(interval)],
  ]);
}

/** Reports without a timestamp count as of their arrival. */
export const TIMESTAMP = 'JSONEncoding.ReportTimestamp';
/** JSON settings of the profile, which TR-181 keeps in a separate object. */
export const jsonSettings: ReadonlyMap<string, string> = new Map([
  ['JSONEncoding.ReportFormat', 'NameValuePair'],
  [TIMESTAMP, 'Unix-Epoch'],
]);

function changesOf(responses: Responses, profile: string, interval: number): ReadonlyMap<string, string> {
  const desired = [...profileSettings(interval), ...jsonSettings];
  const other = desired.filter(([name, value]) => (responses.get(profile + name) ?? value) !== value);
  const isOff = readFlag(responses.get(`${profile}Enable`)) === false;
  return new Map(isOff ? [...other, ['Enable', 'true']] : other);
}

/**
 * What makes counters of data comparable (USE-01): the SIM of each modem, and since when the router runs. TR-181 keeps the number of the SIM in one
 * of two places.
 */
function identityReferences(responses: Responses, isWild: boolean): string[] {
  const ofTable = (table: string, name: string) => {
    const paths = responses.instances(table).map((instance) => `${table}${instance}.${name}`);
    const there = paths.filter((path) => responses.get(path) !== undefined);
    return isWild && there.length > 0 ? [`${table}*.${name}`] : there;
  };
  const [withModem, withSim] = [ofTable(MODEMS, 'USIM.ICCID'), ofTable(SIMS, 'ICCID')];
  const isNumbered = responses.instances(MODEMS).some((instance) => Boolean(responses.get(`${MODEMS}${instance}.USIM.ICCID`)));
  const uptime = responses.get(`${INFO}UpTime`) === undefined ? [] : [`${INFO}UpTime`];
  return [...(isNumbered || withSim.length === 0 ? withModem : withSim), ...uptime];
}

/** One reference for each measured value that the agent has. */
function referencesOf(responses: Responses, readings: Readings, { hasBattery, hasTrail }: Extensions): string[] {
  const isWild = readFlag(responses.get(`${BULK_DATA}ParameterWildCardSupported`)) === true;
  const measured = readings.flatMap(({ from: { table, name } }) => {
    if (table === '') return hasBattery ? [name] : [];
    const paths = responses.instances(table).map((instance) => `${table}${instance}.${name}`);
    const there = paths.filter((path) => responses.get(path) !== undefined);
    return isWild && there.length > 0 ? [`${table}*.${name}`] : there;
  });
  const counts = ['.Stats.BytesSent', '.Stats.BytesReceived'].every((name) => measured.some((path) => path.endsWith(name)));
  const identity = counts ? identityReferences(responses, isWild) : [];
  return [...measured, ...(hasTrail ? [`${GPS}Trail`] : []), ...identity];
}
