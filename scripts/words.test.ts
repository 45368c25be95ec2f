import { expect, test } from 'vitest';
import { formsOf, refusedIn } from './words.mjs';

const rejected = new Map([
  ['told', 'reported'],
  ['room', 'module'],
  ['words', 'messages'],
]);

test.each([
  ['a sentence', 'What the router told us', ['told']],
  ['a name', 'const toldProfile = readTold(row.told_at);', ['told', 'told', 'told']],
  ['a constant', 'export const ROOM_SIZE = 4;', ['room']],
  ['a longer word', 'the passwords of a classroom were retold', []],
])('a refused word is found in %s, by itself', (_, line, expected) => {
  expect(refusedIn(line, rejected)).toEqual(expected);
});

test('a refused word is refused in its other forms too, unless such a form is a plain word', () => {
  const all = (...words: string[]) => new Map(words.flatMap((word) => formsOf(word).map((form) => [form, 'x'] as const)));
  const line = 'isKnocking, knocked, knocks: the judge remembers what napping neighbouring stretching tellers refuse';
  const refused = all('knock', 'judged', 'remembered', 'nap', 'neighbour', 'stretch', 'teller', 'refused');
  expect(refusedIn(line, refused)).toEqual([
    'knocking',
    'knocked',
    'knocks',
    'judge',
    'remembers',
    'napping',
    'neighbouring',
    'stretching',
    'tellers',
    'refuse',
  ]);
  expect(
    refusedIn(
      'told to turn home, besides asking for a word and hearing it',
      all('told', 'turns', 'homes', 'beside', 'asked', 'words', 'heard'),
    ),
  ).toEqual(['told', 'hearing']);
});
