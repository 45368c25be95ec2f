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

/** A small CSV made here: a template, a report. Cells are ours, or went through `csvCell`. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => cells.join(','));
  // With the byte order mark, spreadsheets read the text as UTF-8.
  return new Blob([`\u{feff}${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

/** A number that a spreadsheet would shorten or round, and then save so. */
const lossyNumber = /^(?:0\d+|\d{12,}|\d+[eE]\d+)$/u;

/** A CSV cell of untrusted text: quoted, never a formula, and with all of its digits (SHR-08). */
export function csvCell(text: string): string {
  const safe = /^[\s'"]*[=+\-@＝＋－＠]/u.test(text) || lossyNumber.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
