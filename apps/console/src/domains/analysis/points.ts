import type { analysis } from '@highline/contract';
import type { TFunction } from 'i18next';
import { csvFile } from '../../api/download.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import type { Chart } from './analysis.api.ts';
import { columnsOf } from './title.ts';

const figures = ['count', 'min', 'mean', 'max', 'true', 'false'] as const;

/** The label of a point: a time in a zone, a device, a value, or one of the figures of a summary. */
export function pointLabels(
  { property }: Pick<Chart, 'property'>,
  zone: string,
  t: TFunction,
): (point: analysis.Point) => string {
  return ({ x, label }) => {
    if (typeof x === 'number') return formatDateTime(x / 1000, zone);
    // Text that a router reported is shown unchanged, even if it equals one of our labels.
    const figure = property?.type === 'string' ? undefined : figures.find((one) => one === x);
    return label ?? (figure === undefined ? x : t(`analysis.figure.${figure}`));
  };
}

/** The points of a chart as CSV: their labels with all their digits, none of them a formula, and their values as numbers (SHR-08). */
export function pointsFile(chart: Chart, zone: string, t: TFunction): Blob {
  const labelOf = pointLabels(chart, zone, t);
  return csvFile([columnsOf(chart, t), ...chart.points.map((point) => [labelOf(point), point.y] as const)]);
}
