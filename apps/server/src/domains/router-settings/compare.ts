import { wifiNetworks, type routerSettings, type Setting } from '@highline/contract';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import { readFlag } from '../../kernel/tr181.ts';
import type { EffectiveSetting } from './resolve.ts';

/** What is known of a value of a router: stored by its path. */
export interface ValueReport {
  readonly state: Exclude<routerSettings.ValueState, 'not-sent'>;
  /** The text that was desired, or the id of the secret. */
  readonly desired: string;
  /** What the router reported; left out = unknown or a secret. */
  readonly actual?: string | undefined;
  /** Since when it differs, ISO. */
  readonly since?: string | undefined;
  readonly message?: string | undefined;
}

/** Reports by path. */
export type SettingsReport = Readonly<Record<string, ValueReport>>;

/** A value with its report, and where it is on this router. */
export interface Comparison extends ValueReport {
  readonly setting: Setting;
  /** Path of the instance with its final dot; undefined = the router has none. */
  readonly object: string | undefined;
  readonly parameter: string;
}

/** A desired path in parts: `WiFi.SSID[name=passengers].SSID`. */
interface PathParts {
  /** With its final dot. */
  readonly table: string;
  readonly key: string;
  readonly of: string;
  readonly parameter: string;
}

const KEYED = /^(?<table>[A-Za-z0-9.]+)\[(?<key>[a-z]+)=(?<of>[^\]]+)\]\.(?<parameter>[A-Za-z0-9.]+)$/u;

function partsOf(path: string): PathParts {
  const groups = KEYED.exec(path)?.groups;
  if (groups !== undefined) {
    const { table = '', key = '', of = '', parameter = '' } = groups;
    return { table: `Device.${table}.`, key, of, parameter };
  }
  const at = path.lastIndexOf('.') + 1;
  return { table: `Device.${path.slice(0, at)}`, key: '', of: '', parameter: path.slice(at) };
}

const SSIDS = 'Device.WiFi.SSID.';
/** The parameter that each key is compared with. */
const keyParameters: Readonly<Record<string, string>> = { name: 'Alias', ssid: 'SSIDReference', band: 'OperatingFrequencyBand' };

/** The parameters to read from a router for these values, with those that its instances are found by. */
export function pathsToRead(settings: readonly EffectiveSetting[]): readonly string[] {
  const paths = settings.flatMap(({ setting }) => {
    const { table, key, parameter } = partsOf(setting.path);
    if (key === '') return [`${table}${parameter}`];
    const own = [`${table}*.${parameter}`, `${table}*.${keyParameters[key]}`];
    return key === 'ssid' ? [...own, `${SSIDS}*.Alias`, `${SSIDS}*.SSID`] : own;
  });
  return [...new Set(paths)];
}

/** What a router answered: values by their full paths. */
type Reported = ReadonlyMap<string, string>;

/** Compare what is desired with what the router reports (TPL-05). */
export function compareSettings(
  settings: readonly EffectiveSetting[],
  reported: Reported,
  context: {
    /** What was known before: of the same router. */
    readonly before: SettingsReport;
    /** The text of a secret, by its id. */
    readonly secretOf: (id: string) => string | undefined;
    /** Paths of what the router accepted just now. */
    readonly accepted?: ReadonlySet<string>;
    /** Its messages about what it rejected just now, by path. */
    readonly rejected?: ReadonlyMap<string, string>;
    readonly now: Date;
  },
): readonly Comparison[] {
  return settings.map((effective) => {
    const { setting } = effective;
    const { parameter, ...at } = partsOf(setting.path);
    const object = findInstance(reported, at);
    const found = object === undefined ? undefined : reported.get(object + parameter);
    const report = withTime(setting.path, reportOf(effective, found, context), context);
    return { setting, object, parameter, ...report };
  });
}

type CompareContext = Parameters<typeof compareSettings>[2];

function reportOf(
  { setting, stored, text, fault }: EffectiveSetting,
  found: string | undefined,
  context: CompareContext,
): ValueReport {
  const { before, secretOf, accepted, rejected } = context;
  if (fault !== undefined) {
    const desired = 'value' in stored ? stored.value : '';
    return { state: fault.kind === 'variable' ? 'no-value' : 'invalid', desired, message: fault.text };
  }
  const desired = 'secret' in stored ? stored.secret : text!;
  if (found === undefined) return { state: 'missing', desired };
  const message = rejected?.get(setting.path);
  const differs: ValueReport = message === undefined ? { state: 'differs', desired } : { state: 'rejected', desired, message };
  if ('secret' in stored) {
    if (found !== '') return secretOf(stored.secret) === found ? { state: 'as-set', desired } : differs;
    // Hidden: only what was confirmed is known.
    const known = Object.hasOwn(before, setting.path) ? before[setting.path] : undefined;
    const isConfirmed = known?.desired === desired && (known.state === 'hidden' || known.state === 'as-set');
    return (accepted?.has(setting.path) ?? false) || isConfirmed ? { state: 'hidden', desired } : differs;
  }
  if (isSame(setting, text!, found)) return { state: 'as-set', desired };
  return { ...differs, actual: sanitizeLine(found) ?? '' };
}

