import { pathKind } from '@highline/usp';
import type { ParamValueType } from '@highline/usp';
import { type RouterView, UspFault } from '../model/definition.ts';
import { type Located, type Model, instancesOf, locate } from '../model/model.ts';
import { BULK_DATA, PROFILES } from '../model/objects/bulk-data.ts';
import { GPS_TRAIL } from '../model/objects/vehicle.ts';
import { formatTime } from '../model/params.ts';
import { type FoundParam, findParams, valueOf } from '../model/read.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { readSetting } from './subscriptions.ts';
import { everyInterval, firstDelay, readPeriod } from './timing.ts';

export type ReportsOptions = {
  model: Model;
  router: RouterView;
  scheduler: Scheduler;
  random: () => number;
  /** Send Push!; false without a connection, so that the report is kept for later. */
  push(profilePath: string, data: string): boolean;
};

/** One collection: name → JSON value. */
type Report = { [name: string]: string | number | boolean };
type ActiveProfile = { signature: string; cancel: Cancel; retained: Report[] };

/** Limit of kept reports per profile, whatever the controller configures: a router has little memory. */
const MAX_RETAINED = 1000;
/** Of the reports in one message: the server closes the connection at a message above 1 MiB, and reports of days have more. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Bulk data by USP event (TR-181 Device.BulkData): collects each enabled profile's parameters at its interval, as JSON name-value
 * pairs with the router's own time. While disconnected, reports are kept up to the profile's limit and sent afterwards, many in a message.
 */
export class Reports {
  readonly #options: ReportsOptions;
  readonly #active = new Map<string, ActiveProfile>();

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Apply the current profiles; one with unchanged timing continues. */
  follow(): void {
    const desired = new Map(this.#enabledProfiles().map((path) => [path, this.#timing(path)]));
    for (const [path, profile] of this.#active) if (desired.get(path)?.signature !== profile.signature) this.#end(path);
    for (const [path, timing] of desired) if (!this.#active.has(path)) this.#begin(path, timing);
  }

  /** Collect one profile now and send its reports. */
  collect(path: string): void {
    const profile = this.#active.get(path);
    if (!profile) return;
    profile.retained.push(this.#report(path));
    this.#send(path, profile);
  }

  /** Collect every active profile now. */
  collectAll(): void {
    for (const path of this.#active.keys()) this.collect(path);
  }

  /** Connected: send the kept reports. */
  flush(): void {
    for (const [path, profile] of this.#active) if (profile.retained.length > 0) this.#send(path, profile);
  }

  close(): void {
    for (const path of this.#active.keys()) this.#end(path);
  }

  #enabledProfiles(): string[] {
    const { model, router } = this.#options;
    if (readSetting(model, router, `${BULK_DATA}Enable`) !== 'true') return [];
    const profiles = locate(model, router, PROFILES).flatMap((table) => instancesOf(router, table));
    return profiles.map(({ path }) => path).filter((path) => readSetting(model, router, `${path}Enable`) === 'true');
  }

  #timing(path: string): { signature: string; intervalMs: number; first: number } {
    const { model, router, random } = this.#options;
    const interval = readSetting(model, router, `${path}ReportingInterval`);
    const reference = readSetting(model, router, `${path}TimeReference`);
    const period = readPeriod(interval, reference);
    const first = firstDelay(period, router.platform.clock.now(), random());
    return { signature: `${interval} ${reference}`, intervalMs: period.intervalMs, first };
  }

  #begin(path: string, { signature, first, intervalMs }: { signature: string; first: number; intervalMs: number }): void {
    const cancel = everyInterval(this.#options.scheduler, first, intervalMs, () => this.collect(path));
    this.#active.set(path, { signature, cancel, retained: [] });
  }

  #end(path: string): void {
    this.#active.get(path)?.cancel();
    this.#active.delete(path);
  }

  #send(path: string, profile: ActiveProfile): void {
    while (profile.retained.length > 0) {
      const portion = firstPortion(profile.retained);
      if (!this.#options.push(path, `{"Report":[${portion.join(',')}]}`)) return this.#dropOldest(path, profile);
      profile.retained.splice(0, portion.length);
    }
  }

  #dropOldest(path: string, profile: ActiveProfile): void {
    const requested = Number(readSetting(this.#options.model, this.#options.router, `${path}NumberOfRetainedFailedReports`));
    const limit = requested < 0 ? MAX_RETAINED : Math.min(requested, MAX_RETAINED);
    profile.retained.splice(0, profile.retained.length - limit);
  }

  #report(path: string): Report {
    const { model, router } = this.#options;
    const entries: [string, string | number | boolean][] = [];
    const stamp = readSetting(model, router, `${path}JSONEncoding.ReportTimestamp`);
    const now = router.platform.clock.now();
    if (stamp === 'Unix-Epoch') entries.push(['CollectionTime', Math.floor(now / 1000)]);
    if (stamp === 'ISO-8601') entries.push(['CollectionTime', formatTime(now)]);
    for (const parameter of this.#parametersOf(path)) entries.push(...this.#collectParameter(parameter.path));
    const report: Report = Object.fromEntries(entries);
    if (GPS_TRAIL in report) router.trail.advance();
    return report;
  }

  #parametersOf(path: string): Located[] {
    const { model, router } = this.#options;
    return locate(model, router, `${path}Parameter.`).flatMap((table) => instancesOf(router, table));
  }

  #collectParameter(path: string): [string, string | number | boolean][] {
    const { model, router } = this.#options;
    const reference = readSetting(model, router, `${path}Reference`);
    if (reference === '') return [];
    const name = readSetting(model, router, `${path}Name`);
    try {
      const found = findParams(model, router, reference);
      return found.map((each) => [reportedName(each, reference, name), asJson(each.param.type, valueOf(router, each))]);
    } catch (error) {
      if (error instanceof UspFault) return [];
      throw error;
    }
  }
}

/** As many of the first reports as fit into one message, as JSON. */
function firstPortion(reports: readonly Report[]): readonly string[] {
  const portion: string[] = [];
  let size = 0;
  for (const report of reports) {
    const text = JSON.stringify(report);
    size += text.length;
    if (size > MOST_CHARACTERS && portion.length > 0) break;
    portion.push(text);
  }
  return portion;
}

/** A given name replaces an exact reference; for the instances of a wildcard or partial path, the differing part is appended. */
function reportedName({ path, name, located }: FoundParam, reference: string, given: string): string {
  if (given === '') return path;
  if (pathKind(reference) === 'object') return [given, ...located.ids, name].join('.');
  return reference.includes('*') ? [given, ...located.ids].join('.') : given;
}

function asJson(type: ParamValueType, value: string): string | number | boolean {
  switch (type) {
    case 'PARAM_BOOLEAN':
      return value === 'true';
    case 'PARAM_INT':
    case 'PARAM_LONG':
    case 'PARAM_UNSIGNED_INT':
    case 'PARAM_UNSIGNED_LONG':
    case 'PARAM_DECIMAL':
      return Number(value);
    default:
      return value;
  }
}
