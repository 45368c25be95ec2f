import { identifierCell, safeCell } from '@highline/contract/csv-cell';
import type { ColumnKind } from '../xlsx/list-workbook.ts';
import { field, type Bilingual } from './field.ts';

/**
 * A column of a file whose values PostgreSQL writes with `COPY … (format csv)`: what a value of it becomes.
 *
 * - `text`, `identifier`: made safe by csv-cell.ts of the contract
 * - `plain`: written by SQL as the file shows it, without `"`, `,` or line ends: a label, a day, a number
 * - a function: made from the value; NULL and the empty text are `''`
 */
export type CopiedCell = 'text' | 'identifier' | 'plain' | ((value: string) => string);

/** One column of such a file; `number` numbers the lines and is not among the values. */
export interface CopiedColumn {
  readonly title: Bilingual;
  readonly cell: CopiedCell | 'number';
  readonly kind?: ColumnKind;
}

/** Begins with a letter or digit, and no other cell begins within it: `safeCell` returns it as it is. Also as bytes. */
const HARMLESS = '(?:[A-Za-z0-9][^;\\t\\r\\n",]*)?';
/** Not a lossy number, and not the beginning of what may be a date. */
const NO_NUMBER_NO_DATE =
  '(?!(?:0\\d+|\\d{12,}|\\d+[eE]\\d+)[,\\n]|\\d{1,4}[-/.]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))';
const PLAIN = '[^",\\r\\n]*';
/** Values of functions are read as they are only if each byte is a character. */
const ASCII = '[\\x20\\x21\\x23-\\x2b\\x2d-\\x7e]*';

const patterns = { text: HARMLESS, identifier: NO_NUMBER_NO_DATE + HARMLESS, plain: PLAIN };

/** What a line is put together from: values that stay as they are, the number of the line, and values that a function makes. */
type Part = { readonly kept: string } | 'number' | ((value: string) => string);

/**
 * Makes lines of a file from the bytes of `COPY … (format csv, null '')` without reading most of their cells: one regular
 * expression recognizes a line whose values all stay as they are, but for those of functions; any other line is read and written
 * value by value.
 * @returns a function that takes the next piece, which may end anywhere, and returns the lines that end in it
 */
export function createLineWriter(columns: readonly CopiedColumn[]): (piece: Buffer) => Buffer {
  const copied = columns.map(({ cell }) => cell);
  const parts = partsOf(copied);
  const line = lineOf(parts);
  const isUnchanged = parts.every((part) => typeof part === 'object');
  let number = 0;
  let rest = '';

  /** A line whose values stay as they are. */
  const assembled = (values: readonly string[]): string => {
    let next = 1;
    return parts
      .map((part) => {
        if (part === 'number') return String(number);
        const value = values[next++]!;
        return typeof part === 'function' ? bytesOf(field(part(value))) : value;
      })
      .join(',');
  };

  /** Any line. */
  const written = (values: readonly string[]): string => {
    let next = 0;
    return copied.map((cell) => (cell === 'number' ? String(number) : field(made(cell, values[next++]!)))).join(',');
  };

  return (piece) => {
    // One character for each byte: nothing is decoded that stays as it is.
    const text = rest === '' ? piece.toString('latin1') : rest + piece.toString('latin1');
    const lines: string[] = [];
    let at = 0;
    while (at < text.length) {
      line.lastIndex = at;
      if (isUnchanged) {
        let end = at;
        while (line.test(text)) end = line.lastIndex;
        if (end > at) lines.push(text.slice(at, end).replaceAll(/\n/gu, '\r\n'));
        at = end;
      } else {
        for (let found = line.exec(text); found !== null; found = line.exec(text)) {
          number += 1;
          lines.push(assembled(found), '\r\n');
          at = line.lastIndex;
        }
      }
      const record = readRecord(text, at);
      if (record === undefined) break;
      number += 1;
      lines.push(bytesOf(written(record.values.map(textOf))), '\r\n');
      at = record.end;
    }
    rest = text.slice(at);
    return Buffer.from(lines.join(''), 'latin1');
  };
}

function made(cell: CopiedCell, value: string): string {
  if (typeof cell === 'function') return cell(value);
  if (cell === 'plain') return value;
  return cell === 'text' ? safeCell(value) : identifierCell(value);
}

/** Adjacent columns whose values stay as they are become one part. */
function partsOf(cells: readonly (CopiedCell | 'number')[]): Part[] {
  const parts: Part[] = [];
  for (const cell of cells) {
    const last = parts.at(-1);
    if (cell === 'number' || typeof cell === 'function') parts.push(cell);
    else if (typeof last === 'object') parts[parts.length - 1] = { kept: `${last.kept},${patterns[cell]}` };
    else parts.push({ kept: patterns[cell] });
  }
  return parts;
}

/** Recognizes such a line, with a group for each of its parts but the number. */
function lineOf(parts: readonly Part[]): RegExp {
  const groups = parts.flatMap((part) => {
    if (part === 'number') return [];
    return [`(${typeof part === 'function' ? ASCII : part.kept})`];
  });
  return new RegExp(`${groups.join(',')}\\n`, 'iy');
}

/** A record of `COPY … (format csv)`, and where the next one begins; undefined if it does not end within the text. */
function readRecord(text: string, begin: number): { readonly values: string[]; readonly end: number } | undefined {
  const values: string[] = [];
  for (let at = begin; at < text.length;) {
    const value = text.charAt(at) === '"' ? quotedValue(text, at) : plainValue(text, at);
    if (value === undefined) return undefined;
    values.push(value.text);
    if (text.charAt(value.end) === '\n') return { values, end: value.end + 1 };
    at = value.end + 1;
  }
  return undefined;
}

interface Value {
  readonly text: string;
  /** Of the comma or line end behind it. */
  readonly end: number;
}

const separator = /[,\n]/gu;

function plainValue(text: string, begin: number): Value | undefined {
  separator.lastIndex = begin;
  const found = separator.exec(text);
  return found === null ? undefined : { text: text.slice(begin, found.index), end: found.index };
}

function quotedValue(text: string, begin: number): Value | undefined {
  for (let quote = text.indexOf('"', begin + 1); quote >= 0; quote = text.indexOf('"', quote + 2)) {
    if (quote + 1 >= text.length) return undefined;
    if (text.charAt(quote + 1) !== '"') return { text: text.slice(begin + 1, quote).replaceAll('""', '"'), end: quote + 1 };
  }
  return undefined;
}

// oxlint-disable-next-line no-control-regex -- every character of one byte
const isAscii = /^[\0-\x7f]*$/u;

/** A text as one character for each of its bytes in UTF-8. */
function bytesOf(text: string): string {
  return isAscii.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** The text of such bytes. */
function textOf(bytes: string): string {
  return isAscii.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}
