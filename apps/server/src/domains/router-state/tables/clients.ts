import { networks } from '@highline/contract';
import { asObjectPath, normalizeMac } from '@highline/usp';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import { ACCESS_POINTS, ETHERNET_INTERFACES, HOSTS, readFlag, SSIDS } from '../../../kernel/tr181.ts';
import { readTime } from '../ingest/clock.ts';
import type { Responses } from '../ingest/responses.ts';
import { readCount } from './uplinks.ts';

const STATIONS = `${ACCESS_POINTS}*.AssociatedDevice.*.`;
const MOST_ADDRESSES = 4;
/** The first year is TR-106's unknown time. */
const EARLIEST = Date.UTC(2000, 0, 1);

/** How many there are, and the names of what they are connected to. */
export const clientCountPaths: readonly string[] = [
  'Device.Hosts.HostNumberOfEntries',
  `${ACCESS_POINTS}*.AssociatedDeviceNumberOfEntries`,
  `${ACCESS_POINTS}*.SSIDReference`,
  `${SSIDS}*.SSID`,
  `${ETHERNET_INTERFACES}*.Name`,
];

const columns: readonly string[] = [
  ...['PhysAddress', 'HostName', 'IPAddress', 'Active', 'ActiveLastChange', 'Layer1Interface'].map((name) => `${HOSTS}*.${name}`),
  ...['BytesSent', 'BytesReceived'].map((name) => `${HOSTS}*.WANStats.${name}`),
  ...['MACAddress', 'Active', 'SignalStrength', 'AssociationTime', 'Stats.BytesSent', 'Stats.BytesReceived'].map(
    (name) => `${STATIONS}${name}`,
  ),
];

/** Hosts have several IPv6 addresses each: those of more clients do not fit into an answer. */
const MOST_WITH_IPV6 = 1_500;

/**
 * What is read of each client. Of a router with many, one after another: the answer to all would be too long.
 * @param count clients that the router says it has
 */
export function listClientPaths(count: number): readonly string[] {
  // Last: where an answer is too long all the same, only addresses are missing.
  return count > MOST_WITH_IPV6 ? columns : [...columns, `${HOSTS}*.IPv6Address.*.IPAddress`];
}

/** How many hosts a router says it has, or stations if they are more: a client of the Wi-Fi is in both tables. */
export function countClients(responses: Responses): number {
  const countOf = (table: string) => readCount(responses.get(`${table}NumberOfEntries`)) ?? 0;
  const points = responses.instances(ACCESS_POINTS).map((instance) => `${ACCESS_POINTS}${instance}.AssociatedDevice`);
  const stations = points.reduce((sum, table) => sum + countOf(table), 0);
  return Math.max(countOf('Device.Hosts.Host'), stations);
}

/** As stored: only what is there. */
export interface StoredClients {
  readonly total: number;
  readonly clients: readonly networks.Client[];
}

type Row = Map<string, string>;

/**
 * Devices that use the vehicle's network now, by MAC address: hosts with what the Wi-Fi knows of them. At most 5,000 are kept.
 * @param clockSkewMs how far the router's clock is ahead
 */
export function readClients(responses: Responses, clockSkewMs = 0): StoredClients {
  const count = countClients(responses);
  if (count > networks.MOST_READ_CLIENTS) return { total: count, clients: [] };
  const hosts = new Map<string, Row>();
  const stations = new Map<string, Row>();
  // One look at each value: a list of thousands has no use for an index by instance.
  for (const [path, value] of responses.entries()) {
    if (path.startsWith(HOSTS)) take(hosts, path, HOSTS.length, value);
    else if (path.startsWith(ACCESS_POINTS)) {
      const at = path.indexOf('.AssociatedDevice.');
      if (at > 0) take(stations, path, at + '.AssociatedDevice.'.length, value);
    }
  }
  const found = new Map<string, networks.Client>();
  for (const [path, row] of stations) add(found, stationOf(responses, path, row, clockSkewMs));
  for (const row of hosts.values()) add(found, hostOf(responses, row, clockSkewMs));
  const all = [...found.values()];
  return { total: all.length, clients: all.slice(0, networks.MOST_CLIENTS) };
}

