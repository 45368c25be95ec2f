import { type HealthRating, type PresenceReason, presenceReasons, type SubscriptionState } from '@highline/contract';
import { NOT_REPORTED } from '../../ui/time/format.ts';
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

export const presenceTones: Readonly<Record<Device['presence'], Tone>> = { online: 'ok', offline: 'idle', unknown: 'unknown' };

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

/** The bars of a signal strength in dBm, 0 to 4. */
export function signalBars(dbm: number): 0 | 1 | 2 | 3 | 4 {
  if (dbm >= -65) return 4;
  if (dbm >= -75) return 3;
  if (dbm >= -85) return 2;
  return dbm >= -100 ? 1 : 0;
}
