// Cells that a spreadsheet shows unchanged: nothing in them is evaluated, and no digit is lost. Both are achieved with a leading
// apostrophe. `="…"` would keep digits too, but is itself a formula, is shown as text by some programs, and looks like an attack.
// Our own imports take these apostrophes away again, and of any other cell a leading one (DECISIONS, CSV import).

/** The start of a formula for a spreadsheet, also in its full-width form, and after blanks, quotes and invisible characters. */
const formula = /^[\s"'\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@＝＋－＠]/u;
const startsWithControl = /^[\t\r\n]/u;
/** `-95`, `+1.5`, `-1,200.50`, `-3 %`: numbers, which stay numbers. */
const plainNumber = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:[.,]\d+)?(?: ?%)?$/u;
/** `+1 312 555 0142`, `+886 (2) 2345-6789`. Not `+1-312-555`: a spreadsheet would subtract. */
const phoneNumber = /^\+\d{1,4} [\d ()]+(?:-\d+)?$/u;
/** Texts that a spreadsheet reads as a number and then rounds, shortens or shows as 1E+14. */
const lossyNumber = /^(?:0\d+|\d{12,}|\d+[eE]\d+)$/u;
/** Texts that it reads as a date: `3-4`, `2026/11`, `MAR1`. */
const seemingDate =
  /^(?:\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d{1,4})$/iu;

/**
 * Where another cell begins for a spreadsheet that separates by semicolons or tabs, or treats a quote within a line as a
 * character.
 */
const otherSeparator = /([;\t\r\n])/u;

/** Most cells: they begin with a letter or digit, and no other cell begins within them. */
const harmless = /^[A-Za-z0-9][^;\t\r\n]*$/u;

/** A text or number for any column. */
export function safeCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && harmless.test(value)) return value;
  const text = String(value);
  const parts = text.split(otherSeparator);
  if (parts.length > 1) return (startsWithControl.test(text) ? "'" : '') + parts.map(withoutFormula).join('');
  return withoutFormula(text);
}

/** Prefix the text with an apostrophe if a spreadsheet would evaluate it, or if it could be taken for such a prefix. */
function withoutFormula(text: string): string {
  return isPrefixed(text) ? `'${text}` : text;
}

function isPrefixed(text: string): boolean {
  if (text.startsWith("'")) return true;
  return formula.test(text) && !plainNumber.test(text.trim()) && !phoneNumber.test(text.trim());
}

/** A serial or vehicle number, group, MAC, ICCID, IMSI, EID, MTN or IMEI: also protected from being read as a number or a date. */
export function identifierCell(value: string | null | undefined): string {
  return value && (lossyNumber.test(value) || seemingDate.test(value)) ? `'${value}` : safeCell(value);
}

/**
 * The text that a cell stands for: the exact inverse of `safeCell` and `identifierCell`. An apostrophe that protects nothing stays, as
 * none of them writes one.
 */
export function protectedText(cell: string): string {
  const text = cell.slice(1);
  if (!cell.startsWith("'")) return withoutPrefixes(cell);
  if (lossyNumber.test(text) || seemingDate.test(text)) return text;
  return withoutPrefixes(startsWithControl.test(text) ? text : cell);
}

function withoutPrefixes(cell: string): string {
  if (!cell.includes("'")) return cell;
  const parts = cell.split(otherSeparator);
  return parts.map((part) => (part.startsWith("'") && isPrefixed(part.slice(1)) ? part.slice(1) : part)).join('');
}

/** What an import reads in a cell of a CSV: what it protects, also without an apostrophe that someone wrote before it. */
export function importedText(cell: string): string {
  const text = protectedText(cell);
  return text === cell && cell.startsWith("'") ? cell.slice(1) : text;
}

/** A cell of a workbook, in which nothing has to be protected: as text, unless an import would take that for a cell that is protected. */
export function workbookText(cell: string): string {
  const text = protectedText(cell);
  return protectedText(text) === text ? text : cell;
}

/** A cell of a workbook as a CSV has it: what an import reads in one is what it reads in the other. */
export function csvCell(cell: string): string {
  return cell.startsWith("'") && protectedText(cell) === cell ? `'${cell}` : cell;
}

/** A cell of an uploaded CSV once more: an import reads the same, but it is safe, and has all its digits. */
export function repeatedCell(cell: string): string {
  if (!cell.startsWith("'") && lossyNumber.test(cell)) return `'${cell}`;
  const safe = safeCell(importedText(cell));
  return cell.startsWith("'") && !safe.startsWith("'") ? `'${safe}` : safe;
}
