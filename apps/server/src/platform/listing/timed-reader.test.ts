import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { createTimedReader, type TimedReader } from './timed-reader.ts';

const app = useTestApp();
let timed: TimedReader;

beforeAll(async () => {
  timed = createTimedReader(app.reader);
});

test('a query that exceeds its time fails with a clear error, and the next one succeeds', async () => {
  await expect(timed.read((rows) => rows(sql`select pg_sleep(60)`), 20)).rejects.toMatchObject({ key: 'report.too_slow' });
  expect(await timed.read((rows) => rows<{ one: number }>(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

test('all statements of a query share its time', async () => {
  const twice = timed.read(async (rows) => {
    await rows(sql`select pg_sleep(0.03)`);
    await rows(sql`select pg_sleep(60)`);
  }, 40);
  await expect(twice).rejects.toMatchObject({ key: 'report.too_slow' });
});

test('other errors are passed on unchanged, and nothing can be written', async () => {
  await expect(timed.read((rows) => rows(sql`select 1 / 0`))).rejects.toMatchObject({ code: '22012' });
  await expect(timed.read((rows) => rows(sql`delete from saved_reports`))).rejects.toMatchObject({ code: '25006' });
});

test('queries beyond the queue limit are rejected', async () => {
  const requests = Array.from({ length: 70 }, () =>
    timed.read((rows) => rows(sql`select pg_sleep(0.005)`)).catch((error: unknown) => error),
  );
  const outcomes = await Promise.all(requests);
  expect(outcomes.filter((outcome) => (outcome as { key?: string }).key === 'server.busy').length).toBeGreaterThan(0);
  expect(outcomes.filter(Array.isArray).length).toBeGreaterThan(60);
});
