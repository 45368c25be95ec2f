import type { LanHost } from '../../platform/platform.ts';
import type { ObjectDef, RouterView } from '../definition.ts';
import { alias, atMost, between, counter, fixed, flag, moment, setting, text, toggle, whole } from '../params.ts';
import { LAN, LAN_ADDRESS } from './uplinks.ts';

const RADIOS = 'Device.WiFi.Radio.';
const SSIDS = 'Device.WiFi.SSID.';
const ACCESS_POINTS = 'Device.WiFi.AccessPoint.';
const POOL = 'Device.DHCPv4.Server.Pool.1.';
const both = [1, 2] as const;

const isOn = (router: RouterView, path: string) => router.row(path)?.['Enable'] !== 'false';
const radioIsUp = (router: RouterView, id = 0) =>
  isOn(router, `${RADIOS}${id}.`) && router.platform.networks?.radioWorks() !== false;
const ssidIsUp = (router: RouterView, id = 0) => radioIsUp(router, id) && isOn(router, `${SSIDS}${id}.`);
const isOnAir = (router: RouterView, id = 0) => ssidIsUp(router, id) && isOn(router, `${ACCESS_POINTS}${id}.`);

/** Devices that are connected: by cable, or over a radio that is on air. */
function hostsOf(router: RouterView): readonly LanHost[] {
  return (router.platform.networks?.hosts() ?? []).filter(({ radio }) => radio === 0 || isOnAir(router, radio));
}

const onRadio = (router: RouterView, id: number | undefined) => hostsOf(router).filter(({ radio }) => radio === id);
const numbered = (list: readonly unknown[]) => list.map((_, at) => at + 1);
const poolIsOn = (router: RouterView) => isOn(router, 'Device.DHCPv4.Server.') && isOn(router, POOL);

/** Those that got an address: while the pool is on and as long as it has any. */
function leases(router: RouterView): readonly LanHost[] {
  if (!poolIsOn(router)) return [];
  const { MinAddress = FIRST, MaxAddress = LAST } = router.row(POOL) ?? {};
  const size = Number(MaxAddress.split('.').at(-1)) - Number(MinAddress.split('.').at(-1)) + 1;
  return hostsOf(router)
    .filter(({ radio }) => radio !== 0)
    .slice(0, Math.max(0, size));
}

const FIRST = '192.168.1.100';
const LAST = '192.168.1.199';

/** What an instance of a list shows; empty when it has gone meanwhile. */
const hostText = (read: (host: LanHost, router: RouterView) => string) =>
  text((router, [id = 0]) => {
    const host = hostsOf(router)[id - 1];
    return host === undefined ? '' : read(host, router);
  });
const stationText = (read: (host: LanHost) => string) =>
  text((router, [point, id = 0]) => {
    const host = onRadio(router, point)[id - 1];
    return host === undefined ? '' : read(host);
  });

const bands: Readonly<Record<number, readonly [band: string, channel: number]>> = { 1: ['2.4GHz', 6], 2: ['5GHz', 36] };

const radio: ObjectDef = {
  path: `${RADIOS}{i}.`,
  table: { instances: () => both, uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router, [id]) => {
      if (!isOn(router, `${RADIOS}${id}.`)) return 'Down';
      return radioIsUp(router, id) ? 'Up' : 'Error';
    }),
    Name: text((_router, [id = 1]) => `wlan${id - 1}`),
    OperatingFrequencyBand: text((_router, [id = 1]) => bands[id]?.[0] ?? ''),
    Channel: { type: 'PARAM_UNSIGNED_INT', initial: (_router, [id = 1]) => String(bands[id]?.[1] ?? 0), check: between(1, 177) },
  },
};

const ssid: ObjectDef = {
  path: `${SSIDS}{i}.`,
  table: { instances: () => both, uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router, [id]) => (ssidIsUp(router, id) ? 'Up' : 'Down')),
    Name: text((_router, [id = 1]) => `ssid${id}`),
    SSID: setting('PARAM_STRING', 'Onboard WiFi', (value) =>
      Buffer.byteLength(value) > 32 ? 'longer than 32 bytes' : undefined,
    ),
    LowerLayers: text((_router, [id]) => `${RADIOS}${id}`),
  },
};

const accessPoint: ObjectDef = {
  path: `${ACCESS_POINTS}{i}.`,
  table: { instances: () => both, uniqueKeys: [['Alias'], ['SSIDReference']] },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router, [id]) => (isOnAir(router, id) ? 'Enabled' : 'Disabled')),
    SSIDReference: text((_router, [id]) => `${SSIDS}${id}`),
  },
};

