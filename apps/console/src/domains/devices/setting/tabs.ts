import { devices } from '@highline/contract';
import { parseTrailDay } from '../../positions/index.ts';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';

/** The tabs of a device's page, in their order. The first one has no name in the address. */
export const deviceTabs = [
  'overview',
  'timeline',
  'sims',
  'location',
  'uplinks',
  'wifi',
  'clients',
  'diagnostics',
  'tools',
  'settings',
] as const;
export type DeviceTab = (typeof deviceTabs)[number];

/** The address of a device's page: the device, its tab, and the kind of events on its timeline. */
export interface DeviceSearch {
  readonly device?: string | undefined;
  readonly tab?: Exclude<DeviceTab, 'overview'> | undefined;
  readonly events?: string | undefined;
  /** Of the readings on the overview; the last day without it. */
  readonly range?: devices.ReadingRange | undefined;
  /** Of the trail, an ISO day; today without it. */
  readonly day?: string | undefined;
  /** What the colours of the trail mean; the speed without it. */
  readonly color?: 'signal' | undefined;
  /** The test whose result is shown. */
  readonly run?: string | undefined;
}

/** Read an address; a kind of events without a tab is of the timeline, and an unknown tab is the first one. */
export function parseDeviceSearch(raw: Readonly<Record<string, unknown>>): DeviceSearch {
  const { device, events, run } = raw;
  const range = devices.readingRangeNames.find((name) => name === raw['range']);
  const named = deviceTabs.find((tab) => tab === raw['tab']);
  const day = parseTrailDay(raw['day']);
  const tab = named ?? (typeof events === 'string' ? 'timeline' : 'overview');
  return {
    ...(typeof device === 'string' ? { device } : {}),
    ...(tab === 'overview' ? {} : { tab }),
    ...(typeof events === 'string' && tab === 'timeline' ? { events } : {}),
    ...(range !== undefined && range !== '24h' && tab === 'overview' ? { range } : {}),
    ...(day !== undefined && tab === 'location' ? { day } : {}),
    ...(typeof run === 'string' && tab === 'tools' ? { run } : {}),
    ...(raw['color'] === 'signal' && tab === 'location' ? { color: 'signal' as const } : {}),
  };
}

/** What each tab of a device's page shows. */
export interface TabProps {
  readonly device: DeviceDetails;
  readonly etag: string | undefined;
  /** When the device was loaded, in epoch milliseconds. */
  readonly loadedAt: number;
}
