import { normalizeMac } from '@highline/usp';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import { ACCESS_POINTS, HOSTS } from '../../../kernel/tr181.ts';
import { readTime } from '../../router-state/index.ts';

/** Who counts: of a host what went to the internet, of a station of the Wi-Fi everything since it joined. */
export type CounterSource = 'host' | 'station';

/** The counters of a device that uses a vehicle's network, as its router reports them. */
export interface ClientCounter {
  /** 12 hex digits. */
  readonly mac: string;
  /** As the device calls itself; empty = it does not. */
  readonly name: string;
  readonly source: CounterSource;
  /** Bytes to the device, and from it. */
  readonly sent: number;
  readonly received: number;
  /** Of a station: when it joined, epoch milliseconds; undefined = unknown. */
  readonly since?: number | undefined;
}

/** Clients of one router that are counted: more are not, whatever it reports. */
export const MOST_COUNTED = 5_000;
export const LONGEST_NAME = 64;

const STATIONS = `${ACCESS_POINTS}*.AssociatedDevice.*.`;
export const counterPaths: readonly string[] = [
  ...['PhysAddress', 'HostName', 'WANStats.BytesSent', 'WANStats.BytesReceived'].map((name) => `${HOSTS}*.${name}`),
  ...['MACAddress', 'AssociationTime', 'Stats.BytesSent', 'Stats.BytesReceived'].map((name) => `${STATIONS}${name}`),
];

interface Row {
  mac?: string | undefined;
  name?: string | undefined;
  sent?: number | undefined;
  received?: number | undefined;
  since?: number | undefined;
}

/** What each name of a host or station is, from the side of the device. */
const fields: Readonly<Record<string, (row: Row, value: string) => void>> = {
  PhysAddress: (row, value) => (row.mac = normalizeMac(value)),
  MACAddress: (row, value) => (row.mac = normalizeMac(value)),
  HostName: (row, value) => (row.name = sanitizeLine(value, LONGEST_NAME) ?? ''),
  // Of a host they are what it sent to the internet.
  'WANStats.BytesSent': (row, value) => (row.received = countOf(value)),
  'WANStats.BytesReceived': (row, value) => (row.sent = countOf(value)),
  'Stats.BytesSent': (row, value) => (row.sent = countOf(value)),
  'Stats.BytesReceived': (row, value) => (row.received = countOf(value)),
  AssociationTime: (row, value) => (row.since = readTime(value)),
};

/**
 * The counters in what a router answered, one for each device: of its host where that is counted, else of its station. One that is not counted,
 * or whose address is none, is left out.
 */
export function readClientCounters(values: Iterable<readonly [path: string, value: string]>): ClientCounter[] {
  const rows = new Map<string, Row>();
  for (const [path, value] of values) {
    const at = path.startsWith(HOSTS) ? HOSTS.length : endOfTable(path);
    if (at === 0) continue;
    const dot = path.indexOf('.', at) + 1;
    const name = path.slice(dot);
    const set = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (dot === 0 || set === undefined) continue;
    const instance = path.slice(0, dot);
    let row = rows.get(instance);
    if (row === undefined) rows.set(instance, (row = {}));
    set(row, value);
  }
  const found = new Map<string, ClientCounter>();
  const names = new Map<string, string>();
  for (const [path, { mac, name = '', sent, received, since }] of rows) {
    if (mac === undefined) continue;
    if (name !== '') names.set(mac, name);
    const source = path.startsWith(HOSTS) ? 'host' : 'station';
    if (sent === undefined || received === undefined || (found.get(mac)?.source === 'host' && source === 'station')) continue;
    if (found.size >= MOST_COUNTED && !found.has(mac)) continue;
    found.set(mac, { mac, name, source, sent, received, since: source === 'station' ? since : undefined });
  }
  return Array.from(found.values(), (counter) => ({ ...counter, name: names.get(counter.mac) ?? '' }));
}

/** Where the instance of a station begins in a path; 0 for other paths. */
function endOfTable(path: string): number {
  const at = path.startsWith(ACCESS_POINTS) ? path.indexOf('.AssociatedDevice.') : -1;
  return at < 0 ? 0 : at + '.AssociatedDevice.'.length;
}

function countOf(text: string): number | undefined {
  const value = /^\d{1,20}$/u.test(text) ? Number(text) : undefined;
  return value === undefined || value > Number.MAX_SAFE_INTEGER ? undefined : value;
}
