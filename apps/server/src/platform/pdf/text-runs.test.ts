import { expect, test } from 'vitest';
import { breakLines, orderRuns, type Script } from './text-runs.ts';

const ranges: Readonly<Record<Script, RegExp>> = {
  base: /[\p{Script=Latin}\p{Script=Han}\p{N}\p{P}\s]/u,
  hebrew: /[\p{Script=Hebrew} ().-]/u,
  arabic: /[\p{Script=Arabic}\u0660-\u0669 ()]/u,
  emoji: /\p{Emoji_Presentation}/u,
};
const has = (script: Script, codePoint: number) =>
  ranges[script].test(String.fromCodePoint(codePoint)) &&
  (script !== 'base' || !/[\u0660-\u0669]/u.test(String.fromCodePoint(codePoint)));
const written = (text: string) =>
  orderRuns(text, has).map(({ script, text: run, actual }) => [script, run, ...(actual === undefined ? [] : [actual])]);

test.each([
  ['Bus 12', [['base', 'Bus 12']]],
  ['חיפה תל אביב', [['hebrew', 'חיפה תל אביב']]],
  // The number is read from left to right, and stands at the left of what it follows.
  [
    'חיפה 12',
    [
      ['base', '12'],
      ['hebrew', 'חיפה '],
    ],
  ],
  [
    'Bus (חיפה) 7',
    [
      ['base', 'Bus ('],
      ['hebrew', 'חיפה'],
      ['base', ') '],
      ['base', '7'],
    ],
  ],
  ['אב (גד) הו', [['hebrew', 'אב )גד( הו']]],
  [
    'قطار ١٢',
    [
      ['arabic', '١'],
      ['arabic', '٢'],
      ['arabic', 'قطار '],
    ],
  ],
  [
    '巴士🚌',
    [
      ['base', '巴士'],
      ['emoji', '🚌'],
    ],
  ],
  ['👨‍👩‍👧️', [['emoji', '👨‍👩‍👧']]],
  [
    'กA',
    [
      ['base', '?', 'ก'],
      ['base', 'A'],
    ],
  ],
  ['A\u202eB\u0007C', [['base', 'ABC']]],
  ['', []],
])('RPM-02-partial %j is written as runs in the order of a page', (text, runs) => {
  expect(written(text)).toEqual(runs);
});

test('RPM-02-partial lines end at blanks, or within a text that has none for too long, and the last one with an ellipsis', () => {
  const widthOf = (text: string) => Array.from(text).length;
  expect(breakLines('one two three', 7, 5, widthOf)).toEqual(['one two', 'three']);
  expect(breakLines('abcdefghij', 4, 5, widthOf)).toEqual(['abcd', 'efgh', 'ij']);
  expect(breakLines('台北市車輛', 2, 2, widthOf)).toEqual(['台北', '市…']);
  expect(breakLines('one two three', 5, 2, widthOf)).toEqual(['one', 'two…']);
  expect(breakLines('', 5, 2, widthOf)).toEqual(['']);
});
