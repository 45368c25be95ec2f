import {
  type CountedPresence,
  countedPresence,
  type HealthRating,
  type PresenceReason,
  presenceReasons,
  signalQuality,
  startsLater,
  type SubscriptionState,
} from '@highline/contract';
import { isoFromDay, NOT_REPORTED } from '../../ui/time/format.ts';
import type { Tone } from '../../ui/StatusDot.tsx';
import type { Device } from './devices.api.ts';

const providerStates: Readonly<Record<string, SubscriptionState>> = {
  'In Warranty': 'subscribed',
  Expiring: 'expiring',
  'Not subscribed': 'not-subscribed',
};

/** The state of a subscription from the provider's value: 'In Warranty' is Subscribed (DEV-02). */
export function subscriptionOf(word: string): SubscriptionState {
  return providerStates[word] ?? 'not-subscribed';
}

/** Subscribed has the online icon, the others have the expired icon (DEV-02). */
export const subscriptionIcons: Readonly<Record<SubscriptionState, 'online' | 'expired'>> = {
  subscribed: 'online',
  expiring: 'expired',
  'not-subscribed': 'expired',
};

export const presenceTones: Readonly<Record<CountedPresence, Tone>> = {
  online: 'ok',
  offline: 'bad',
  unknown: 'unknown',
  never: 'unknown',
  parked: 'idle',
  planned: 'busy',
};

/** The state of its connection: a router that never connected, is parked, or restarts for a rollout is not offline. */
export function connectionOf({
  presence,
  presence_since: since,
  offline_expected: expected,
}: Pick<Device, 'presence' | 'presence_since' | 'offline_expected'>): CountedPresence {
  return countedPresence(presence, since, expected);
}

/** Whether its subscription starts later. */
export function isStarting({ started, expired }: Pick<Device, 'started' | 'expired'>, now: Date): boolean {
  return startsLater(isoFromDay(started), isoFromDay(expired), now.toISOString().slice(0, 10));
}

export const healthTones: Readonly<Record<HealthRating, Tone>> = { good: 'ok', fair: 'warn', poor: 'bad' };

/** The code of a presence reason; undefined for one without a translation. */
export function reasonOf(code: string | null): PresenceReason | undefined {
  return presenceReasons.find((known) => known === code);
}

/** Properties that are shown under their own label and have no further handling: optional columns and lines of the device page. */
export const plainProperties = ['cell_id'] as const;

/** A property the router reported; '--' when it never did. */
export function propertyOf(device: Device, id: string): string {
  const value = device.properties.find((property) => property.id === id)?.value;
  return value === undefined || value === '' ? NOT_REPORTED : value;
}

/** Seconds since the router's boot; undefined when it never reported them. */
export function uptimeOf(device: Device): number | undefined {
  const value = propertyOf(device, 'uptime');
  return value === NOT_REPORTED || !/^\d+(\.\d+)?$/u.test(value) ? undefined : Number(value);
}

/** The bars of a signal strength in dBm: three or four are good, two are fair, one is poor. */
export function signalBars(dbm: number): 1 | 2 | 3 | 4 {
  const quality = signalQuality('rssi', dbm);
  if (quality === 'good') return dbm >= -65 ? 4 : 3;
  return quality === 'fair' ? 2 : 1;
}