/** The passphrase reads as an empty text (TR-181). */
const accessPointSecurity: ObjectDef = {
  path: `${ACCESS_POINTS}{i}.Security.`,
  params: {
    ModeEnabled: fixed('WPA2-Personal'),
    KeyPassphrase: { type: 'PARAM_STRING', initial: '', hidden: true, check: passphraseFault },
  },
};

function passphraseFault(value: string): string | undefined {
  return /^[\u0020-\u007e]{8,63}$/u.test(value) ? undefined : 'not 8 to 63 printable characters';
}

const station: ObjectDef = {
  path: `${ACCESS_POINTS}{i}.AssociatedDevice.{i}.`,
  table: { instances: (router, [point]) => numbered(onRadio(router, point)), uniqueKeys: [['MACAddress']] },
  params: {
    MACAddress: stationText(({ mac }) => mac),
    Active: flag(() => true),
    SignalStrength: whole((router, [point, id = 0]) => onRadio(router, point)[id - 1]?.signal ?? 0, 'fluctuating'),
    AssociationTime: moment((router, [point, id = 0]) => onRadio(router, point)[id - 1]?.since),
  },
};

const stationStats: ObjectDef = {
  path: `${ACCESS_POINTS}{i}.AssociatedDevice.{i}.Stats.`,
  params: {
    BytesSent: counter((router, [point, id = 0]) => onRadio(router, point)[id - 1]?.bytesSent ?? 0),
    BytesReceived: counter((router, [point, id = 0]) => onRadio(router, point)[id - 1]?.bytesReceived ?? 0),
  },
};

const hasLease = (router: RouterView, host: LanHost) => host.radio === 0 || leases(router).some(({ mac }) => mac === host.mac);

const host: ObjectDef = {
  path: 'Device.Hosts.Host.{i}.',
  table: { instances: (router) => numbered(hostsOf(router)), uniqueKeys: [['PhysAddress']] },
  params: {
    PhysAddress: hostText(({ mac }) => mac),
    HostName: hostText(({ name }) => name),
    IPAddress: hostText((each, router) => (hasLease(router, each) ? each.address : '')),
    AddressSource: hostText(({ radio: at }) => (at === 0 ? 'Static' : 'DHCP')),
    Active: flag(() => true),
    ActiveLastChange: moment((router, [id = 0]) => hostsOf(router)[id - 1]?.since),
    Layer1Interface: hostText(({ radio: at }) => (at === 0 ? 'Device.Ethernet.Interface.1' : `${SSIDS}${at}`)),
  },
};

const hostAddress: ObjectDef = {
  path: 'Device.Hosts.Host.{i}.IPv6Address.{i}.',
  table: {
    instances: (router, [id = 0]) => ((hostsOf(router)[id - 1]?.ipv6 ?? '') === '' ? [] : [1]),
    uniqueKeys: [['IPAddress']],
  },
  params: { IPAddress: hostText(({ ipv6 }) => ipv6) },
};

const hostStats: ObjectDef = {
  path: 'Device.Hosts.Host.{i}.WANStats.',
  params: {
    BytesSent: counter((router, [id = 0]) => hostsOf(router)[id - 1]?.bytesReceived ?? 0),
    BytesReceived: counter((router, [id = 0]) => hostsOf(router)[id - 1]?.bytesSent ?? 0),
  },
};

const dhcpServer: ObjectDef = { path: 'Device.DHCPv4.Server.', params: { Enable: toggle(true) } };

const pool: ObjectDef = {
  path: 'Device.DHCPv4.Server.Pool.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Interface']] },
  params: {
    Alias: alias,
    Enable: toggle(true),
    Status: text((router) => (poolIsOn(router) ? 'Enabled' : 'Disabled')),
    Interface: fixed(`Device.IP.Interface.${LAN}`),
    MinAddress: setting('PARAM_STRING', FIRST, atMost(15)),
    MaxAddress: setting('PARAM_STRING', LAST, atMost(15)),
    IPRouters: fixed(LAN_ADDRESS),
    DNSServers: setting('PARAM_STRING', LAN_ADDRESS, atMost(256)),
    LeaseTime: setting('PARAM_INT', '86400', between(-1, 2_147_483_647)),
  },
};

const lease: ObjectDef = {
  path: 'Device.DHCPv4.Server.Pool.{i}.Client.{i}.',
  table: { instances: (router) => numbered(leases(router)), uniqueKeys: [['Chaddr']] },
  params: {
    Chaddr: text((router, [, id = 0]) => leases(router)[id - 1]?.mac ?? ''),
    Active: flag(() => true),
  },
};

export const wifiObjects: readonly ObjectDef[] = [
  radio,
  ssid,
  accessPoint,
  accessPointSecurity,
  station,
  stationStats,
  host,
  hostAddress,
  hostStats,
  dhcpServer,
  pool,
  lease,
];
