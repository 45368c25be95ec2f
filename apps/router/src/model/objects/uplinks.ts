import type { LanAddress, WanLink } from '../../platform/platform.ts';
import type { Ids, ObjectDef, RouterView, StoredParam } from '../definition.ts';
import { addressFault, alias, between, counter, fixed, flag, text, toggle, whole } from '../params.ts';

/** Interfaces of the network layer: the modem, the vehicle's own network, and what is plugged into the WAN port. */
const MODEM = 1;
export const LAN = 2;
const WAN = 3;

const names: Readonly<Record<WanLink['kind'], string>> = { satellite: 'starlink', ethernet: 'wan' };

const wanOf = (router: RouterView) => router.platform.networks?.wan();
/** The router's own address in the vehicle's network: as it was set, or the platform's. */
export function lanOf(router: RouterView): LanAddress {
  const { address, mask } = router.platform.networks?.lan() ?? NO_LAN;
  const set = router.row(`Device.IP.Interface.${LAN}.IPv4Address.1.`);
  return { address: set?.['IPAddress'] ?? address, mask: set?.['SubnetMask'] ?? mask };
}
const NO_LAN: LanAddress = { address: '', mask: '' };
const isLan = (id: number | undefined) => id === LAN;

/** Whether an interface that is switched on carries data. */
export function isUp(router: RouterView, id: number | undefined): boolean {
  if (router.row(`Device.IP.Interface.${id}.`)?.['Enable'] === 'false') return false;
  if (isLan(id)) return true;
  if (id === WAN) return wanOf(router)?.isUp === true;
  return router.platform.modem.signal().registered && router.platform.networks?.modemPasses() !== false;
}

/** Whether what is plugged into the WAN port carries data. */
export function hasWan(router: RouterView): boolean {
  return isUp(router, WAN);
}

function nameOf(router: RouterView, id: number | undefined): string {
  if (isLan(id)) return 'br-lan';
  const wan = wanOf(router);
  return id === WAN && wan !== undefined ? names[wan.kind] : 'wwan0';
}

function addressOf(router: RouterView, id: number | undefined): string {
  if (isLan(id)) return lanOf(router).address;
  if (!isUp(router, id)) return '';
  if (id === WAN) return wanOf(router)?.address ?? '';
  // Carriers give private addresses.
  const digits = router.platform.modem.identity().imsi.slice(-6);
  return `10.${Number(digits.slice(0, 2)) + 20}.${digits.slice(2, 4).replace(/^0/u, '')}.${digits.slice(4).replace(/^0/u, '')}`;
}

/** Addresses of the router itself, in all its networks. */
export function ownAddresses(router: RouterView): readonly string[] {
  return [MODEM, LAN, WAN].map((id) => addressOf(router, id)).filter((address) => address !== '');
}

function trafficOf(router: RouterView, id: number | undefined): { bytesSent: number; bytesReceived: number } {
  const none = { bytesSent: 0, bytesReceived: 0 };
  if (id === WAN) return wanOf(router) ?? none;
  return id === MODEM ? router.platform.modem.traffic() : none;
}

/** An address that can be set for the vehicle's own network only. */
function ofLan(initial: (router: RouterView, ids: Ids) => string): StoredParam {
  const check = (value: string, _router: RouterView, [id]: Ids) =>
    isLan(id) ? addressFault(value) : 'the network gives this address';
  return { type: 'PARAM_STRING', initial, check };
}

const ipInterface: ObjectDef = {
  path: 'Device.IP.Interface.{i}.',
  table: {
    instances: (router) => (wanOf(router) === undefined ? [MODEM, LAN] : [MODEM, LAN, WAN]),
    uniqueKeys: [['Name']],
  },
  params: {
    Enable: toggle(true),
    Status: text((router, [id]) => (isUp(router, id) ? 'Up' : 'Down')),
    Name: text((router, [id]) => nameOf(router, id)),
    Type: fixed('Normal'),
    LowerLayers: text((_router, [id]) => {
      if (id === MODEM) return 'Device.Cellular.Interface.1';
      return id === WAN ? 'Device.Ethernet.Interface.2' : 'Device.Ethernet.Interface.1';
    }),
  },
};

