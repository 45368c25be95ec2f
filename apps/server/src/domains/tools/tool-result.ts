import type { tools } from '@highline/contract';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';

/** Output arguments of TR-181's diagnostics. */
type Outputs = ReadonlyMap<string, string>;

const MOST_ROWS = 64;
const MOST_ADDRESSES = 16;
const LONGEST_NAME = 253;

/** Status of TR-181's diagnostics. */
const statuses: Readonly<Record<string, tools.ToolStatus>> = {
  Complete: 'complete',
  Completed: 'complete',
  Error_CannotResolveHostName: 'unknown-host',
  Error_NoRouteToHost: 'no-route',
  Error_MaxHopCountExceeded: 'too-many-hops',
  Error_DNSServerNotResolved: 'no-server',
  Error_InitConnectionFailed: 'no-connection',
  Error_NoResponse: 'no-answer',
  Error_Timeout: 'no-answer',
  Error_TransferFailed: 'interrupted',
  Error_IncorrectSize: 'interrupted',
  Error_FailedToUpload: 'not-uploaded',
};

/** Status of a row of NSLookupDiagnostics(). */
const answers = {
  Success: 'found',
  Error_HostNameNotResolved: 'unknown-host',
  Error_DNSServerNotAvailable: 'no-server',
  Error_Timeout: 'timeout',
} as const;

/** What a router reported at the end of a test, checked and bounded. */
export function toResult(tool: tools.ToolKind, outputs: Outputs): tools.ToolResult {
  const reported = outputs.get('Status');
  // Upload() of a log has no outputs: its end is its success.
  const status = reported === undefined && tool === 'log' ? 'complete' : lookUp(statuses, reported ?? '', 'other');
  const address = textOf(outputs, 'IPAddressUsed', LONGEST_NAME);
  switch (tool) {
    case 'ping':
      return { tool, status, address, ...pingOf(outputs) };
    case 'traceroute':
      return { tool, status, address, hops: hopsOf(outputs) };
    case 'dns':
      return { tool, status, answers: answersOf(outputs) };
    case 'download':
      return { tool, status, address, ...speedOf(outputs, 'TestBytesReceived') };
    case 'upload':
      return { tool, status, address, ...speedOf(outputs, 'TestBytesSent') };
    case 'capture':
      return { tool, status, packets: numberOf(outputs, 'PacketCaptureResult.1.Count') };
    case 'log':
      return { tool, status };
  }
}

/** What rules compare of a result. */
export interface Measured {
  readonly hasPassed: boolean;
  /** Null = it has no time, or none was reported. */
  readonly milliseconds: number | null;
}

/** Whether a test found what it looks for, and how long that took (LIV-04). */
export function measure(result: tools.ToolResult): Measured {
  const isComplete = result.status === 'complete';
  switch (result.tool) {
    case 'ping':
      return { hasPassed: isComplete && result.answered > 0, milliseconds: result.average };
    case 'traceroute':
      return { hasPassed: isComplete, milliseconds: averageOf(result.hops.at(-1)?.times ?? []) };
    case 'dns': {
      const found = result.answers.find(({ status, addresses }) => status === 'found' && addresses.length > 0);
      return { hasPassed: isComplete && found !== undefined, milliseconds: found?.milliseconds ?? null };
    }
    default:
      return { hasPassed: isComplete, milliseconds: null };
  }
}

function averageOf(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length;
}

function pingOf(outputs: Outputs) {
  const time = (name: string): number | null => {
    const micros = numberOf(outputs, `${name}Detailed`);
    return micros === null || micros === 0 ? numberOf(outputs, name) : micros / 1_000;
  };
  return {
    answered: numberOf(outputs, 'SuccessCount') ?? 0,
    lost: numberOf(outputs, 'FailureCount') ?? 0,
    least: time('MinimumResponseTime'),
    average: time('AverageResponseTime'),
    most: time('MaximumResponseTime'),
  };
}

function hopsOf(outputs: Outputs) {
  return rowsOf(outputs, 'RouteHops.').map((row) => ({
    host: textOf(outputs, `${row}Host`, LONGEST_NAME) ?? '',
    address: textOf(outputs, `${row}HostAddress`, LONGEST_NAME) ?? '',
    times: listOf(outputs, `${row}RTTimes`).map(Number).filter(isMeasured),
  }));
}

function answersOf(outputs: Outputs) {
  return rowsOf(outputs, 'Result.').map((row) => ({
    status: lookUp(answers, outputs.get(`${row}Status`) ?? '', 'other' as const),
    addresses: listOf(outputs, `${row}IPAddresses`),
    server: textOf(outputs, `${row}DNSServerIP`, LONGEST_NAME) ?? '',
    milliseconds: numberOf(outputs, `${row}ResponseTime`),
  }));
}

function speedOf(outputs: Outputs, name: string) {
  const transferred = numberOf(outputs, name) ?? 0;
  const [began, ended] = ['BOMTime', 'EOMTime'].map((time) => microsecondsOf(outputs.get(time) ?? ''));
  const micros = began === undefined || ended === undefined ? Number.NaN : ended - began;
  if (!isMeasured(micros) || micros === 0) return { transferred, milliseconds: null, bitsPerSecond: null };
  return { transferred, milliseconds: micros / 1_000, bitsPerSecond: Math.round((transferred * 8 * 1_000_000) / micros) };
}

/** Microseconds of a TR-106 dateTime; undefined = unreadable. */
function microsecondsOf(text: string): number | undefined {
  const [, whole, fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/u.exec(text) ?? [];
  const milliseconds = Date.parse(`${whole}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** `RouteHops.1.`, `RouteHops.2.`, as far as they are numbered without a gap. */
function rowsOf(outputs: Outputs, table: string): string[] {
  const found = new Set([...outputs.keys()].filter((name) => name.startsWith(table)).map((name) => name.split('.')[1]));
  const rows: string[] = [];
  while (rows.length < MOST_ROWS && found.has(String(rows.length + 1))) rows.push(`${table}${rows.length + 1}.`);
  return rows;
}

function listOf(outputs: Outputs, name: string): string[] {
  const items = (outputs.get(name) ?? '').slice(0, MOST_ADDRESSES * 64).split(',', MOST_ADDRESSES);
  return items.flatMap((item) => sanitizeLine(item, 64) ?? []);
}

function textOf(outputs: Outputs, name: string, longest: number): string | null {
  return sanitizeLine(outputs.get(name) ?? '', longest);
}

function numberOf(outputs: Outputs, name: string): number | null {
  const text = outputs.get(name) ?? '';
  return /^\d{1,15}$/u.test(text) ? Number(text) : null;
}

function isMeasured(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function lookUp<T, Other>(table: Readonly<Record<string, T>>, key: string, other: Other): T | Other {
  return Object.hasOwn(table, key) ? table[key]! : other;
}
