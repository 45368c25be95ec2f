import { entryOf, keepResults, standardCatalogue, type routerSettings, type Setting } from '@highline/contract';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import { readFlag } from '../../kernel/tr181.ts';
import { aliasOfPath, locateParameter, pathsToFind, type Location, type Reported } from './locate.ts';
import type { EffectiveSetting } from './effective-setting.ts';

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
  /** The command that sends a value which can cut the router off, from before it is sent until the router was reached with it. */
  readonly tried?: string | undefined;
}

/** Reports by path. */
export type SettingsReport = Readonly<Record<string, ValueReport>>;

/** A value with its report, and where it is on this router. */
export interface Comparison extends ValueReport, Location {
  readonly setting: Setting;
  /** What is desired is the id of a secret. */
  readonly isSealed: boolean;
}

/** An entry that nothing sets any more and that the router still has. */
export interface LeftoverEntry {
  /** `NAT.PortMapping[name=camera]` */
  readonly path: string;
  /** Of its instance, with the final dot. */
  readonly object: string;
  readonly canCut: boolean;
  /** Since when it is too much, ISO. */
  readonly since: string;
  /** The command that deletes it, where that can cut the router off: once it is back, the router has returned from that. */
  readonly tried?: string | undefined;
}

/** Parameters whose changes the router is to report, as it has them: `Device.WiFi.SSID.*.SSID`. A secret reads as nothing. */
export function pathsToWatch(comparisons: readonly Comparison[]): readonly string[] {
  const found = comparisons.filter(
    ({ object, state, setting }) => object !== undefined && state !== 'missing' && setting.isSecret !== true,
  );
  return [...new Set(found.map(({ object, parameter }) => withoutNumbers(object!) + parameter))];
}

const withoutNumbers = keepResults((object) => object.replaceAll(/\.\d+(?=\.)/gu, '.*'));

/** The parameters to read from a router, with those that its instances are found by. @param before what it reported last */
export function pathsToRead(settings: readonly EffectiveSetting[], before: SettingsReport = {}): readonly string[] {
  const paths = new Set<string>();
  for (const { setting } of settings) for (const path of pathsToFind(setting.path)) paths.add(path);
  for (const entry of entriesOf(Object.keys(before))) for (const path of pathsToFindEntry(entry)) paths.add(path);
  return [...paths];
}

/** The parameters to read for all of an entry of a list. */
const pathsToFindEntry = keepResults((path) => parametersOf(path).flatMap((each) => pathsToFind(each.path)));

const parametersOf = (pathOfEntry: string): readonly Setting[] => {
  const { list, entry } = entryOf(`${pathOfEntry}.Alias`)!;
  return standardCatalogue.ofEntry(list, entry);
};

/** Paths of the entries of lists that these paths are of: `NAT.PortMapping[name=camera]`. A leftover is known by this already. */
function entriesOf(paths: readonly string[]): ReadonlySet<string> {
  const entries = new Set<string>();
  for (const path of paths) {
    const entry = pathOfEntry(path);
    if (entry !== undefined) entries.add(entry);
  }
  return entries;
}

const pathOfEntry = keepResults((path): string | undefined => {
  const found = entryOf(path.endsWith(']') ? `${path}.Alias` : path);
  return found && found.list.replace('[name=*].', `[name=${found.entry}]`);
});

/** Entries that were set before and are not any more, as long as the router has them. */
export function findLeftovers(
  settings: readonly EffectiveSetting[],
  reported: Reported,
  { before, now }: { readonly before: SettingsReport; readonly now: Date },
): readonly LeftoverEntry[] {
  const desired = entriesOf(settings.map(({ setting }) => setting.path));
  return [...entriesOf(Object.keys(before))].flatMap((path) => {
    if (desired.has(path)) return [];
    const { instance: object } = locateParameter(reported, `${path}.Alias`, true);
    if (object === undefined) return [];
    const canCut = parametersOf(path).some((setting) => setting.canCut === true);
    const known = Object.hasOwn(before, path) ? before[path] : undefined;
    return [{ path, object, canCut, since: known?.since ?? now.toISOString(), tried: known?.tried }];
  });
}

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
    const location = locateParameter(reported, setting.path, entryOf(setting.path) !== undefined);
    const { object, parameter } = location;
    const found = object === undefined ? undefined : reported.get(object + parameter);
    const report = withTime(setting.path, withTrial(effective, reportOf(effective, found, location, context), context), context);
    const { state, desired, actual, since, message, tried } = report;
    const isSealed = 'secret' in effective.stored;
    // Written out: spread operators took a third of a comparison.
    const { instance, table } = location;
    return { setting, isSealed, object, parameter, instance, table, state, desired, actual, since, message, tried };
  });
}

