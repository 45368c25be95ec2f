import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { rowsFile } from './rows-file.ts';

test('SHR-08-partial a file of selected rows has the columns with a text in their order, and no cell of it is a formula', async () => {
  const columns = [
    { id: 'number', header: '#', cell: () => null },
    { id: 'name', header: 'Name, "quoted"', cell: () => null, text: ({ name }: { name: string }) => name },
    { id: 'count', header: 'Count', cell: () => null, text: ({ count }: { count: number }) => String(count) },
  ];
  const rows = [
    { name: '=cmd()', count: 1 },
    { name: 'two\nlines, and "more"', count: 22 },
    // A spreadsheet that separates by semicolons begins a cell within a text.
    { name: 'rejected: x;=1+1;y', count: 3 },
    { name: '\u200b=1+1', count: 4 },
    { name: '12-05', count: 5 },
    { name: '000123456789', count: 6 },
    { name: '12/31/2026', count: 7 },
    { name: "'tis -95", count: 8 },
    { name: '-95', count: 9 },
  ];
  const text = await rowsFile(columns, rows).text();
  expect(parse(text, { bom: true })).toEqual([
    ['Name, "quoted"', 'Count'],
    ["'=cmd()", '1'],
    ['two\nlines, and "more"', '22'],
    ["rejected: x;'=1+1;y", '3'],
    ["'\u200b=1+1", '4'],
    ["'12-05", '5'],
    ["'000123456789", '6'],
    ['12/31/2026', '7'],
    ["''tis -95", '8'],
    ['-95', '9'],
  ]);
});
