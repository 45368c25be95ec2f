import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DomainError } from '../../kernel/failure.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { contains, searchable } from './search.ts';

const app = useTestApp();

test('SHR-05-partial a text with a NUL, which no column can contain, is rejected', () => {
  expect(searchable('plain', 'search')).toBe('plain');
  expect(() => searchable('a\0b', 'search')).toThrow(DomainError);
});

test('SHR-05-partial a search finds exactly the texts that contain it, case and punctuation included', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', '1', '%', '_', '\\', ' ', '-', '王', '🚌', '\u202e'),
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(
      text,
      text.filter((expected) => expected !== ''),
      async (value, expected) => {
        const [row] = await app.reader.rows<{ found: boolean }>(
          sql`select ${contains(sql`v`, expected)} as found from (select ${value}::text collate "C" as v) t`,
        );
        expect(row!.found).toBe(value.includes(expected));
      },
    ),
  );
});

test('SHR-05-partial a search that ignores case treats upper and lower case alike, punctuation included', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '1', '%', '_', '\\', ' ', '-'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      text,
      text.filter((expected) => expected !== ''),
      async (value, expected) => {
        const [row] = await app.reader.rows<{ found: boolean }>(
          sql`select ${contains(sql`v`, expected, { ignoreCase: 'true' })} as found from (select ${value}::text collate "C" as v) t`,
        );
        expect(row!.found).toBe(value.toLowerCase().includes(expected.toLowerCase()));
      },
    ),
  );
});
