import type { TFunction } from 'i18next';
import { formatNumber } from '../../ui/time/format.ts';
import { propertyName } from '../reports/index.ts';
import type { Chart } from './analysis.api.ts';

/** The questions that count records, whatever the property's unit. */
function unitOf({ chartType, property, unit }: Chart, t: TFunction): string {
  const counts =
    chartType === 'device' ||
    chartType === 'record' ||
    chartType === 'piechart' ||
    (chartType === 'sumarty' && property?.type !== 'number');
  return counts ? t('analysis.unit.records') : unit;
}

/** The title of a chart with its unit: 'Average of Signal strength (RSSI) (dBm)'. */
export function titleOf(chart: Chart, t: TFunction): string {
  const { property, chartType } = chart;
  const name = property === null ? '' : propertyName(property.id, property.name, t);
  const title = t(`analysis.title.${chartType}`, { property: name });
  const unit = unitOf(chart, t);
  return unit === '' ? title : t('analysis.title.withUnit', { title, unit });
}

/** The headers of the two columns of a chart's table. */
export function columnsOf(chart: Chart, t: TFunction): [string, string] {
  const unit = unitOf(chart, t);
  const value = t('analysis.column.value');
  return [t(`analysis.column.${chart.chartType}`), unit === '' ? value : t('analysis.title.withUnit', { title: value, unit })];
}

/** A value with its unit, for reading: two decimals are as much as a measurement says. */
export function valueText(chart: Chart, value: number, t: TFunction): string {
  const unit = unitOf(chart, t);
  const text = formatNumber(Number(value.toFixed(2)));
  return unit === '' ? text : `${text} ${unit}`;
}

/** A summary of a chart for screen readers. */
export function summaryOf(chart: Chart, t: TFunction): string {
  const values = chart.points.map(({ y }) => y);
  if (values.length === 0) return t('analysis.noData');
  const [low, high] = values.reduce(([least, most], y) => [Math.min(least, y), Math.max(most, y)], [Infinity, -Infinity]);
  return t('analysis.summary', { count: values.length, low: valueText(chart, low, t), high: valueText(chart, high, t) });
}

/** The least, mean and greatest of the values of a chart over time; of other charts none. */
export function figuresOf(chart: Chart): readonly (readonly ['min' | 'mean' | 'max', number])[] {
  const { chartType, points } = chart;
  if ((chartType !== 'average' && chartType !== 'runChart') || points.length === 0) return [];
  const values = points.map(({ y }) => y);
  const sum = values.reduce((total, y) => total + y, 0);
  const [low, high] = values.reduce(([least, most], y) => [Math.min(least, y), Math.max(most, y)], [Infinity, -Infinity]);
  return [
    ['min', low],
    ['mean', sum / values.length],
    ['max', high],
  ];
}
