import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { BatchWriter, batchWriterDefaults } from './batch-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A writer whose batches are kept, and are stored once `store` is called for each. */
function startWriter() {
  const batches: (readonly number[])[] = [];
  const stored: (() => void)[] = [];
  const write = (rows: readonly number[]) => {
    batches.push(rows);
    return new Promise<void>((resolve) => stored.push(resolve));
  };
  const writer = new BatchWriter<number>('numbers', write, async () => undefined, batchWriterDefaults, silentLog);
  return {
    writer,
    batches,
    async store() {
      stored.shift()!();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('the first rows are written soon, those that follow together, and each write resolves with the batch of its rows', async () => {
  const { writer, batches, store } = startWriter();
  const durable: number[] = [];
  const write = (row: number) => void writer.write([row]).then(() => durable.push(row));
  write(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(batches).toEqual([[1]]);
  write(2);
  await store();
  write(3);
  await vi.advanceTimersByTimeAsync(500);
  write(4);
  expect([batches, durable]).toEqual([[[1]], [1]]);
  await vi.advanceTimersByTimeAsync(500);
  expect([batches, durable]).toEqual([[[1], [2, 3, 4]], [1]]);
  await store();
  expect(durable).toEqual([1, 2, 3, 4]);
});

test('many rows do not wait, one batch is written at a time, and a stop writes the rest', async () => {
  const { writer, batches, store } = startWriter();
  const many = Array.from({ length: batchWriterDefaults.enoughRows }, (_, index) => index);
  const written = Promise.all([writer.write([1]), writer.write(many), writer.write(many)]);
  expect(batches.map(({ length }) => length)).toEqual([many.length + 1]);
  await store();
  expect(batches.map(({ length }) => length)).toEqual([many.length + 1, many.length]);
  const rest = writer.write([7]);
  const closed = writer.close(10_000);
  await expect(writer.write([8])).rejects.toThrow('Too many numbers');
  await store();
  await store();
  await Promise.all([written, rest, closed]);
  expect(batches.at(-1)).toEqual([7]);
  expect([writer.written, writer.waiting]).toEqual([2 * many.length + 2, 0]);
});

test('rows that the database rejects are dropped alone: those that other routers sent with them are stored', async () => {
  const durable: number[] = [];
  const store = async (rows: readonly number[]) => {
    if (rows.includes(13)) throw Object.assign(new Error('value out of range'), { code: '22003' });
    durable.push(...rows);
  };
  const writer = new BatchWriter<number>('numbers', store, async () => undefined, batchWriterDefaults, silentLog);
  const outcomes = Promise.allSettled(Array.from({ length: 20 }, (_, row) => writer.write([row])));
  await vi.runAllTimersAsync();
  const rejected = (await outcomes).flatMap(({ status }, row) => (status === 'rejected' ? [row] : []));
  expect(rejected).toEqual([13]);
  expect(durable).toEqual(Array.from({ length: 20 }, (_, row) => row).filter((row) => row !== 13));
  expect([writer.written, writer.waiting]).toEqual([19, 0]);
});
