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
        // Any blanks are one.
        const folded = (each: string) => each.toLowerCase().replaceAll(/ +/gu, ' ');
        expect(row!.found).toBe(folded(value).includes(folded(expected)));
      },
    ),
  );
});

test('SHR-05-partial a search that ignores case knows the letters of every language and takes any blanks for one', async () => {
  const found = async (value: string, text: string) => {
    const [row] = await app.reader.rows<{ found: boolean }>(
      sql`select ${contains(sql`v`, text, { ignoreCase: 'true' })} as found from (select ${value}::text collate "C" as v) t`,
    );
    return row!.found;
  };
  for (const [value, text] of [
    ['Müllerstraße 7', 'MÜLLER'],
    ['Müllerstraße 7', 'müllerSTRAßE'],
    ['Zürich 1', 'Ü'],
    ['ЗАВОД 9', 'завод'],
    ['σας', 'ΣΑΣ'],
    ['Bus 2104', 'BUS  2104'],
    ['Bus\u00a02104', 'bus\u3000\u3000210'],
    ['Größe (a.b) [x]', 'GRÖßE (A.B) ['],
    ['王小姐', '王小姐'],
  ] as const)
    expect([value, text, await found(value, text)]).toEqual([value, text, true]);
  for (const [value, text] of [
    ['Muller', 'MÜLLER'],
    ['aüxb', 'Ü.'],
    ['Bus2104', 'bus  2104'],
  ] as const)
    expect([value, text, await found(value, text)]).toEqual([value, text, false]);
  const unit = fc.constantFrom('ü', 'Ü', 'я', 'Я', 'a', 'A', '1', '[', '^', '-', '\\', '.', ']', '王', '🚌', '\u202e');
  const random = fc.string({ unit, minLength: 1, maxLength: 5 });
  const isFound = async (value: string, text: string) => {
    expect([value, text, await found(value, text)]).toEqual([value, text, value.toLowerCase().includes(text.toLowerCase())]);
  };
  await fc.assert(fc.asyncProperty(random, random, isFound));
});

test('SHR-05-partial a search for letters of any language in any case is answered by the index of trigrams', async () => {
  const plan = await app.database.write(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`create temporary table found_by_trigrams (v text collate "C") on commit drop`.execute(tx);
    await sql`create index on found_by_trigrams using gin (v gin_trgm_ops)`.execute(tx);
    const search = contains(sql`v`, 'ЗАВОД', { ignoreCase: 'true' });
    return (await sql<object>`explain select v from found_by_trigrams where ${search}`.execute(tx)).rows;
  });
  expect(JSON.stringify(plan)).toContain('Bitmap Index Scan');
});
