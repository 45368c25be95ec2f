import type { analysis } from '@highline/contract';
import type { TFunction } from 'i18next';
import { formatDateTime } from '../../ui/time/format.ts';
import type { Chart } from './analysis.api.ts';

const figures = ['count', 'min', 'mean', 'max', 'true', 'false'] as const;

/** Says what a chart's points belong to: a moment in a zone, a device, a value or one of the figures of a summary. */
export function pointLabels(
  { property }: Pick<Chart, 'property'>,
  zone: string,
  t: TFunction,
): (point: analysis.Point) => string {
  return ({ x, label }) => {
    if (typeof x === 'number') return formatDateTime(x / 1000, zone);
    // What a router told as text is shown as it is, also where it says the same as one of our words.
    const figure = property?.type === 'string' ? undefined : figures.find((one) => one === x);
    return label ?? (figure === undefined ? x : t(`analysis.figure.${figure}`));
  };
}

/** A cell that no spreadsheet takes for a formula, quoted: what routers and people call things is not ours. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) && !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Rows of two cells as CSV, the first of them naming the columns. */
export function csvOf(rows: readonly (readonly [string, string])[]): Blob {
  const text = rows.map((cells) => cells.map(cell).join(',')).join('\r\n');
  // The mark at the front tells spreadsheets that the text is UTF-8.
  return new Blob([`\u{feff}${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}
