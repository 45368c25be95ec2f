import type { Sample } from '../telemetry/telemetry.sample.ts';
import { correctTimes, readTime } from './clock.ts';
import { readMeasured } from './measured.ts';

/** Reports read per Push!; a router with more loses the older ones. */
const MAX_REPORTS = 2_000;

type Report = Readonly<Record<string, unknown>>;

/**
 * The measured values in a Push! event (TR-181 Device.BulkData, JSON, name-value pairs), with the collection time of each report
 * by our clock. Anything else in it is dropped; data that is not such JSON yields nothing.
 * @param modem instance of the modem in use @param skewMs how far the router's clock is ahead @param now epoch milliseconds
 */
export function readPush(data: string, modem: number, skewMs: number | undefined, now: number): Sample[] {
  const reports = readReports(data).slice(-MAX_REPORTS);
  const times = correctTimes(reports.map(collectedAt), skewMs, now);
  return reports.flatMap((report, index) => readMeasured(Object.entries(report), modem, times[index] ?? now));
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
