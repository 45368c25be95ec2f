import { asObjectPath } from '@highline/usp';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import { ACCESS_POINTS, DHCP_POOLS, DHCP_SERVER, DNS_CLIENT, RADIOS, readFlag, SSIDS } from '../../../kernel/tr181.ts';
import type { Responses } from '../ingest/responses.ts';
import { readCount } from './uplinks.ts';

/** More than any router has. */
const MOST_RADIOS = 8;
const MOST_SSIDS = 32;
const MOST_POOLS = 16;

/** Something that can be switched on by a Set of `Enable`; path with the final dot. */
interface Switch {
  readonly path: string;
  readonly enabled: boolean;
}

export interface StoredRadio extends Switch {
  readonly name: string;
  readonly band: string;
  readonly channel: number | null;
  readonly up: boolean;
}

export interface StoredSsid extends Switch {
  readonly ssid: string;
  /** Path of its radio; empty = unknown. */
  readonly radio: string;
  readonly up: boolean;
  /** null = the router has none for it. */
  readonly accessPoint: Switch | null;
  readonly clients: number | null;
}

export interface StoredPool extends Switch {
  /** Addresses of the pool and those in use; null = unknown. */
  readonly size: number | null;
  readonly used: number | null;
}

/** The Wi-Fi of a router and what it needs (LIV-03), as stored; null = the router does not have the objects. */
export interface StoredWifi {
  readonly radios: readonly StoredRadio[];
  readonly ssids: readonly StoredSsid[];
  readonly dhcp: { readonly server: Switch; readonly pools: readonly StoredPool[] } | null;
  readonly dns: {
    readonly client: Switch;
    readonly servers: readonly { readonly address: string; readonly works: boolean }[];
  } | null;
}

/** Paths of what is read for it. Of access points only what is needed: their devices are many. */
export const wifiPaths: readonly string[] = [
  RADIOS,
  `${SSIDS}*.Enable`,
  `${SSIDS}*.Status`,
  `${SSIDS}*.SSID`,
  `${SSIDS}*.LowerLayers`,
  `${SSIDS}*.Upstream`,
  `${ACCESS_POINTS}*.Enable`,
  `${ACCESS_POINTS}*.SSIDReference`,
  `${ACCESS_POINTS}*.AssociatedDeviceNumberOfEntries`,
  `${DHCP_SERVER}Enable`,
  `${DHCP_POOLS}*.Enable`,
  `${DHCP_POOLS}*.MinAddress`,
  `${DHCP_POOLS}*.MaxAddress`,
  `${DHCP_POOLS}*.ClientNumberOfEntries`,
  DNS_CLIENT,
];

/** @returns undefined when it was not read */
export function readWifi(responses: Responses): StoredWifi | undefined {
  if (!responses.hasResponse(RADIOS)) return undefined;
  return { radios: radios(responses), ssids: ssids(responses), dhcp: dhcp(responses), dns: dns(responses) };
}

const textOf = (responses: Responses, path: string, longest = 64) => sanitizeLine(responses.get(path) ?? '', longest) ?? '';
/** What is not said to be off is on. */
const switchOf = (responses: Responses, path: string): Switch => ({
  path,
  enabled: readFlag(responses.get(`${path}Enable`)) !== false,
});
const pathsOf = (responses: Responses, table: string, most: number) =>
  responses
    .instances(table)
    .slice(0, most)
    .map((instance) => `${table}${instance}.`);

function radios(responses: Responses): StoredRadio[] {
  return pathsOf(responses, RADIOS, MOST_RADIOS).map((path) => ({
    ...switchOf(responses, path),
    name: textOf(responses, `${path}Name`) || textOf(responses, `${path}Alias`) || path.slice('Device.WiFi.'.length, -1),
    band: textOf(responses, `${path}OperatingFrequencyBand`, 16),
    channel: readCount(responses.get(`${path}Channel`)),
    up: responses.get(`${path}Status`) === 'Up',
  }));
}

/** Those for people: one that leads upstream is an uplink. */
function ssids(responses: Responses): StoredSsid[] {
  const points = new Map(
    pathsOf(responses, ACCESS_POINTS, MOST_SSIDS).map((path) => [
      asObjectPath(responses.get(`${path}SSIDReference`) ?? ''),
      path,
    ]),
  );
  return pathsOf(responses, SSIDS, MOST_SSIDS)
    .filter((path) => readFlag(responses.get(`${path}Upstream`)) !== true)
    .map((path) => {
      const point = points.get(path);
      return {
        ...switchOf(responses, path),
        ssid: textOf(responses, `${path}SSID`),
        radio: asObjectPath(responses.get(`${path}LowerLayers`) ?? ''),
        up: responses.get(`${path}Status`) === 'Up',
        accessPoint: point === undefined ? null : switchOf(responses, point),
        clients: point === undefined ? null : readCount(responses.get(`${point}AssociatedDeviceNumberOfEntries`)),
      };
    });
}

function dhcp(responses: Responses): StoredWifi['dhcp'] {
  const pools = pathsOf(responses, DHCP_POOLS, MOST_POOLS);
  if (pools.length === 0) return null;
  return {
    server: switchOf(responses, DHCP_SERVER),
    pools: pools.map((path) => ({
      ...switchOf(responses, path),
      size: sizeOf(responses.get(`${path}MinAddress`), responses.get(`${path}MaxAddress`)),
      used: readCount(responses.get(`${path}ClientNumberOfEntries`)),
    })),
  };
}

function dns(responses: Responses): StoredWifi['dns'] {
  if (responses.get(`${DNS_CLIENT}Enable`) === undefined) return null;
  const servers = pathsOf(responses, `${DNS_CLIENT}Server.`, MOST_POOLS).filter(
    (path) => readFlag(responses.get(`${path}Enable`)) !== false,
  );
  return {
    client: switchOf(responses, DNS_CLIENT),
    servers: servers.map((path) => ({
      address: textOf(responses, `${path}DNSServer`, 45),
      works: !(responses.get(`${path}Status`) ?? '').startsWith('Error'),
    })),
  };
}

/** How many addresses there are from one to the other (IPv4). */
function sizeOf(first: string | undefined, last: string | undefined): number | null {
  const [from, until] = [numberOf(first), numberOf(last)];
  return from === undefined || until === undefined || until < from ? null : until - from + 1;
}

function numberOf(address: string | undefined): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/u
    .exec(address ?? '')
    ?.slice(1)
    .map(Number);
  return parts === undefined || parts.some((part) => part > 255) ? undefined : parts.reduce((sum, part) => sum * 256 + part, 0);
}
