import { tryFor, UspFault } from './errors.ts';
import type { DataModel } from './model/data-model.ts';
import { resolveObjects, splitLeaf } from './model/resolve.ts';

const PROFILES = 'Device.BulkData.Profile.';
/** Limit of kept reports when a profile keeps all. */
const MOST_REPORTS = 1_000;

type Report = Record<string, unknown>;

interface Running {
  readonly timer: NodeJS.Timeout;
  readonly seconds: number;
  /** Reports that could not be delivered, oldest first. */
  readonly failed: Report[];
}

export interface BulkDataOptions {
  readonly model: DataModel;
  isConnected(): boolean;
  /** @param data of Push!, as JSON */
  push(profile: string, data: string): void;
}

/** TR-181 Device.BulkData over USPEventNotif, in JSON. */
export class BulkData {
  readonly #options: BulkDataOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: BulkDataOptions) {
    this.#options = options;
  }

  /** Start, stop and restart profiles according to the data model. */
  update(): void {
    const { model } = this.#options;
    const isOn = model.value('Device.BulkData.Enable') === 'true';
    const enabled = isOn ? model.instances(PROFILES).filter((path) => model.value(`${path}Enable`) === 'true') : [];
    for (const path of this.#running.keys()) if (!enabled.includes(path)) this.#end(path);
    for (const path of enabled) {
      const seconds = Number(model.value(`${path}ReportingInterval`));
      if (this.#running.get(path)?.seconds !== seconds) this.#begin(path, seconds);
    }
  }

  /** Collect every enabled profile now. */
  collectAll(): void {
    for (const path of this.#running.keys()) this.#report(path);
  }

  stop(): void {
    for (const path of this.#running.keys()) this.#end(path);
  }

  #begin(path: string, seconds: number): void {
    this.#end(path);
    this.#running.set(path, { seconds, failed: [], timer: setInterval(() => this.#report(path), seconds * 1_000) });
  }

  #end(path: string): void {
    clearInterval(this.#running.get(path)?.timer);
    this.#running.delete(path);
  }

  #report(path: string): void {
    const { model, isConnected, push } = this.#options;
    const failed = this.#running.get(path)!.failed;
    failed.push(collect(model, path));
    if (isConnected()) {
      push(path, JSON.stringify({ Report: failed.splice(0) }));
      return;
    }
    const retained = Number(model.value(`${path}NumberOfRetainedFailedReports`));
    failed.splice(0, failed.length - (retained === -1 ? MOST_REPORTS : retained));
  }
}

function collect(model: DataModel, profile: string): Report {
  const report: Report = {};
  const stamp = model.value(`${profile}JSONEncoding.ReportTimestamp`);
  if (stamp === 'Unix-Epoch') report['CollectionTime'] = Math.floor(Date.now() / 1_000);
  if (stamp === 'ISO-8601') report['CollectionTime'] = new Date().toISOString();
  const isFlat = model.value(`${profile}JSONEncoding.ReportFormat`) === 'NameValuePair';
  for (const parameter of model.instances(`${profile}Parameter.`)) {
    const reference = model.value(`${parameter}Reference`) ?? '';
    for (const [path, value] of valuesOf(model, reference)) {
      if (isFlat) report[path] = value;
      else nest(report, path.split('.'), value);
    }
  }
  return report;
}

function valuesOf(model: DataModel, reference: string): [path: string, value: unknown][] {
  const [objectPath, name] = splitLeaf(reference);
  const objects = tryFor(() => resolveObjects(model, objectPath));
  if (objects instanceof UspFault) return [];
  const names = (path: string) => (name === '' ? [...model.parametersOf(path).keys()] : [name]);
  return objects.flatMap((path) =>
    names(path).flatMap((each): [string, unknown][] => {
      const value = model.value(path + each);
      return value === undefined ? [] : [[path + each, typed(model, path + each, value)]];
    }),
  );
}

/** Numbers and booleans are JSON's own (TR-181 annex A.4.2). */
function typed(model: DataModel, path: string, value: string): unknown {
  const { type } = model.parameterOf(path);
  if (type === 'boolean') return value === 'true';
  return type === 'int' || type === 'unsignedInt' ? Number(value) : value;
}

function nest(report: Report, segments: readonly string[], value: unknown): void {
  const [first = '', ...rest] = segments;
  if (rest.length === 0) report[first] = value;
  else nest((report[first] ??= {}) as Report, rest, value);
}
