import type { analysis } from '@highline/contract';
import { formatDateTime } from '../../ui/time/format.ts';

/** What a point belongs to, in words: a moment in a zone, a device or a value. */
export function placeOf({ x, label }: analysis.Point, zone: string): string {
  if (typeof x === 'number') return formatDateTime(x / 1000, zone);
  return label ?? x;
}

/** A cell that no spreadsheet takes for a formula, quoted: what routers and people call things is not ours. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) && !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A chart's points as CSV, the first line naming the columns. */
export function csvOfPoints(points: readonly analysis.Point[], header: readonly [string, string], zone: string): Blob {
  const lines = [header, ...points.map((point) => [placeOf(point, zone), String(point.y)] as const)];
  const text = lines.map((cells) => cells.map(cell).join(',')).join('\r\n');
  // The mark at the front tells spreadsheets that the text is UTF-8.
  return new Blob([`\u{feff}${text}\r\n`], { type: 'text/csv;charset=utf-8' });
}
