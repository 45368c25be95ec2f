import type { Sample } from '../telemetry/telemetry.sample.ts';
import { correctTimes, readTime } from './clock.ts';
import { readMeasured } from './measured.ts';

/** Reports read per Push!; a router with more loses the older ones. */
const MAX_REPORTS = 2_000;
/** Values read per Push!, in the same way: 500 reports of 20. A hundred thousand names that a router makes up would hold all others for 0.2 s. */
const MAX_VALUES = 10_000;

type Report = Readonly<Record<string, unknown>>;

/** A report of a router: full paths and values. */
export interface PushedReport {
  /** When it was collected by our clock, epoch milliseconds. */
  readonly at: number;
  readonly values: readonly (readonly [path: string, value: unknown])[];
}

/** What was read of a Push! event. */
export interface PushedReports {
  readonly reports: readonly PushedReport[];
  /** How far the newest is from now by the router's clock as it is known, milliseconds; 0 = it has no time. */
  readonly offMs: number;
  /** It had more values than are read: the older reports were dropped. */
  readonly isCut: boolean;
}

/**
 * The reports in a Push! event (TR-181 Device.BulkData, JSON, name-value pairs), with the collection time of each by our clock. Data that is not
 * such JSON yields nothing.
 * @param skewMs how far the router's clock is ahead @param now epoch milliseconds
 */
export function readPushedReports(data: string, skewMs: number | undefined, now: number): PushedReports {
  const newest = cutOldReports(data);
  const reports = readReports(newest).slice(-MAX_REPORTS);
  const collected = reports.map(collectedAt);
  const times = correctTimes(collected, skewMs, now);
  const last = collected.reduce<number>((a, b) => Math.max(a, b ?? a), Number.NEGATIVE_INFINITY);
  return {
    offMs: Number.isFinite(last) ? Math.abs(last - (skewMs ?? 0) - now) : 0,
    reports: reports.map((report, index) => ({ at: times[index] ?? now, values: Object.entries(report) })),
    isCut: newest !== data,
  };
}

/** The measured values in reports. @param modem instance of the modem in use */
export function measuredIn(reports: readonly PushedReport[], modem: number): Sample[] {
  return reports.flatMap(({ at, values }) => readMeasured(values, modem, at));
}

/** A report is in a list, which is in the object of the event. */
const DEPTH_OF_REPORTS = 2;

/** The JSON of a Push! event without the older reports that have more values than are read, before it costs time to parse it. */
function cutOldReports(json: string): string {
  // Each of several values begins after one of these, so they are as many as the values.
  let separators = 0;
  visitSeparators(json, () => separators++);
  if (separators <= MAX_VALUES) return json;
  let begin: number | undefined;
  visitSeparators(json, (at, depth) => {
    separators--;
    if (separators <= MAX_VALUES && depth === DEPTH_OF_REPORTS && json[at] === ',') begin ??= at + 1;
  });
  return begin === undefined ? '' : `{"Report":[${json.slice(begin)}`;
}

/** Visit the commas and brackets outside of the texts in JSON, each with the number of brackets that are open after it. */
function visitSeparators(json: string, visit: (at: number, depth: number) => void): void {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"':
        at = endOfText(json, at);
        break;
      case '{':
      case '[':
        visit(at, ++depth);
        break;
      case '}':
      case ']':
        visit(at, --depth);
        break;
      case ',':
        visit(at, depth);
        break;
    }
  }
}

/** Where the quotation mark is that ends a text. */
function endOfText(json: string, begin: number): number {
  let at = begin + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function readReports(data: string): Report[] {
  try {
    const { Report: reports } = JSON.parse(data) as { Report?: unknown };
    return (Array.isArray(reports) ? reports : [reports]).filter(isReport);
  } catch {
    return [];
  }
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `CollectionTime` is seconds since 1970 or ISO 8601, as the profile's ReportTimestamp says. */
function collectedAt({ CollectionTime: time }: Report): number | undefined {
  if (typeof time === 'string') return readTime(time) ?? (/^\d{1,11}$/u.test(time) ? Number(time) * 1_000 : undefined);
  return typeof time === 'number' && Number.isFinite(time) ? time * 1_000 : undefined;
}
