import { compareNames, type networks } from '@highline/contract';
import { hasSearched } from './client-search.ts';
import type { StoredTables } from './networks.queries.ts';
import { findWifiCause } from './wifi-cause.ts';

/** How an answer came about, and what was requested. */
export interface NetworksContext {
  readonly part: networks.NetworkPart;
  readonly live: boolean;
  readonly isDataUsedUp: boolean | undefined;
  /** Clients are requested, and the organization keeps nothing of them. */
  readonly isOff: boolean;
  readonly search: string;
  readonly limit: number;
}

/** A part of a router's networks as the console shows it. */
export function toNetworksDto(
  tables: StoredTables,
  { part, live, search, limit, ...more }: NetworksContext,
): networks.DeviceNetworks {
  const readAt = tables[part]?.readAt;
  const common = { readAt: readAt === undefined ? null : Math.floor(readAt.getTime() / 1_000), live };
  const nothing = {
    ...common,
    ...(more.isOff ? { off: true as const } : {}),
    uplinks: null,
    wifi: null,
    clients: null,
    found: 0,
    total: 0,
  };
  if (readAt === undefined) return nothing;
  const uplinks = tables.uplinks?.content.uplinks ?? [];
  switch (part) {
    case 'uplinks':
      return { ...nothing, uplinks: [...uplinks] };
    case 'wifi': {
      const wifi = tables.wifi!.content;
      const nameOf = new Map(wifi.radios.map(({ path, name }) => [path, name]));
      return {
        ...nothing,
        wifi: {
          radios: wifi.radios.map(({ path: _, ...radio }) => radio),
          ssids: wifi.ssids.map(({ ssid, radio, enabled, up, accessPoint, clients }) => ({
            ssid,
            radio: nameOf.get(radio) ?? '',
            enabled,
            up: enabled && up && accessPoint?.enabled !== false,
            clients,
          })),
          ...findWifiCause({ wifi, uplinks, isDataUsedUp: more.isDataUsedUp }),
        },
      };
    }
    case 'clients': {
      const { clients, total } = tables.clients!.content;
      const matching = clients.filter(({ name, mac, addresses, connection }) =>
        hasSearched(search, mac, [name, connection, ...addresses]),
      );
      return { ...nothing, clients: matching.toSorted(byName).slice(0, limit), found: matching.length, total };
    }
  }
}

/** Those without a name are last. */
function byName(a: networks.Client, b: networks.Client): number {
  if ((a.name === '') !== (b.name === '')) return a.name === '' ? 1 : -1;
  return compareNames(a.name, b.name) || (a.mac < b.mac ? -1 : 1);
}