/** The name below an instance, by the path of the instance. */
function take(rows: Map<string, Row>, path: string, from: number, value: string): void {
  const dot = path.indexOf('.', from) + 1;
  if (dot === 0) return;
  const instance = path.slice(0, dot);
  const row = rows.get(instance);
  if (row === undefined) rows.set(instance, new Map([[path.slice(dot), value]]));
  else row.set(path.slice(dot), value);
}

type Part = Partial<networks.Client> & Pick<networks.Client, 'mac'>;

function add(found: Map<string, networks.Client>, part: Part | undefined): void {
  if (part === undefined) return;
  const nothing = {
    name: '',
    addresses: [],
    connection: '',
    wireless: false,
    signal: null,
    since: null,
    sent: null,
    received: null,
  };
  const { mac } = part;
  const before = found.get(mac) ?? { ...nothing, random: isRandom(mac) };
  // What the Wi-Fi says of it counts more than what the list of hosts does.
  const known = Object.fromEntries(
    Object.entries(before).filter(([, value]) => value !== null && value !== '' && value !== false && String(value) !== ''),
  );
  found.set(mac, { ...before, ...part, ...known, mac });
}

function stationOf(responses: Responses, path: string, row: Row, clockSkewMs: number): Part | undefined {
  const mac = macOf(row.get('MACAddress'));
  if (mac === undefined || readFlag(row.get('Active')) === false) return undefined;
  const point = path.slice(0, path.indexOf('.AssociatedDevice.') + 1);
  return {
    mac,
    wireless: true,
    connection: nameOf(responses, asObjectPath(responses.get(`${point}SSIDReference`) ?? '')),
    signal: decibelsOf(row.get('SignalStrength')),
    since: timeOf(row.get('AssociationTime'), clockSkewMs),
    sent: readCount(row.get('Stats.BytesSent')),
    received: readCount(row.get('Stats.BytesReceived')),
  };
}

function hostOf(responses: Responses, row: Row, clockSkewMs: number): Part | undefined {
  const mac = macOf(row.get('PhysAddress'));
  if (mac === undefined || readFlag(row.get('Active')) === false) return undefined;
  const layer = asObjectPath(row.get('Layer1Interface') ?? '');
  const ipv6 = Array.from(row).flatMap(([name, value]) => (name.startsWith('IPv6Address.') ? [value] : []));
  const addresses = [row.get('IPAddress') ?? '', ...ipv6].flatMap((address) => sanitizeLine(address, 45) ?? []);
  return {
    mac,
    name: sanitizeLine(row.get('HostName') ?? '', 64) ?? '',
    addresses: [...new Set(addresses)].slice(0, MOST_ADDRESSES),
    connection: nameOf(responses, layer),
    wireless: layer.startsWith('Device.WiFi.'),
    since: timeOf(row.get('ActiveLastChange'), clockSkewMs),
    // Of a host they are what it sent to the internet.
    sent: readCount(row.get('WANStats.BytesReceived')),
    received: readCount(row.get('WANStats.BytesSent')),
  };
}

function nameOf(responses: Responses, path: string): string {
  const name = path.startsWith(SSIDS) ? 'SSID' : 'Name';
  return sanitizeLine(responses.get(`${path}${name}`) ?? '', 64) ?? '';
}

function macOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : normalizeMac(text)?.match(/../gu)?.join(':');
}

/** Locally administered: phones choose such addresses at random, another one for each network. */
function isRandom(mac: string): boolean {
  return (Number.parseInt(mac.slice(0, 2), 16) & 2) !== 0;
}

function decibelsOf(text: string | undefined): number | null {
  const value = Number(text ?? '0');
  return value < 0 && value > -200 ? Math.round(value) : null;
}

/** Epoch seconds by our clock. */
function timeOf(text: string | undefined, clockSkewMs: number): number | null {
  const time = readTime(text ?? '') ?? 0;
  return time >= EARLIEST && time < 32_503_680_000_000 ? Math.floor((time - clockSkewMs) / 1_000) : null;
}