/** Since when it differs: as before while it is the same difference. */
function withTime(path: string, report: ValueReport, { before, now }: CompareContext): ValueReport {
  if (report.state !== 'differs' && report.state !== 'rejected') return report;
  const known = Object.hasOwn(before, path) ? before[path] : undefined;
  return { ...report, since: known?.since ?? now.toISOString() };
}

function isSame({ kind }: Setting, desired: string, found: string): boolean {
  switch (kind.type) {
    case 'flag':
      return readFlag(found) === (desired === 'true');
    case 'number':
      return Number(found) === Number(desired);
    case 'addresses':
      return listOf(found) === listOf(desired);
    default:
      return found === desired;
  }
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .join(',');

/** Path of the instance on this router, with its final dot. */
function findInstance(reported: Reported, { table, key, of }: Pick<PathParts, 'table' | 'key' | 'of'>): string | undefined {
  if (key === '') return table;
  const instances = instancesOf(reported, table);
  if (key === 'name') return findNamed(reported, table, of, instances);
  const target = key === 'ssid' ? findNamed(reported, SSIDS, of, instancesOf(reported, SSIDS)) : of;
  if (target === undefined) return undefined;
  const bare = target.replace(/\.$/u, '');
  return instances.find((path) => reported.get(path + keyParameters[key])?.replace(/\.$/u, '') === bare);
}

/** The instance with this alias; while none has it, the first that has no name of ours, in the order of the names. */
function findNamed(reported: Reported, table: string, name: string, instances: readonly string[]): string | undefined {
  const names: readonly string[] = table === SSIDS ? wifiNetworks : [name];
  const aliasOf = (path: string) => reported.get(`${path}Alias`);
  const named = instances.find((path) => aliasOf(path) === name);
  if (named !== undefined) return named;
  const unnamed = instances.filter((path) => !names.includes(aliasOf(path) ?? ''));
  const missing = names.filter((each) => !instances.some((path) => aliasOf(path) === each));
  return unnamed[missing.indexOf(name)];
}

/** Paths of the instances of a table, ascending. */
function instancesOf(reported: Reported, table: string): readonly string[] {
  const numbers = new Set<number>();
  for (const path of reported.keys()) {
    if (!path.startsWith(table)) continue;
    const number = Number(path.slice(table.length, path.indexOf('.', table.length)));
    if (Number.isInteger(number) && number > 0) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b).map((number) => `${table}${number}.`);
}

/** One parameter to set. */
export interface PlannedSet {
  readonly path: string;
  readonly object: string;
  readonly parameter: string;
  readonly value: string;
}

/**
 * The least that has to be set, in steps: what can cut the router off comes last, after everything else has been accepted.
 * @param valueOf the text to send
 */
export function planSets(
  comparisons: readonly Comparison[],
  valueOf: (comparison: Comparison) => string | undefined,
): readonly (readonly PlannedSet[])[] {
  const steps: [PlannedSet[], PlannedSet[]] = [[], []];
  for (const each of comparisons) {
    const { object, parameter, setting, state } = each;
    const value = valueOf(each);
    if (object === undefined || value === undefined || (state !== 'differs' && state !== 'rejected')) continue;
    // A parameter may be in an object below the instance: `Security.KeyPassphrase`.
    const at = parameter.lastIndexOf('.') + 1;
    steps[setting.canCut === true ? 1 : 0].push({
      path: setting.path,
      object: object + parameter.slice(0, at),
      parameter: parameter.slice(at),
      value,
    });
  }
  return steps.filter((step) => step.length > 0);
}

/** Aliases to give to the instances that were found by their position, so that they are found when their numbers change. */
export function planNames(comparisons: readonly Comparison[], reported: Reported): readonly PlannedSet[] {
  const named = comparisons.flatMap(({ object, setting: { path } }) => {
    const { key, of } = partsOf(path);
    if (key !== 'name' || object === undefined || reported.get(`${object}Alias`) === of) return [];
    return [{ path, object, parameter: 'Alias', value: of }];
  });
  return [...new Map(named.map((each) => [each.object, each])).values()];
}

/** The report as it is stored. */
export function toReport(comparisons: readonly Comparison[]): SettingsReport {
  return Object.fromEntries(
    comparisons.map(({ setting, state, desired, actual, since, message }) => [
      setting.path,
      {
        state,
        desired,
        ...(actual === undefined ? {} : { actual }),
        ...(since === undefined ? {} : { since }),
        ...(message === undefined ? {} : { message: sanitizeLine(message) ?? '' }),
      },
    ]),
  );
}

/** What is stored of a device: the worst of its values. */
export type StoredState = Exclude<routerSettings.DeviceState, 'not-sent' | 'none'>;

/** The worst of these states; undefined without any value. */
export function worstState(states: readonly routerSettings.ValueState[]): StoredState | 'not-sent' | undefined {
  if (states.length === 0) return undefined;
  const has = (...some: readonly routerSettings.ValueState[]) => states.some((state) => some.includes(state));
  if (has('differs', 'rejected')) return 'differs';
  if (has('not-sent')) return 'not-sent';
  if (has('no-value', 'invalid')) return 'incomplete';
  return has('missing') ? 'not-readable' : 'as-set';
}
