import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createKeySamples } from './key-samples.ts';
import type { List } from './list.ts';
import { readCountedPage } from './page.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const ROWS = 40;

beforeAll(async () => {
  await app.owner.query(`create table numbers as select gen_random_uuid() as id, i from generate_series(1, ${ROWS}) i;
    grant select on numbers to public`);
});

const list: List = {
  fingerprint: 'numbers',
  table: sql`numbers n`,
  alias: 'n',
  identity: ['id'],
  scope: sql`true`,
  filters: [],
  columns: sql`n.i`,
  segments: [{ from: sql`numbers n`, keys: [{ column: sql.ref('n.i'), kind: 'number' }], descending: false }],
  prepared: false,
};

function open(options: Parameters<typeof createKeySamples>[1] = {}) {
  const listeners: ((owner: string) => void)[] = [];
  const keySamples = createKeySamples(
    { clock: app.clock, onChanged: (listener) => void listeners.push(listener) },
    { from: 0, distance: 10, ...options },
  );
  return {
    keySamples,
    change: (owner: string) => listeners.forEach((listener) => listener(owner)),
    positions: (owner = 'a') => {
      keySamples.prepare(owner, list, app.reader);
      const found = keySamples.find(owner, list, app.reader);
      return found === undefined || found instanceof Promise ? undefined : found.map(({ position }) => position);
    },
  };
}

const pass = (ms: number) => app.clock.set(new Date(app.clock.now().getTime() + ms).toISOString());

test('NOD-05-partial the keys of every so many rows are stored, read in the background for each tenant by itself', async () => {
  const { positions } = open();
  expect(positions()).toBeUndefined();
  expect(await until(positions)).toEqual([0, 10, 20, 30]);
  expect(positions('b')).toBeUndefined();
});

test('NOD-05-partial after a change a jump begins at the known row, and its adjacent pages have no gap', async () => {
  const { keySamples, change, positions } = open();
  const jump = async (offset: number) => {
    const keySample = () => keySamples.find('a', list, app.reader);
    const page = await readCountedPage<{ i: number }>(app.reader, list, { limit: 3, offset }, Promise.resolve({ total: ROWS }), {
      most: 1_000,
      short: 0,
      keySample,
    });
    return { ...page, rows: page.rows.map(({ i }) => i) };
  };
  await until(positions);
  expect((await jump(25)).rows).toEqual([26, 27, 28]);
  await app.owner.query('delete from numbers where i in (5, 6, 21)');
  change('a');
  // The row at index 20 was 21: the page begins five rows beyond it, where the list now has the index 23.
  const page = await jump(25);
  expect(page.rows).toEqual([27, 28, 29]);
  const previous = await readCountedPage<{ i: number }>(
    app.reader,
    list,
    { limit: 3, cursor: page.previous! },
    Promise.resolve({ total: 37 }),
  );
  expect(previous.rows.map(({ i }) => i)).toEqual([24, 25, 26]);
  pass(60_000);
  positions();
  await expect.poll(async () => (await jump(25)).rows).toEqual([29, 30, 31]);
  await app.owner.query('insert into numbers values (gen_random_uuid(), 5), (gen_random_uuid(), 6), (gen_random_uuid(), 21)');
});

test('NOD-05-partial the page with a row is found from the known rows, also when it has moved to another page', async () => {
  const { keySamples, positions } = open();
  await until(positions);
  const around = (i: number) =>
    readCountedPage<{ i: number }>(app.reader, list, { limit: 3, around: sql`n.i = ${i}` }, Promise.resolve({ total: ROWS }), {
      most: 1_000,
      short: 0,
      keySample: () => keySamples.find('a', list, app.reader),
    });
  for (let i = 1; i <= ROWS; i += 1) {
    const page = await around(i);
    expect([page.offset, page.rows[0]!.i], String(i)).toEqual([Math.floor((i - 1) / 3) * 3, page.offset + 1]);
  }
  await app.owner.query('delete from numbers where i between 2 and 12');
  try {
    for (const i of [13, 20, 21, 22, 40]) expect((await around(i)).rows.map((row) => row.i)).toContain(i);
  } finally {
    await app.owner.query('insert into numbers select gen_random_uuid(), i from generate_series(2, 12) i');
  }
});

test('a sample of changed data is read again after a while, is not used when it is old, and others are not read again', async () => {
  const { change, positions } = open({ restMs: 5_000, staleMs: 120_000 });
  await until(positions);
  await app.owner.query(`insert into numbers select gen_random_uuid(), i from generate_series(41, 50) i`);
  try {
    pass(500_000);
    expect(positions()).toEqual([0, 10, 20, 30]);
    change('b');
    expect(positions()).toEqual([0, 10, 20, 30]);
    change('a');
    expect(positions()).toBeUndefined();
    expect(await until(positions)).toEqual([0, 10, 20, 30, 40]);
  } finally {
    await app.owner.query('delete from numbers where i > 40');
  }
});

test('a list that cannot be read has no sample, and is tried again', async () => {
  const { keySamples, positions } = open();
  const broken = { ...list, fingerprint: 'broken', scope: sql`1 / (n.i - n.i) = 0` };
  keySamples.prepare('a', broken, app.reader);
  expect(keySamples.find('a', broken, app.reader)).toBeUndefined();
  await expect(keySamples.wait('a', broken, app.reader)).rejects.toThrow('division by zero');
  expect(await until(positions)).toHaveLength(4);
});
