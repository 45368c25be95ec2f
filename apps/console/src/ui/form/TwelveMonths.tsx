import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { dayFromIso, dayIn, isoFromDay, parseDay } from '../time/format.ts';
import { useNow } from '../time/now.ts';

interface Days {
  /** MM/DD/YYYY */
  readonly started: string;
  readonly expired: string;
}

/**
 * Twelve months with a given first day.
 * @param first MM/DD/YYYY; both days count, so they end a day before the same day of the next year
 * @returns undefined for a text that is not a day
 */
export function twelveMonths(first: string): Days | undefined {
  const day = parseDay(first);
  if (day === undefined) return undefined;
  const last = new Date(Date.UTC(day.year + 1, day.month - 1, day.day - 1));
  return { started: first, expired: dayFromIso(last.toISOString().slice(0, 10)) };
}

/**
 * Twelve months more for a subscription, which end neither before what it has already nor in the past.
 * @param started first day as typed @param stored last day that it has @param today all MM/DD/YYYY
 */
export function nextTwelveMonths(started: string, stored: string, today: string): Days | undefined {
  const runsUntil = isoFromDay(stored);
  if (runsUntil >= isoFromDay(today) && isoFromDay(started) <= runsUntil) {
    const next = twelveMonths(dayFromIso(dayAfter(runsUntil)));
    return next && { ...next, started: started === '' ? today : started };
  }
  const typed = twelveMonths(started);
  return typed !== undefined && isoFromDay(typed.expired) >= isoFromDay(today) ? typed : twelveMonths(today);
}

const dayAfter = (iso: string) => new Date(Date.parse(`${iso}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Fills in both days of a subscription: twelve months from the first day or from today, and of one that runs from the day after its last. */
export function TwelveMonths({
  started,
  stored = '',
  onPick,
}: {
  readonly started: string;
  /** Last day that it has, MM/DD/YYYY; '' = none. */
  readonly stored?: string;
  readonly onPick: (days: Days) => void;
}): ReactNode {
  const { t } = useTranslation();
  // Subscriptions end at 24:00 UTC.
  const today = dayIn(useNow(), 'UTC');
  return (
    <button
      type="button"
      className="link twelve-months"
      onClick={() => onPick(nextTwelveMonths(started, stored, today) ?? { started: '', expired: '' })}
    >
      {t('ui.date.twelveMonths')}
    </button>
  );
}
