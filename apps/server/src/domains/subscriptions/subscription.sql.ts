import type { SubscriptionState } from '@highline/contract';
import { sql } from 'kysely';
import type { Fragment } from '../../platform/listing/index.ts';
import { addDays, utcDay } from '../../kernel/calendar.ts';

/**
 * The two days that decide every subscription's state: states change only at midnight UTC, so an index can answer the contract's
 * `subscriptionState(started, expires, now)`.
 */
export interface SubscriptionDay {
  /** ISO day of UTC. */
  readonly today: string;
  /** First expiry day that is not expiring yet. */
  readonly safeFrom: string;
}

/** @param expiringDays a subscription that ends within this many days is expiring */
export function subscriptionDay(now: Date, expiringDays: number): SubscriptionDay {
  const today = utcDay(now);
  return { today, safeFrom: addDays(today, Math.max(0, Math.floor(expiringDays))) };
}

/** The condition on `devices d` for a filter of lists: a subscription that starts later is none that is missing. */
export function subscriptionMatches(filter: SubscriptionState | 'starting', day: SubscriptionDay): Fragment {
  const starting = sql`(d.started_on > ${day.today}::date and d.expires_on >= d.started_on)`;
  if (filter === 'starting') return starting;
  const state = subscriptionIs(filter, day);
  return filter === 'not-subscribed' ? sql`(${state} and ${starting} is not true)` : state;
}

/** The condition on `devices d` for a state of its subscription; agrees with the contract's `subscriptionState`. */
export function subscriptionIs(state: SubscriptionState, { today, safeFrom }: SubscriptionDay): Fragment {
  switch (state) {
    case 'subscribed':
      return sql`(d.started_on <= ${today}::date and d.expires_on >= ${safeFrom}::date)`;
    case 'expiring':
      return sql`(d.started_on <= ${today}::date and d.expires_on >= ${today}::date and d.expires_on < ${safeFrom}::date)`;
    case 'not-subscribed':
      return sql`(d.expires_on is null or d.expires_on < ${today}::date or d.started_on > ${today}::date)`;
  }
}