type CompareContext = Parameters<typeof compareSettings>[2];

function reportOf(
  { setting, stored, text, fault }: EffectiveSetting,
  found: string | undefined,
  { table }: Location,
  context: CompareContext,
): ValueReport {
  const { before, secretOf, accepted, rejected } = context;
  if (fault !== undefined) {
    const desired = 'value' in stored ? stored.value : '';
    return { state: fault.kind === 'variable' ? 'no-value' : 'invalid', desired, message: fault.text };
  }
  const desired = 'secret' in stored ? stored.secret : text!;
  const message = rejected?.get(setting.path);
  // The entry is to be added.
  if (found === undefined && table !== undefined)
    return message === undefined ? { state: 'differs', desired } : { state: 'rejected', desired, message };
  if (found === undefined) return { state: 'missing', desired };
  const differs: ValueReport = message === undefined ? { state: 'differs', desired } : { state: 'rejected', desired, message };
  if (setting.isSecret === true) {
    if (found !== '')
      return ('secret' in stored ? secretOf(stored.secret) : text) === found ? { state: 'as-set', desired } : differs;
    // Hidden: only what was confirmed is known.
    const known = Object.hasOwn(before, setting.path) ? before[setting.path] : undefined;
    const isConfirmed = known?.desired === desired && (known.state === 'hidden' || known.state === 'as-set');
    return (accepted?.has(setting.path) ?? false) || isConfirmed ? { state: 'hidden', desired } : differs;
  }
  if (isSame(setting, text!, found)) return { state: 'as-set', desired };
  return { ...differs, actual: sanitizeLine(found) ?? '' };
}

/** A value that was sent and is not there any more: the router returned to its former one, since it did not reach us (TPL-04). */
function withTrial({ setting }: EffectiveSetting, report: ValueReport, { before }: CompareContext): ValueReport {
  const known = Object.hasOwn(before, setting.path) ? before[setting.path] : undefined;
  if (known?.tried === undefined || known.desired !== report.desired) return report;
  const { tried } = known;
  return { ...report, tried, state: report.state === 'differs' ? 'returned' : report.state };
}

/** Since when it differs: as before while it is the same difference. */
function withTime(path: string, report: ValueReport, { before, now }: CompareContext): ValueReport {
  if (!isOtherwise(report.state)) return report;
  const known = Object.hasOwn(before, path) ? before[path] : undefined;
  return { ...report, since: known?.since ?? now.toISOString() };
}

