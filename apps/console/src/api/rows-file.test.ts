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
  ];
  const text = await rowsFile(columns, rows).text();
  expect(parse(text, { bom: true })).toEqual([
    ['Name, "quoted"', 'Count'],
    ["'=cmd()", '1'],
    ['two\nlines, and "more"', '22'],
  ]);
});
