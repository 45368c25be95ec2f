import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifierCell, safeCell } from '@highline/contract/csv-cell';
import { createLineWriter, type CopiedColumn } from './copied-lines.ts';
import { field } from './field.ts';

/** Lengths of pieces that end anywhere. */
function inPieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) pieces.push(bytes.subarray(at, (at += length)));
  return [...pieces, bytes.subarray(at)];
}

/** As PostgreSQL writes it: NULL without quotes, an empty text with them. */
function copied(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function linesOf(columns: readonly CopiedColumn[], bytes: Buffer, lengths: readonly number[] = []): string {
  const write = createLineWriter(columns);
  return Buffer.concat(inPieces(bytes, lengths).map((piece) => write(piece))).toString();
}

const title = ['A', '甲'] as const;
const shout = (value: string) => (value === '' ? '' : `${value.length} 字, "${value}"`);
const kinds = { number: 'number', text: 'text', identifier: 'identifier', plain: 'plain', made: shout } as const;
type Kind = keyof typeof kinds;

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'Bus 12',
    'HL-R520 5G',
    '2.8.1',
    '=1+1',
    '-3',
    '+1 312 555 0142',
    'a;=1',
    'x\n@y',
    '\t',
    'a,b',
    '"',
    '""',
    '\\.',
  ),
  fc.constantFrom(
    '0042',
    '112233445E66',
    '3-4',
    'MAR1',
    'marK1',
    'ſep1',
    '2026/11',
    '123456789012',
    '王小明 🚌',
    'a王',
    "'x",
    '00B2D0000001',
  ),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(',', '"', '\r', '\n', ' ', ';', 'a', '1', '=', 'E', '字') }),
);
const value = fc.option(texts);
const label = fc.constantFrom('Online', '已訂閱', '01/02/2026', '', '-5');

/** The cell of any value, as a file has always had it. */
const cells: Record<Exclude<Kind, 'number'>, (text: string) => string> = {
  text: safeCell,
  identifier: identifierCell,
  plain: (text) => text,
  made: shout,
};

test('SHR-08-partial lines of copied values have the cells of safeCell and identifierCell, wherever the pieces of the connection end', () => {
  const columns = fc.array(fc.constantFrom<Kind[]>('number', 'text', 'identifier', 'plain', 'made'), {
    minLength: 2,
    maxLength: 6,
  });
  const file = columns
    .filter((names) => names.some((name) => name !== 'number'))
    .chain((names) =>
      fc.record({
        names: fc.constant(names),
        rows: fc.array(fc.tuple(...names.map((name) => (name === 'plain' ? label : value))), { maxLength: 12 }),
        lengths: fc.array(fc.nat(40)),
      }),
    );
  fc.assert(
    fc.property(file, ({ names, rows, lengths }) => {
      const stored = names.map((name, at) => ({ name, at })).filter(({ name }) => name !== 'number');
      const sent = rows.map(
        (row) => `${stored.map(({ name, at }) => (name === 'plain' ? row[at] : copied(row[at]!))).join(',')}\n`,
      );
      const expected = rows.map((row, index) =>
        names.map((name, at) => field(name === 'number' ? String(index + 1) : cells[name](row[at] ?? ''))).join(','),
      );
      const lines = linesOf(
        names.map((name) => ({ title, cell: kinds[name] })),
        Buffer.from(sent.join('')),
        lengths,
      );
      expect(lines).toBe(expected.map((line) => `${line}\r\n`).join(''));
    }),
    { numRuns: 1_000 },
  );
});

test('SHR-08-partial a file of numbers only, and one without rows, have their lines', () => {
  const numbers = [{ title, cell: 'number' }] as const;
  expect(linesOf(numbers, Buffer.from('\n\n'))).toBe('1\r\n2\r\n');
  expect(linesOf(numbers, Buffer.from(''))).toBe('');
});