/** Whether a router has another value than the one that is set. */
export function isOtherwise(state: routerSettings.ValueState): boolean {
  return state === 'differs' || state === 'rejected' || state === 'returned';
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

/** One parameter to set. */
export interface PlannedSet {
  readonly type: 'set';
  readonly path: string;
  readonly object: string;
  readonly parameter: string;
  readonly value: string;
  /** Its former value cannot be read. */
  readonly isSecret: boolean;
}

/** An entry to add, with all its values. */
export interface PlannedAdd {
  readonly type: 'add';
  readonly paths: readonly string[];
  readonly table: string;
  readonly values: ReadonlyMap<string, string>;
}

export interface PlannedDelete {
  readonly type: 'delete';
  /** Of the entry. */
  readonly path: string;
  readonly object: string;
}

export type PlannedChange = PlannedSet | PlannedAdd | PlannedDelete;

/**
 * The least that has to be changed, in steps: what can cut the router off comes last, after everything else has been accepted. Within a
 * step entries are deleted first, since another one may get their port, and secrets are set last, since their former values cannot be set
 * back.
 * @param valueOf the text to send
 */
export function planChanges(
  comparisons: readonly Comparison[],
  leftovers: readonly LeftoverEntry[],
  valueOf: (comparison: Comparison) => string | undefined,
): readonly (readonly PlannedChange[])[] {
  const stepOf = (canCut: boolean): readonly PlannedChange[] => {
    const own = comparisons.filter(({ setting }) => (setting.canCut === true) === canCut);
    const sets = own.flatMap((each): PlannedSet[] => {
      const { object, parameter, setting, state } = each;
      const value = valueOf(each);
      if (object === undefined || value === undefined || !isOtherwise(state)) return [];
      return [{ type: 'set', path: setting.path, object, parameter, value, isSecret: setting.isSecret === true }];
    });
    return [
      ...leftovers
        .filter((each) => each.canCut === canCut)
        .map(({ path, object }): PlannedDelete => ({ type: 'delete', path, object })),
      ...addsOf(own, valueOf),
      ...sets.toSorted((a, b) => Number(a.isSecret) - Number(b.isSecret)),
    ];
  };
  return [stepOf(false), stepOf(true)].filter((step) => step.length > 0);
}

/** Entries that the router lacks, each with the values that it can have. */
function addsOf(
  comparisons: readonly Comparison[],
  valueOf: (comparison: Comparison) => string | undefined,
): readonly PlannedAdd[] {
  const lacking = comparisons.filter(({ table, state }) => table !== undefined && isOtherwise(state));
  const entries = Map.groupBy(lacking, ({ table, setting }) => `${table} ${aliasOfPath(setting.path)}`);
  return [...entries.values()].flatMap((own): PlannedAdd[] => {
    const values = own.flatMap((each): [string, string][] => {
      const value = valueOf(each);
      return value === undefined ? [] : [[each.parameter, value]];
    });
    // A part of an entry would be another one.
    if (values.length < own.length) return [];
    const alias = aliasOfPath(own[0]!.setting.path)!;
    return [
      {
        type: 'add',
        paths: own.map(({ setting }) => setting.path),
        table: own[0]!.table!,
        values: new Map([['Alias', alias], ...values]),
      },
    ];
  });
}

/** Aliases to give to the instances that were found by their position, so that they are found when their numbers change. */
export function planNames(comparisons: readonly Comparison[], reported: Reported): readonly PlannedSet[] {
  const named = comparisons.flatMap(({ instance, setting: { path } }): PlannedSet[] => {
    const alias = aliasOfPath(path);
    if (alias === undefined || instance === undefined || reported.get(`${instance}Alias`) === alias) return [];
    return [{ type: 'set', path, object: instance, parameter: 'Alias', value: alias, isSecret: false }];
  });
  return [...new Map(named.map((each) => [each.object, each])).values()];
}

/** The report as it is stored. */
export function toReport(comparisons: readonly Comparison[], leftovers: readonly LeftoverEntry[] = []): SettingsReport {
  const reports: Record<string, ValueReport> = {};
  for (const { setting, state, desired, actual, since, message, tried } of comparisons) {
    const isPlain = actual === undefined && since === undefined && message === undefined && tried === undefined;
    reports[setting.path] = isPlain
      ? { state, desired }
      : {
          state,
          desired,
          ...(actual === undefined ? {} : { actual }),
          ...(since === undefined ? {} : { since }),
          ...(message === undefined ? {} : { message: sanitizeLine(message) ?? '' }),
          ...(tried === undefined ? {} : { tried }),
        };
  }
  for (const { path, since, tried } of leftovers)
    reports[path] = { state: 'differs', desired: '', since, ...(tried === undefined ? {} : { tried }) };
  return reports;
}

/** What is stored of a device: the worst of its values. */
export type StoredState = Exclude<routerSettings.DeviceState, 'not-sent' | 'none'>;

/** The worst of these states; undefined without any value. */
export function worstState(states: readonly routerSettings.ValueState[]): StoredState | 'not-sent' | undefined {
  if (states.length === 0) return undefined;
  const has = (...some: readonly routerSettings.ValueState[]) => states.some((state) => some.includes(state));
  if (has('differs', 'rejected', 'returned')) return 'differs';
  if (has('not-sent')) return 'not-sent';
  if (has('no-value', 'invalid')) return 'incomplete';
  return has('missing') ? 'not-readable' : 'as-set';
}
