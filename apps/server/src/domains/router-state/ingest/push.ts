import type { Sample } from '../telemetry/telemetry.sample.ts';
import { correctTimes, readTime } from './clock.ts';
import { readMeasured } from './measured.ts';

/** Reports read per Push!; a router with more loses the older ones. */
const MAX_REPORTS = 2_000;

type Report = Readonly<Record<string, unknown>>;

/** A report of a router: full paths and values. */
export interface PushedReport {
  /** When it was collected by our clock, epoch milliseconds. */
  readonly at: number;
  readonly values: readonly (readonly [path: string, value: unknown])[];
}

/**
 * The reports in a Push! event (TR-181 Device.BulkData, JSON, name-value pairs), with the collection time of each by our clock. Data that is not
 * such JSON yields nothing.
 * @param skewMs how far the router's clock is ahead @param now epoch milliseconds
 */
export function readPushedReports(data: string, skewMs: number | undefined, now: number): PushedReport[] {
  const reports = readReports(data).slice(-MAX_REPORTS);
  const times = correctTimes(reports.map(collectedAt), skewMs, now);
  return reports.map((report, index) => ({ at: times[index] ?? now, values: Object.entries(report) }));
}

/** The measured values in the reports of a Push! event. Anything else in them is dropped. @param modem instance of the modem in use */
export function readPush(data: string, modem: number, skewMs: number | undefined, now: number): Sample[] {
  return measuredIn(readPushedReports(data, skewMs, now), modem);
}

/** The measured values in reports. @param modem instance of the modem in use */
export function measuredIn(reports: readonly PushedReport[], modem: number): Sample[] {
  return reports.flatMap(({ at, values }) => readMeasured(values, modem, at));
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
