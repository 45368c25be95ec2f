import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import { fingerprint, readCursor, writeCursor } from './cursor.ts';
import type { KeyKind, Segment } from './order.ts';

const segment = (...kinds: KeyKind[]): Segment => ({
  from: sql`t`,
  keys: kinds.map((kind) => ({ column: sql`c`, kind })),
  descending: false,
});
const segments = [segment('instant', 'uuid'), segment('text', 'day')];
const id = '0191d0a0-0000-7000-8000-000000000001';
const anchor = { towards: 'next', segment: 0, position: 49, keys: ['2026-11-20 12:00:00.123456+00', id] } as const;
const list = fingerprint(['devices', 'mine']);

test('DEV-01-partial a cursor is read back as written, microseconds included', () => {
  expect(readCursor(list, writeCursor(list, anchor), segments)).toEqual(anchor);
  const other = { towards: 'previous', segment: 1, position: 0, keys: ['=1+1 🚌 \u202e', '2026-02-28'] } as const;
  expect(readCursor(list, writeCursor(list, other), segments)).toEqual(other);
});

test('DEV-01-partial a cursor of another list is rejected', () => {
  const foreign = writeCursor(fingerprint(['devices', 'yours']), anchor);
  expect(() => readCursor(list, foreign, segments)).toThrow(DomainError);
});

test.each([
  ['no such segment', { ...anchor, segment: 2 }],
  ['too few keys', { ...anchor, keys: [anchor.keys[0]] }],
  ['too many keys', { ...anchor, keys: [...anchor.keys, id] }],
  ['an invalid instant', { ...anchor, keys: ["now()'; drop table devices --", id] }],
  ['a day that does not exist', { ...anchor, segment: 1, keys: ['x', '2026-02-30'] }],
  ['an invalid id', { ...anchor, keys: [anchor.keys[0], 'x'] }],
  ['a NUL', { ...anchor, segment: 1, keys: ['\0', '2026-02-28'] }],
  ['a position before the list', { ...anchor, position: -1 }],
])('DEV-01-partial a forged cursor with %s is rejected', (_, forged) => {
  expect(() => readCursor(list, writeCursor(list, forged), segments)).toThrow(/does not belong to this list/u);
});

test('DEV-01-partial any text is either a cursor of this list or rejected', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map((json) => Buffer.from(json).toString('base64url')),
      ),
      (text) => {
        expect(() => readCursor(list, text, segments)).toThrow(DomainError);
      },
    ),
  );
});
