import { identifierCell } from '@highline/contract/csv-cell';

/** Hand a file to the person's downloads under a name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has started reading by the next turn; revoking the address now would cut it off.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A small CSV made here: a template, a report. No text of it is a formula, and all have their digits (SHR-08). */
export function csvFile(rows: readonly (readonly (string | number)[])[]): Blob {
  const lines = rows.map((cells) => cells.map(field).join(','));
  // With the byte order mark, spreadsheets read the text as UTF-8.
  return new Blob([`\u{feff}${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** A whole day, which spreadsheets read as such. */
const wholeDay = /^(?:\d{4}([-/])\d{2}\1\d{2}|\d{2}\/\d{2}\/\d{4})$/u;

function field(value: string | number): string {
  const cell = typeof value === 'number' || wholeDay.test(value) ? String(value) : identifierCell(value);
  return /[",;\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
