import type { analysis } from '@highline/contract';
import type { TFunction } from 'i18next';
import { formatDateTime } from '../../ui/time/format.ts';
import type { Chart } from './analysis.api.ts';

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

/** A quoted cell that no spreadsheet treats as a formula: names come from routers and users. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) && !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Rows of two cells as CSV, the first of them naming the columns. */
export function csvOf(rows: readonly (readonly [string, string])[]): Blob {
  const text = rows.map((cells) => cells.map(cell).join(',')).join('\r\n');
  // With the byte order mark, spreadsheets read the text as UTF-8.
  return new Blob([`\u{feff}${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}
