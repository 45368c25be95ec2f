import { outages as calls } from '@highline/contract';
import { addDays, checkZone, dayIn, invalidField, readDay, startOfDay } from '../../kernel/index.ts';

/** A period of whole days of a zone. */
export interface OutageTime {
  readonly zone: string;
  /** ISO days, both within. */
  readonly from: string;
  readonly until: string;
  /** Its first instant, and the first after it. */
  readonly begins: Date;
  readonly ends: Date;
  /** Days for which the installation keeps outages. */
  readonly keptDays: number;
  /** Since when there are outages, where that is later than the period begins; of some of several organizations, the latest. */
  readonly kept?: { readonly since: Date; readonly isOfSome: boolean };
}

/** Days for which outages are kept after their end. @param installationDays those of connections (TELEMETRY_DAYS) */
export const keptDaysOf = (installationDays: number): number => Math.max(installationDays, calls.KEPT_OUTAGE_DAYS);

/**
 * The period of a call; days of a zone, of which one may have 23 or 25 hours.
 * @param installationDays for which connections are kept
 * @throws DomainError `request.invalid` for an unknown zone, a day that does not exist, and a period that is too long or ends before it begins
 */
export function timeOf(
  query: Pick<calls.OutagePeriod, 'from' | 'until' | 'zone'>,
  now: Date,
  installationDays: number,
): OutageTime {
  const zone = query.zone === undefined || query.zone === '' ? 'UTC' : query.zone;
  checkZone(zone, 'zone');
  const until = readDay(query.until, 'until') ?? dayIn(zone, now);
  const from = readDay(query.from, 'from') ?? addDays(until, 1 - calls.USUAL_OUTAGE_DAYS);
  if (from > until) throw invalidField('until', 'must not be before the first day');
  if (addDays(from, calls.MAX_OUTAGE_DAYS) <= until)
    throw invalidField('from', `must be at most ${calls.MAX_OUTAGE_DAYS} days before the last day`);
  return {
    zone,
    from,
    until,
    begins: startOfDay(zone, from),
    ends: startOfDay(zone, addDays(until, 1)),
    keptDays: keptDaysOf(installationDays),
  };
}

/** The days of a period, in their order. */
export function daysBetween({ from, until }: Pick<OutageTime, 'from' | 'until'>): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) days.push(day);
  return days;
}
