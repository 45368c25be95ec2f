import { type analysis, findChartBase } from '@highline/contract';
import type { Drawable } from './analysis.service.ts';
import { type ChartInput, type Spec, categoriesOf, valueTitle, type Timed, timesOf, isCount } from './chart-parts.ts';
import { chartMessages, palettes, type ChartLanguage } from './chart.messages.ts';
import { pieChart } from './pie-chart.ts';

/** The default mark of a chart. */
export const usualMark: Readonly<Record<analysis.ChartType, analysis.Mark>> = {
  device: 'bar',
  record: 'bar',
  average: 'line',
  sumarty: 'bar',
  piechart: 'arc',
  runChart: 'line',
};

/** More points than this are a line without dots (ANA-02). */
const MOST_DOTS = 500;
const MOST_LARGE_DOTS = 100;
/** So few bars get a limited width, and their labels fit without a slant. */
const FEW_CATEGORIES = 6;

/** The share of bars in the least width of a chart, pixels. */
const BARS_WIDTH = 300;

/**
 * The Vega-Lite specification of a chart, including its values; null when there is nothing to draw (ANA-02). Texts of users and
 * routers are only in values and titles: never in an expression or a field name.
 */
export function chartSpec(responded: Drawable, input: ChartInput): Spec | null {
  const { points } = responded;
  if (points.length === 0) return null;
  const palette = palettes[input.theme];
  const body = input.mark === 'arc' ? pieChart(responded, input) : plane(responded, input);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: 'container',
    ...body,
    config: {
      view: { stroke: null },
      range: { category: palette.colours },
      mark: { color: palette.colours[0] },
      axis: {
        labelColor: palette.text,
        titleColor: palette.text,
        gridColor: palette.line,
        domainColor: palette.line,
        tickColor: palette.line,
        titleFontWeight: 500,
        labelOverlap: true,
      },
      legend: { labelColor: palette.text, titleColor: palette.text },
    },
  };
}

/** A chart with axes: over time if the query has times, otherwise over devices, values or the four numbers of a summary. */
function plane(responded: Drawable, { chartType, mark, language }: ChartInput): Spec {
  const { points, property } = responded;
  const isOverTime = typeof points[0]!.x === 'number';
  const title = valueTitle(responded, chartType, language);
  const isCounted = isCount(chartType);
  const axis = { format: ',.10~g', ...(isCounted ? { tickMinStep: 1 } : {}) };
  const drawn = drawnOf(responded, chartType);
  const base = mark === 'line' || isCounted ? undefined : findChartBase(drawn.points.map(({ y }) => y));
  const zero = base === undefined && (mark !== 'line' || isCounted);
  const y = { field: 'y', type: 'quantitative', title, axis, scale: { zero, ...(base !== undefined && { domainMin: base }) } };
  const data = isOverTime ? timesOf(responded) : categoriesOf(drawn, language);
  const first = isOverTime ? timeAxis(data as Timed[], responded, language) : categoryAxis(chartType, points.length, language);
  return {
    description: `${chartMessages[language].charts[chartType]}: ${property.names[language]}`,
    // Whose clock the times are of, for readers.
    ...(isOverTime && { usermeta: { zone: responded.zone } }),
    data: { values: data },
    mark: markOf(mark, points.length, isOverTime),
    encoding: {
      x: first,
      y,
      ...(base !== undefined && { y2: { datum: base } }),
      tooltip: [
        { field: isOverTime ? 'when' : 'label', type: 'nominal', title: first['title'] },
        { field: 'y', type: 'quantitative', title },
      ],
    },
  };
}

function markOf(mark: analysis.Mark, points: number, isOverTime: boolean): Spec {
  if (mark === 'bar') return { type: 'bar', cornerRadiusEnd: 2, width: isOverTime ? slimBar(points) : categoryBar(points) };
  const line = mark === 'area' ? { type: 'area', line: true, fillOpacity: 0.2 } : { type: 'line' };
  const point = points <= MOST_DOTS && { size: points <= MOST_LARGE_DOTS ? 30 : 10 };
  return { ...line, point, strokeWidth: 2 };
}

/** On a time axis bars have no width of their own. */
function slimBar(points: number): number {
  return Math.max(1, Math.floor((BARS_WIDTH * 0.8) / points));
}

function categoryBar(points: number): number | { band: number } {
  return points <= FEW_CATEGORIES ? 56 : { band: 0.75 };
}

/** The count of a summary is not drawn: on an axis of dBm it would dwarf the values. The table shows it. */
function drawnOf(responded: Drawable, chartType: analysis.ChartType): Drawable {
  if (chartType !== 'sumarty' || responded.property.type !== 'number') return responded;
  return { ...responded, points: responded.points.filter(({ x }) => x !== 'count') };
}

/** Every n-th point has a tick (ANA-02); undefined: as many as fit. */
export function tickInterval(points: number): number | undefined {
  if (points <= 36) return undefined;
  if (points <= 144) return 3;
  if (points <= 288) return 7;
  return points <= 1_440 ? 24 : 48;
}

function timeAxis(data: readonly Timed[], { window }: Drawable, language: ChartLanguage): Spec {
  const every = tickInterval(data.length);
  const spanMs = data.at(-1)!.t - data[0]!.t;
  const format = window === '1mo' ? '%Y/%m' : spanMs < DAY_MS ? '%H:%M' : spanMs < 4 * DAY_MS ? '%m/%d %H:%M' : '%m/%d';
  const values =
    every === undefined ? {} : { values: data.filter((_, index) => index % every === 0).map(({ t }) => dateTime(t)) };
  // The values have the clock of the user's zone; a UTC scale keeps the browser's own zone out.
  return {
    field: 't',
    type: 'temporal',
    scale: { type: 'utc' },
    title: chartMessages[language].time,
    axis: { format, ...values, grid: false },
  };
}

/** A time as a Vega-Lite object: a bare number becomes an expression that readers without `eval` take for a year. */
function dateTime(t: number): Spec {
  const at = new Date(t);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    date: at.getUTCDate(),
    hours: at.getUTCHours(),
    minutes: at.getUTCMinutes(),
    seconds: at.getUTCSeconds(),
    milliseconds: at.getUTCMilliseconds(),
    utc: true,
  };
}

const DAY_MS = 86_400_000;

function categoryAxis(chartType: analysis.ChartType, points: number, language: ChartLanguage): Spec {
  const { device, value, number } = chartMessages[language];
  const title = chartType === 'device' ? device : chartType === 'sumarty' ? number : value;
  return {
    field: 'label',
    type: 'nominal',
    sort: null,
    title,
    axis: { labelAngle: points <= FEW_CATEGORIES ? 0 : -35, labelLimit: 140 },
  };
}
