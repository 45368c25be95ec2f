import type { networks } from '@highline/contract';
import { asObjectPath } from '@highline/usp';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import {
  ETHERNET_INTERFACES,
  ETHERNET_LINKS,
  IP_INTERFACES,
  MODEMS,
  PPP_INTERFACES,
  readFlag,
  ROUTES,
  SSIDS,
  VLAN_TERMINATIONS,
} from '../../../kernel/tr181.ts';
import type { Responses } from '../ingest/responses.ts';

type Uplink = networks.Uplink;
/** An uplink, the port, modem or Wi-Fi below it, and whether its default routes, if it has any, are not all out of use. */
type Found = Uplink & { readonly path: string; readonly lowest: string; readonly isRouted: boolean };

/** More than any router has. */
const MOST_UPLINKS = 16;
const MOST_ADDRESSES = 8;
/** An interface stands on a link, that on another one, and so on. */
const MOST_LAYERS = 6;

/** Paths of what is read for uplinks. The modems are read with the facts. */
export const uplinkPaths: readonly string[] = [
  IP_INTERFACES,
  ETHERNET_INTERFACES,
  ETHERNET_LINKS,
  VLAN_TERMINATIONS,
  PPP_INTERFACES,
  ROUTES,
  // Without them a Wi-Fi that leads upstream is none.
  `${SSIDS}*.LowerLayers`,
  `${SSIDS}*.Upstream`,
];

/**
 * The uplinks of a router (LIV-10), the preferred one first: the network interfaces on a modem, or on a port or a Wi-Fi that leads upstream. The
 * first that is up, with a default route in use, carries the traffic. Of a router without network interfaces its modems.
 * @returns undefined when they were not read
 */
export function readUplinks(responses: Responses): readonly Uplink[] | undefined {
  if (!responses.hasResponse(IP_INTERFACES)) return undefined;
  const uplinks = findUplinks(responses);
  const carrier = findCarrier(uplinks);
  return uplinks
    .slice(0, MOST_UPLINKS)
    .map(({ path, lowest: _, isRouted: __, ...uplink }) => ({ ...uplink, carries: path === carrier?.path }));
}

/** The modem that carries the traffic, or would be the next to: the one of the preferred uplink that is up. 0 = none. */
export function modemOfUplinks(responses: Responses): number {
  const uplink = findCarrier(findUplinks(responses).filter(({ kind }) => kind === 'cellular'));
  return responses.instances(MODEMS).find((instance) => uplink?.lowest === `${MODEMS}${instance}.`) ?? 0;
}

function findUplinks(responses: Responses): Found[] {
  const routes = defaultRoutes(responses);
  const interfaces = responses.instances(IP_INTERFACES).map((instance) => `${IP_INTERFACES}${instance}.`);
  const found = interfaces.flatMap((path): Found[] => {
    const lowest = lowestLayer(responses, path);
    const kind = kindOf(responses, path, lowest);
    return kind === undefined ? [] : [{ path, lowest, kind, isRouted: isRouted(routes, path), ...read(responses, path, lowest) }];
  });
  return found.length > 0 ? inOrderOfRoutes(routes, found) : modems(responses);
}

/** More networks than any vehicle has. */
const MOST_LANS = 16;

/** The router's addresses in the vehicle's own networks, with their masks as it writes them: `192.168.1.1/255.255.255.0`. */
export function readLans(responses: Responses): readonly string[] {
  return responses
    .instances(IP_INTERFACES)
    .map((instance) => `${IP_INTERFACES}${instance}.`)
    .filter((path) => isLan(responses, path))
    .flatMap((path) =>
      responses.instances(`${path}IPv4Address.`).flatMap((instance) => {
        const [address, mask] = ['IPAddress', 'SubnetMask'].map((name) =>
          sanitizeLine(responses.get(`${path}IPv4Address.${instance}.${name}`) ?? '', 15),
        );
        return address === null || mask === null ? [] : [`${address}/${mask}`];
      }),
    )
    .slice(0, MOST_LANS);
}

const lanLayers = [ETHERNET_INTERFACES, SSIDS, 'Device.Bridging.'];

/** On a port, Wi-Fi or bridge that does not lead upstream, and without a default route. A VPN, or what is unknown, is no network of the vehicle. */
function isLan(responses: Responses, path: string): boolean {
  const lowest = lowestLayer(responses, path);
  if (!lanLayers.some((layer) => lowest.startsWith(layer)) || kindOf(responses, path, lowest) !== undefined) return false;
  return !responses
    .instances(ROUTES)
    .map((instance) => `${ROUTES}${instance}.`)
    .some((route) => isDefault(responses, route) && asObjectPath(responses.get(`${route}Interface`) ?? '') === path);
}

function isDefault(responses: Responses, route: string): boolean {
  return ['', '0.0.0.0'].includes(responses.get(`${route}DestIPAddress`) ?? '');
}

