import { parseDay, DomainError, type FailureDetail } from '../../kernel/index.ts';

/** First and last day of a subscription, ISO. */
export interface SubscriptionDays {
  readonly startedOn: string;
  readonly expiresOn: string;
}

/**
 * Read the days of a subscription as users write them.
 * @param at which of several subscriptions a failure is about, in addition to the field
 * @throws DomainError `device.dates_reversed`, `request.invalid` for an invalid date
 */
export function readSubscription(
  typed: { readonly started: string; readonly expired: string },
  at: FailureDetail,
): SubscriptionDays {
  const startedOn = dayOf(typed.started, 'started', at);
  const expiresOn = dayOf(typed.expired, 'expired', at);
  if (expiresOn < startedOn) throw new DomainError('device.dates_reversed', { ...at, field: 'expired', detail: 'expired' });
  return { startedOn, expiresOn };
}

function dayOf(text: string, field: 'started' | 'expired', at: FailureDetail): string {
  const day = parseDay(text);
  if (day !== undefined) return day;
  throw new DomainError('request.invalid', { ...at, message: `${field}: must be a date as MM/DD/YYYY`, field });
}
