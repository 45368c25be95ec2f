import { parseDay } from './format.ts';
import { offsetHours, wallTime } from './zones.ts';

/** A day and half-hour slot on the wall clock of a zone: MM/DD/YYYY and HH:mm. */
export interface Slot {
  readonly day: string;
  readonly slot: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The half hours of a day, 00:00 to 23:30 (GRP-07). */
export const halfHours: readonly string[] = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);

/** What the wall clock of `zone` shows at an instant in epoch seconds. */
export function slotOf(epoch: number, zone: string): Slot {
  const { year, month, day, hour, minute } = wallTime(new Date(epoch * 1000), zone);
  return { day: `${month}/${day}/${year}`, slot: `${hour}:${minute}` };
}

/**
 * The instant, in epoch seconds, at which the wall clock of `zone` shows a day and slot (GRP-07). Where clocks go back
 * and show it twice, the first; where they go forward and leave it out, undefined.
 */
export function epochOf({ day, slot }: Slot, zone: string): number | undefined {
  const date = parseDay(day);
  const time = /^([01]\d|2[0-3]):([0-5]\d)$/u.exec(slot);
  if (date === undefined || time === null) return undefined;
  const asUtc = Date.UTC(date.year, date.month - 1, date.day, Number(time[1]), Number(time[2]));
  // A zone changes its offset at most once within a day either side; one of the two offsets around is the right one.
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map((instant) => offsetHours(zone, new Date(instant)));
  const instants = offsets.map((hours) => (asUtc - hours * HOUR_MS) / 1000).toSorted((a, b) => a - b);
  return instants.find((instant) => {
    const shown = slotOf(instant, zone);
    return shown.day === day && shown.slot === slot;
  });
}

/** The slots that a day has in a zone: all 48, but for those that summer time leaves out. */
export function slotsOf(day: string, zone: string): readonly string[] {
  return halfHours.filter((slot) => epochOf({ day, slot }, zone) !== undefined);
}

/** The instant of a slot, or of the next one that exists on that day. Undefined when there is none. */
export function nextEpoch(requested: Slot, zone: string): number | undefined {
  const later = halfHours.filter((slot) => slot > requested.slot);
  for (const slot of [requested.slot, ...later]) {
    const epoch = epochOf({ day: requested.day, slot }, zone);
    if (epoch !== undefined) return epoch;
  }
  return undefined;
}