function read(responses: Responses, path: string, lowest: string): Omit<Uplink, 'kind'> {
  const isOn = readFlag(responses.get(`${path}Enable`)) !== false;
  return {
    name: nameOf(responses, path, lowest),
    enabled: isOn,
    up: isOn && responses.get(`${path}Status`) === 'Up',
    carries: false,
    addresses: [...addresses(responses, `${path}IPv4Address.`), ...addresses(responses, `${path}IPv6Address.`)].slice(
      0,
      MOST_ADDRESSES,
    ),
    sent: readCount(responses.get(`${path}Stats.BytesSent`)),
    received: readCount(responses.get(`${path}Stats.BytesReceived`)),
  };
}

function modems(responses: Responses): Found[] {
  return responses.instances(MODEMS).map((instance) => {
    const path = `${MODEMS}${instance}.`;
    return { path, lowest: path, kind: 'cellular', isRouted: true, ...read(responses, path, path) };
  });
}

function nameOf(responses: Responses, path: string, lowest: string): string {
  const texts = [`${path}Name`, `${path}Alias`, `${lowest}Name`].map((each) => sanitizeLine(responses.get(each) ?? '', 64));
  return texts.find((text) => text !== null) ?? path.slice('Device.'.length, -1);
}

/** The port, modem or Wi-Fi below a network interface; itself where nothing is below it. */
function lowestLayer(responses: Responses, path: string): string {
  let lowest = path;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const [below = ''] = (responses.get(`${lowest}LowerLayers`) ?? '').split(',');
    if (below.trim() === '') break;
    lowest = asObjectPath(below.trim());
  }
  return lowest;
}

/** @returns undefined for the vehicle's own network */
function kindOf(responses: Responses, path: string, lowest: string): networks.UplinkKind | undefined {
  if (lowest.startsWith(MODEMS)) return 'cellular';
  const leadsUp = readFlag(responses.get(`${lowest}Upstream`)) === true;
  if (lowest.startsWith('Device.WiFi.')) return leadsUp || !lowest.startsWith(SSIDS) ? 'wifi' : undefined;
  if (!lowest.startsWith(ETHERNET_INTERFACES) || !leadsUp) return undefined;
  return isSatellite(responses, path, lowest) ? 'satellite' : 'ethernet';
}

const satellites = ['starlink', 'satellite', 'vsat'];

/** TR-181 has no kind for it: a terminal is plugged in as a port, and people name the interface after it. */
function isSatellite(responses: Responses, path: string, lowest: string): boolean {
  const names = [`${path}Name`, `${path}Alias`, `${lowest}Name`, `${lowest}Alias`].map((each) =>
    (responses.get(each) ?? '').toLowerCase(),
  );
  return satellites.some((word) => names.some((name) => name.includes(word)));
}

interface DefaultRoute {
  /** Of its network interface. */
  readonly path: string;
  readonly metric: number;
  /** The router has taken it out of use, as one whose network leads nowhere. */
  readonly isDown: boolean;
}

function defaultRoutes(responses: Responses): readonly DefaultRoute[] {
  return responses
    .instances(ROUTES)
    .map((instance) => `${ROUTES}${instance}.`)
    .filter((route) => isDefault(responses, route) && readFlag(responses.get(`${route}Enable`)) !== false)
    .map((route) => {
      const metric = Number(responses.get(`${route}ForwardingMetric`) ?? '-1');
      return {
        path: asObjectPath(responses.get(`${route}Interface`) ?? ''),
        // −1 = no metric (TR-181).
        metric: metric >= 0 ? metric : Number.MAX_VALUE,
        isDown: !['', 'Enabled'].includes(responses.get(`${route}Status`) ?? ''),
      };
    });
}

/** By the metric of their default routes; those without a route keep their order after them. */
function inOrderOfRoutes(routes: readonly DefaultRoute[], found: readonly Found[]): Found[] {
  const metrics = new Map<string, number>();
  for (const { path, metric } of routes) metrics.set(path, Math.min(metrics.get(path) ?? Number.MAX_VALUE, metric));
  const metricOf = ({ path }: Found) => metrics.get(path) ?? Number.POSITIVE_INFINITY;
  return found.toSorted((a, b) => (metricOf(a) === metricOf(b) ? 0 : metricOf(a) - metricOf(b)));
}

function isRouted(routes: readonly DefaultRoute[], path: string): boolean {
  const own = routes.filter((route) => route.path === path);
  return own.length === 0 || own.some((route) => !route.isDown);
}

/** The first that is up, with a default route in use; where that is none, the first that is up. */
function findCarrier(uplinks: readonly Found[]): Found | undefined {
  const up = uplinks.filter((uplink) => uplink.up);
  return up.find((uplink) => uplink.isRouted) ?? up[0];
}

function addresses(responses: Responses, table: string): string[] {
  return responses
    .instances(table)
    .flatMap((instance) => sanitizeLine(responses.get(`${table}${instance}.IPAddress`) ?? '', 45) ?? []);
}

/** Bytes as routers count them; null = none, or no number. */
export function readCount(text: string | undefined): number | null {
  const isNumber = text !== undefined && /^\d{1,20}$/u.test(text);
  return isNumber ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : null;
}
