import type { notifications } from '@highline/contract';
import { expiryEvents, type Happening, type NotificationEvent, periodsOf, type Subscription } from './notification.ts';

type ExpiryEvent = notifications.ExpiryEvent;

/** The switch of an admin's account (USR-05). */
export interface AdminSwitch {
  readonly on: boolean;
  /** The service-expire box: without it no email about ending subscriptions. */
  readonly expiry: boolean;
  readonly periods: readonly ExpiryEvent[];
}

/** Off; once it is on, the box is ticked with all three periods. */
export const switchedOff: AdminSwitch = { on: false, expiry: true, periods: expiryEvents };

/** The switch for an admin's stored notifications; null for an admin without any. */
export function switchOf(subscription: Subscription | null): AdminSwitch {
  if (subscription === null) return switchedOff;
  const periods = periodsOf(subscription.types);
  return { on: true, expiry: periods.length > 0, periods: periods.length > 0 ? periods : expiryEvents };
}

/** The notifications for a state of the switch; events chosen on the notification screen stay while it is on. */
export function eventsOf({ on, expiry, periods }: AdminSwitch, others: readonly Happening[]): readonly NotificationEvent[] {
  return on ? [...(expiry ? expiryEvents.filter((period) => periods.includes(period)) : []), ...others] : [];
}

/** Why a switch cannot be saved: it is on without any event. */
export function switchFault(state: AdminSwitch, others: readonly Happening[]): 'periodFirst' | 'nothing' | undefined {
  if (!state.on) return undefined;
  if (state.expiry) return state.periods.length === 0 ? 'periodFirst' : undefined;
  return others.length === 0 ? 'nothing' : undefined;
}