const ipAddress: ObjectDef = {
  path: 'Device.IP.Interface.{i}.IPv4Address.{i}.',
  table: { instances: (router, [id]) => (addressOf(router, id) === '' ? [] : [1]), uniqueKeys: [['IPAddress']] },
  params: {
    Enable: flag(() => true),
    Status: fixed('Enabled'),
    IPAddress: ofLan((router, [id]) => addressOf(router, id)),
    // Of the modem it is an address of its own, without a network.
    SubnetMask: ofLan((router, [id]) => (isLan(id) ? lanOf(router).mask : id === WAN ? '255.255.255.0' : '255.255.255.255')),
    AddressingType: text((_router, [id]) => (isLan(id) ? 'Static' : 'DHCP')),
  },
};

const ipStats: ObjectDef = {
  path: 'Device.IP.Interface.{i}.Stats.',
  params: {
    BytesSent: counter((router, [id]) => trafficOf(router, id).bytesSent),
    BytesReceived: counter((router, [id]) => trafficOf(router, id).bytesReceived),
  },
};

const ethernet: ObjectDef = {
  path: 'Device.Ethernet.Interface.{i}.',
  table: { instances: () => [1, 2], uniqueKeys: [['Name']] },
  params: {
    Enable: toggle(true),
    Status: text((router, [id]) => (id === 1 || wanOf(router)?.isUp ? 'Up' : 'Down')),
    Name: text((_router, [id]) => `eth${(id ?? 1) - 1}`),
    Upstream: flag((_router, [id]) => id === 2),
    CurrentBitRate: whole(() => 1_000),
  },
};

const isWanRoute = (ids: Ids) => ids[1] === 2;
const networkOfRoute = (ids: Ids) => (isWanRoute(ids) ? WAN : (ids[1] ?? 0) > 2 ? LAN : MODEM);
/** A fixed route keeps its network; one that was added has its own. */
const ofAdded = (check: (value: string) => string | undefined): StoredParam => ({
  type: 'PARAM_STRING',
  initial: '',
  check: (value, _router, ids) => ((ids[1] ?? 0) > 2 ? check(value) : 'this is a default route'),
});

/** Default routes, and those that were added; the smaller number comes first. */
const routes: ObjectDef = {
  path: 'Device.Routing.Router.{i}.IPv4Forwarding.{i}.',
  table: {
    instances: (router) => (wanOf(router) === undefined ? [1] : [1, 2]),
    grows: { max: 32 },
    uniqueKeys: [['Alias']],
  },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router, ids) => (isUp(router, networkOfRoute(ids)) ? 'Enabled' : 'Error')),
    DestIPAddress: ofAdded(addressFault),
    DestSubnetMask: ofAdded(addressFault),
    GatewayIPAddress: ofAdded(addressFault),
    Interface: text((_router, ids) => `Device.IP.Interface.${networkOfRoute(ids)}`),
    ForwardingMetric: {
      type: 'PARAM_INT',
      initial: (_router, ids) => (isWanRoute(ids) ? '10' : networkOfRoute(ids) === LAN ? '0' : '20'),
      check: between(-1, 9_999),
    },
  },
};

const routing: ObjectDef = {
  path: 'Device.Routing.Router.{i}.',
  table: { instances: () => [1], uniqueKeys: [] },
  params: { Enable: flag(() => true), Status: fixed('Enabled') },
};

const dnsClient: ObjectDef = { path: 'Device.DNS.Client.', params: { Enable: toggle(true), Status: fixed('Enabled') } };

const dnsServer: ObjectDef = {
  path: 'Device.DNS.Client.Server.{i}.',
  table: { instances: () => [1], grows: { max: 8 }, uniqueKeys: [['Alias'], ['DNSServer']] },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router) => (router.platform.networks?.nameServerResponds() === false ? 'Error' : 'Enabled')),
    DNSServer: { type: 'PARAM_STRING', initial: (_router, [id]) => (id === 1 ? '9.9.9.9' : ''), check: addressFault },
  },
};

export const uplinkObjects: readonly ObjectDef[] = [
  ipInterface,
  ipAddress,
  ipStats,
  ethernet,
  routing,
  routes,
  dnsClient,
  dnsServer,
];
