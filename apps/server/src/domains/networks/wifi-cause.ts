import { networks } from '@highline/contract';
import type { RouterTables, StoredWifi } from '../router-state/index.ts';

type Check = networks.Wifi['checks'][number];

/** What is known of a vehicle's Wi-Fi and of what it leads to. */
export interface WifiFacts {
  readonly wifi: StoredWifi;
  readonly uplinks: RouterTables['uplinks']['uplinks'];
  /** Of the SIM's plan; undefined = unknown. */
  readonly isDataUsedUp: boolean | undefined;
}

/**
 * "Why is there no Wi-Fi?" (LIV-03): the checks in the order in which the traffic of a phone needs them. The first that fails is the cause, and
 * those after it say nothing.
 */
export function findWifiCause(facts: WifiFacts): Pick<networks.Wifi, 'checks' | 'cause'> {
  let cause: networks.WifiCause | null = null;
  const checks = networks.wifiChecks.map((check): Check => {
    if (cause !== null) return { check, state: 'skipped' };
    const found = finders[check](facts);
    if (found !== 'ok' && found !== 'unknown') cause = found;
    return { check, state: found === 'ok' || found === 'unknown' ? found : 'failed' };
  });
  return { checks, cause };
}

type Finder = (facts: WifiFacts) => networks.WifiCause | 'ok' | 'unknown';

const finders: Readonly<Record<networks.WifiCheck, Finder>> = {
  radio({ wifi: { radios } }) {
    if (radios.length === 0) return 'unknown';
    const enabled = radios.filter((radio) => radio.enabled);
    if (enabled.length === 0) return 'radio-off';
    return enabled.some(({ up }) => up) ? 'ok' : 'radio-fault';
  },
  ssid({ wifi }) {
    const candidates = ssidsOnAir(wifi);
    if (candidates.length === 0) return 'unknown';
    const enabled = candidates.filter((ssid) => ssid.enabled);
    if (enabled.length === 0) return 'ssid-off';
    return enabled.some(({ accessPoint }) => accessPoint?.enabled !== false) ? 'ok' : 'access-point-off';
  },
  dhcp({ wifi: { dhcp } }) {
    if (dhcp === null) return 'unknown';
    const enabled = dhcp.pools.filter((pool) => pool.enabled);
    if (!dhcp.server.enabled || enabled.length === 0) return 'dhcp-off';
    const isFull = enabled.every(({ size, used }) => size !== null && used !== null && used >= size);
    return isFull ? 'dhcp-full' : 'ok';
  },
  uplink({ uplinks }) {
    if (uplinks.length === 0) return 'unknown';
    return uplinks.some(({ carries }) => carries) ? 'ok' : 'uplink-down';
  },
  dns({ wifi: { dns } }) {
    if (dns === null) return 'unknown';
    if (!dns.client.enabled) return 'dns-off';
    return dns.servers.length > 0 && dns.servers.every(({ works }) => !works) ? 'dns-fault' : 'ok';
  },
  data({ isDataUsedUp }) {
    if (isDataUsedUp === undefined) return 'unknown';
    return isDataUsedUp ? 'data-used-up' : 'ok';
  },
};

/** Those of radios that work; all of them where none says its radio. */
function ssidsOnAir({ radios, ssids }: StoredWifi): StoredWifi['ssids'] {
  const working = new Set(radios.flatMap(({ path, enabled, up }) => (enabled && up ? [path] : [])));
  return ssids.filter(({ radio }) => radio === '' || working.has(radio));
}

/** The objects whose `Enable` ends a cause, by path with the final dot. */
export function repairPaths(cause: networks.RepairableCause, wifi: StoredWifi): readonly string[] {
  const off = (list: readonly ({ readonly path: string; readonly enabled: boolean } | null)[]) =>
    list.flatMap((each) => (each === null || each.enabled ? [] : [each.path]));
  switch (cause) {
    case 'radio-off':
      return off(wifi.radios);
    case 'ssid-off':
      return off(ssidsOnAir(wifi));
    case 'access-point-off':
      return off(ssidsOnAir(wifi).map(({ accessPoint }) => accessPoint));
    case 'dhcp-off':
      return wifi.dhcp === null
        ? []
        : off([wifi.dhcp.server, ...(wifi.dhcp.pools.some(({ enabled }) => enabled) ? [] : wifi.dhcp.pools)]);
    case 'dns-off':
      return off([wifi.dns?.client ?? null]);
  }
}
