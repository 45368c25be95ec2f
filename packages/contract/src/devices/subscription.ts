/** The state of a device's subscription; in the API 'In Warranty', 'Expiring', 'Not subscribed'. */
export type SubscriptionState = 'subscribed' | 'expiring' | 'not-subscribed';

/** A subscription that ends within this many days is expiring, unless a deployment sets another number. */
export const EXPIRING_DAYS = 30;

const DAY = 86_400_000;

/**
 * The state of a subscription at an instant (DECISIONS, Time). Dates are ISO days (`YYYY-MM-DD`); a subscription runs from
 * 00:00 UTC of its start to 24:00 UTC of its expiry day. Not begun yet, ended, or without dates: not subscribed.
 */
export function subscriptionState(
  started: string | null,
  expires: string | null,
  now: Date,
  expiringDays = EXPIRING_DAYS,
): SubscriptionState {
  if (started === null || expires === null) return 'not-subscribed';
  const begin = Date.parse(`${started}T00:00:00Z`);
  const end = Date.parse(`${expires}T00:00:00Z`) + DAY;
  if (now.getTime() < begin || now.getTime() >= end) return 'not-subscribed';
  return end - now.getTime() <= expiringDays * DAY ? 'expiring' : 'subscribed';
}

/** Days of UTC until the last day of a subscription, as an ISO day: 0 on it, negative after it. */
export function daysUntilEnd(expires: string, now: Date): number {
  return Date.parse(`${expires}T00:00:00Z`) / DAY - Math.floor(now.getTime() / DAY);
}

/** Whether a subscription that is not current has ended; else it was never set, or has not begun. */
export function hasEnded(expires: string | null, now: Date): boolean {
  return expires !== null && daysUntilEnd(expires, now) < 0;
}

/** Whether a subscription, not current on this ISO day of UTC, starts on a later one. */
export function startsLater(started: string | null, expires: string | null, today: string): boolean {
  return started !== null && expires !== null && started > today && expires >= started;
}

export const subscriptionLabels: Record<SubscriptionState, string> = {
  subscribed: 'In Warranty',
  expiring: 'Expiring',
  'not-subscribed': 'Not subscribed',
};
