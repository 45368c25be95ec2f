import { expect, test } from 'vitest';
import { refusedIn } from './words.mjs';

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
