/** Hours around the present one that count for a day: clocks change twice a year, and buses are late. */
const AROUND = [-1, 0, 1];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Weeks back whose same weekday counts. */
const WEEKS = 8;
/** Days back of which workdays stand for a workday, while there are too few of the same weekday. */
const DAYS = 14;
/** Fewer say nothing. */
const LEAST_WEEKS = 3;
const LEAST_WORKDAYS = 4;
/** With so many values, the highest and the lowest are left out: a holiday, an outage. */
const ENOUGH_TO_TRIM = 4;

/** Devices online and in all, summed over the moments of an hour. */
export interface OnlineHour {
  readonly hour: Date;
  readonly online: number;
  readonly devices: number;
}

/** How many devices are usually offline at this hour of the week. */
export interface Usual {
  readonly least: number;
  readonly most: number;
}

const startOfHour = (time: number): number => Math.floor(time / HOUR_MS) * HOUR_MS;
const isWorkday = (time: number): boolean => ![0, 6].includes(new Date(time).getUTCDay());

/** The present hour on days before, as times. Both ways to compare are of UTC, in which an hour of the week is always the same one of a zone. */
function daysBack(now: Date): { readonly weeks: readonly number[]; readonly workdays: readonly number[] } {
  const hour = startOfHour(now.getTime());
  const weeks = Array.from({ length: WEEKS }, (_, back) => hour - (back + 1) * 7 * DAY_MS);
  const days = isWorkday(hour) ? Array.from({ length: DAYS }, (_, back) => hour - (back + 1) * DAY_MS) : [];
  return { weeks, workdays: days.filter(isWorkday) };
}

/** The hours that `usualOffline` needs. */
export function hoursOfUsual(now: Date): Date[] {
  const { weeks, workdays } = daysBack(now);
  const times = [...weeks, ...workdays].flatMap((time) => AROUND.map((offset) => time + offset * HOUR_MS));
  return [...new Set(times)].map((time) => new Date(time));
}

/** The share of devices offline on each of these days, ascending; days without a value are left out. */
function sharesOf(hours: ReadonlyMap<number, OnlineHour>, days: readonly number[]): number[] {
  const shares = days.flatMap((day) => {
    const around = AROUND.flatMap((offset) => hours.get(day + offset * HOUR_MS) ?? []);
    const devices = around.reduce((sum, hour) => sum + hour.devices, 0);
    return devices === 0 ? [] : [1 - around.reduce((sum, hour) => sum + hour.online, 0) / devices];
  });
  return shares.toSorted((a, b) => a - b);
}

/**
 * How many of so many devices are usually offline now (SAY-01), from the fleet's own history: at this hour of the same weekday, in at least three of
 * the last eight weeks, or on workdays of the last two weeks. A Sunday is compared with Sundays alone, so that a parked fleet is no outage.
 * @returns undefined while there is too little history
 */
export function usualOffline(history: readonly OnlineHour[], devices: number, now: Date): Usual | undefined {
  const hours = new Map(history.map((each) => [each.hour.getTime(), each]));
  const { weeks, workdays } = daysBack(now);
  const ofWeeks = sharesOf(hours, weeks);
  const ofWorkdays = sharesOf(hours, workdays);
  const shares = ofWeeks.length >= LEAST_WEEKS ? ofWeeks : ofWorkdays.length >= LEAST_WORKDAYS ? ofWorkdays : [];
  if (shares.length === 0) return undefined;
  const kept = shares.length >= ENOUGH_TO_TRIM ? shares.slice(1, -1) : shares;
  // Sums of shares are not exact.
  return { least: Math.floor(kept[0]! * devices + 1e-6), most: Math.max(0, Math.ceil(kept.at(-1)! * devices - 1e-6)) };
}

/** Fewer devices more than usual are no deviation. */
const LEAST_MORE = 2;
const LEAST_SHARE = 0.01;
/** Without a history, this share of the fleet must have gone offline within an hour. */
export const SHARE_AT_ONCE = 0.2;

/** How many devices more than usual are offline; 0 = no deviation. */
export function offlineBeyond({ least, most }: Usual, offline: number, devices: number): number {
  const more = offline - most;
  return more >= Math.max(LEAST_MORE, Math.ceil(devices * LEAST_SHARE), most - least) ? more : 0;
}
