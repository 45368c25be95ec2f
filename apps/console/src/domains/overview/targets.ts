import type { LinkProps } from '@tanstack/react-router';
import type { ListSearch } from '../../ui/list/spec.ts';
import type { deviceList } from '../../entities/devices/devices.lists.ts';

export type Target = Pick<LinkProps, 'to' | 'search'>;

/** Filters that every device list has. */
type DeviceFilter = Pick<
  ListSearch<typeof deviceList>,
  'presence' | 'offline' | 'signal' | 'sim' | 'service' | 'connection' | 'position' | 'diagnosis' | 'carrier'
>;

/** The lists that the figures of an overview open. */
export interface Targets {
  readonly devices: (filter: DeviceFilter) => Target;
  readonly groups: (filter: { readonly rollout?: 'failed' | 'paused' }) => Target;
  readonly alerts: () => Target;
  /** Undefined where the map has others too. */
  readonly map?: (filter: Pick<DeviceFilter, 'presence' | 'carrier'>) => Target;
  readonly users: () => Target;
  readonly logs: () => Target;
}

/** Alerts of the whole scope of the person: the list has the organization of each. */
const alerts = (): Target => ({ to: '/alerts', search: { state: 'firing' } });

const map: Targets['map'] = (search) => ({ to: '/map', search });

/** The lists of one's own organization. */
export const adminTargets: Targets = {
  devices: (search) => ({ to: '/devices/list', search }),
  groups: (search) => ({ to: '/groups/list', search }),
  alerts,
  map,
  users: () => ({ to: '/users', search: {} }),
  logs: () => ({ to: '/logs', search: {} }),
};

/** The tabs of the page of an organization (ATT-03). */
export const targetsOf = (org: string): Targets => {
  const tab = (name: 'devices' | 'groups' | 'users' | 'log', filter: object = {}): Target => ({
    to: '/organization/setting',
    search: { org, tab: name, ...filter },
  });
  return {
    devices: (filter) => tab('devices', filter),
    groups: (filter) => tab('groups', filter),
    alerts: () => ({ to: '/alerts', search: { state: 'firing', org } }),
    users: () => tab('users'),
    logs: () => tab('log'),
  };
};

/** The lists of all organizations of a main account: rollouts are found by their organization (ATT-03). */
export const fleetTargets: Pick<Targets, 'devices' | 'groups' | 'alerts' | 'map'> = {
  devices: (search) => ({ to: '/devices/orgList', search }),
  groups: (search) => ({ to: '/organization', search }),
  alerts,
  map,
};
