import { expect, test } from 'vitest';
import { findIccids } from './iccids.ts';

test.each([
  ['groups with blanks', '8944 5000 1112 2233 3445', ['89445000111222333445'], []],
  ['groups with dashes, in a cell', 'Bus 1;"8944-5000-1112-2233-3445";2026-11-30', ['89445000111222333445'], []],
  ['groups after a name, with the filler', 'Bus 12 89445 00011 12223 3344F Depot', ['8944500011122233344F'], []],
  [
    'several in a line',
    '8944476500008878576 8944 5000 1112 2233 3445 8944476500008878584 1',
    ['8944476500008878576', '89445000111222333445', '8944476500008878584'],
    [],
  ],
  ['groups that are too few', '8944 5000 1112 2233 Bus', [], ['8944500011122233']],
  ['too many digits, before a date', '894447650000887857612;2026-11-30', [], ['894447650000887857612']],
  ['exponents', '8.94E19\n8,94e18;8.94E+18\nABE19 3E10', [], ['8.94E19', '8,94e18', '8.94E+18']],
  ['no EID, also in groups', '89049099990000000000000000000092\n8904 9099 9900 0000 0000 0000 0000 0092', [], []],
])('USE-03-partial ICCIDs are found as people and programs write them: %s', (_, text, iccids, others) => {
  expect(findIccids(text)).toEqual({ iccids, others });
});
