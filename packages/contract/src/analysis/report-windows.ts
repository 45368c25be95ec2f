import type { Window } from './calls.ts';

/** The properties of a time range that its windows depend on (RPT-03). */
export interface WindowQuestion {
  /** Days of the range, partial ones counted whole. */
  readonly days: number;
  /** Records of an average day. */
  readonly perDay: number;
  /** Tags of the queried organization and groups. */
  readonly tags: readonly string[];
}

/** Windows to choose from, widest first, and the one to begin with. */
export interface WindowChoice {
  readonly windows: Window[];
  readonly window: Window;
}

const SINGLE_DAY = ['1d', '1h', '30m', '10m', '5m'] as const satisfies readonly Window[];
const SEVERAL_DAYS = ['1mo', '1w', '1d', '1h'] as const satisfies readonly Window[];

/** Minutes of a window; of a month approximately. */
export const windowMinutes: Readonly<Record<Window, number>> = {
  '1mo': 43_200,
  '1w': 10_080,
  '1d': 1_440,
  '3h': 180,
  '1h': 60,
  '30m': 30,
  '10m': 10,
  '5m': 5,
};

/** Records a day above which windows are wide, and above which a range is answered in the widest useful one. */
export const MANY_A_DAY = 100_000;
export const VERY_MANY_A_DAY = 1_000_000;
/** A group with this tag has too much data for windows of minutes. */
export const BIG_DATA_TAG = 'BD';

/** A chart is readable from some 24 points on, up to some 200. */
const FEWEST_POINTS = 24;
const MOST_READABLE = 200;
/** No chart has more points than this. */
export const MOST_CHART_POINTS = 2_000;
/** A range that begins within a window has one more, and so has a day on which clocks are put back. */
const MORE_WINDOWS = 2;

const pointsOf = (window: Window, days: number) => (days * 1_440) / windowMinutes[window];

/**
 * The windows that a query is answered in (RPT-03). The number of records has precedence over the tag; without either, a chart
 * begins with the widest window that gives 24 points, or the next wider one if that would be more than 200: 1h up to 8 days, 1d
 * up to 23 weeks, 1w beyond. Windows with more points than a chart has are left out; the next wider one takes their place.
 */
export function windowsFor({ days, perDay, tags }: WindowQuestion): WindowChoice {
  const fits = (one: Window) => pointsOf(one, days) + MORE_WINDOWS <= MOST_CHART_POINTS;
  const usual: readonly Window[] = (days <= 1 ? SINGLE_DAY : SEVERAL_DAYS).filter(fits);
  const required = forced({ days, perDay, tags });
  const window = required === undefined ? beginning(usual, days) : fits(required) ? required : usual.at(-1)!;
  const windows = usual.includes(window) ? usual : [...usual, window];
  return { windows: windows.toSorted((a, b) => windowMinutes[b] - windowMinutes[a]), window };
}

function forced({ days, perDay, tags }: WindowQuestion): Window | undefined {
  if (perDay > VERY_MANY_A_DAY) return days <= 1 ? '1h' : '1d';
  if (perDay > MANY_A_DAY) return '3h';
  return tags.includes(BIG_DATA_TAG) ? '1h' : undefined;
}

function beginning(windows: readonly Window[], days: number): Window {
  const enough = windows.findIndex((window) => pointsOf(window, days) >= FEWEST_POINTS);
  const place = enough === -1 ? windows.length - 1 : enough;
  const chosen = pointsOf(windows[place]!, days) > MOST_READABLE ? Math.max(0, place - 1) : place;
  return windows[chosen]!;
}
