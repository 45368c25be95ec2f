import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { dayFromIso, dayIn, parseDay } from '../time/format.ts';
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

/** Fills in both days of a subscription: twelve months from the first day, or from today. */
export function TwelveMonths({
  started,
  onPick,
}: {
  readonly started: string;
  readonly onPick: (days: Days) => void;
}): ReactNode {
  const { t } = useTranslation();
  // Subscriptions end at 24:00 UTC.
  const today = dayIn(useNow(), 'UTC');
  return (
    <button
      type="button"
      className="link twelve-months"
      onClick={() => onPick(twelveMonths(started) ?? twelveMonths(today) ?? { started: '', expired: '' })}
    >
      {t('ui.date.twelveMonths')}
    </button>
  );
}
