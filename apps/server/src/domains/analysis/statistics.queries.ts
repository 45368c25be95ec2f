// Reads tables of other domains: devices.
import { MOST_CHART_POINTS, type analysis } from '@highline/contract';
import { sql } from 'kysely';
import type { ReadRows } from '../../platform/listing/index.ts';
import { nameOf, readRolledRange, rolledSourcesOf, rounded, sourcesOf, unionOf, type RecordQuestion } from '../reports/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

type Points = analysis.Point[];

/** Records in each window, including empty ones. @param starts where windows begin, none of them in the future */
export async function countPerWindow(rows: ReadRows, question: RecordQuestion, starts: readonly Date[]): Promise<Points> {
  const counted = await rows<{ window: number; y: number }>(
    sql`select ${windowOf(starts)} as window, sum(u.count)::float8 as y
      from (${await countedOf(rows, question, starts)}) u group by 1`,
  );
  const byWindow = new Map(counted.map(({ window, y }) => [window, y]));
  return starts.map((start, index) => ({ x: start.getTime(), y: byWindow.get(index + 1) ?? 0 }));
}

/** The mean of each window that has any records. */
export async function averagePerWindow(rows: ReadRows, question: RecordQuestion, starts: readonly Date[]): Promise<Points> {
  const means = await rows<{ window: number; y: number }>(
    sql`select ${windowOf(starts)} as window, sum(u.sum) / sum(u.count) as y
      from (${await countedOf(rows, question, starts)}) u group by 1 order by 1`,
  );
  return means.flatMap(({ window, y }) => {
    const start = starts[window - 1];
    return start === undefined ? [] : [{ x: start.getTime(), y: rounded(y) }];
  });
}

/** Records of each device that has any, the most first. */
export async function countPerDevice(rows: ReadRows, question: RecordQuestion): Promise<Points> {
  const counted = await rows<Row<'devices', 'id' | 'serial' | 'vehicle_number'> & { y: number; model: null }>(
    sql`select d.id, c.y, d.serial, d.vehicle_number, null as model
      from (select u.device_id, sum(u.count)::float8 as y from (${await countedOf(rows, question)}) u group by u.device_id) c
        join devices d on d.id = c.device_id
      order by c.y desc, d.serial, d.id limit ${sql.lit(MOST_CHART_POINTS)}`,
  );
  return counted.map((row) => ({ x: row.id, y: row.y, label: nameOf(row) }));
}

/** Records of each non-numeric value, the most frequent first. */
export async function countPerValue(rows: ReadRows, question: RecordQuestion): Promise<Points> {
  const counted = await rows<{ text_value: string; y: number }>(
    sql`select u.text_value, count(*)::float8 as y from (${recordsOf(question)}) u
      group by u.text_value order by 2 desc, u.text_value collate "C" limit ${sql.lit(MOST_CHART_POINTS)}`,
  );
  return counted.map(({ text_value, y }) => ({ x: text_value, y }));
}

/** Count, minimum, mean and maximum; nothing if there is no record. */
export async function summarize(rows: ReadRows, question: RecordQuestion): Promise<Points> {
  const [row] = await rows<{ count: number; min: number | null; mean: number; max: number }>(
    sql`select sum(u.count)::float8 as count, min(u.min) as min, sum(u.sum) / sum(u.count) as mean, max(u.max) as max
      from (${await countedOf(rows, question)}) u`,
  );
  if (row === undefined || row.min === null) return [];
  return (['count', 'min', 'mean', 'max'] as const).map((x) => ({ x, y: rounded(row[x]!) }));
}

/** The single values in their order; if there are more than a chart has points, every n-th of them. */
export async function listValues(rows: ReadRows, question: RecordQuestion): Promise<Points> {
  const values = await rows<{ at: Date; value: number }>(
    sql`select v.at, v.value from (
        select u.at, u.value, row_number() over (order by u.at) - 1 as number, count(*) over () as total
        from (${recordsOf(question)}) u
      ) v where v.number % ceil(v.total / ${sql.lit(MOST_CHART_POINTS)}::numeric) = 0 order by v.at`,
  );
  return values.map(({ at, value }) => ({ x: at.getTime(), y: rounded(value) }));
}

/** Records with their numbers, rolled up where that is exact. */
async function countedOf(rows: ReadRows, question: RecordQuestion, starts: readonly Date[] = []) {
  return rolledSourcesOf(question, starts, await readRolledRange(rows));
}

function recordsOf(question: RecordQuestion) {
  return unionOf(sourcesOf(question));
}

/** Number of the window of a record, from 1; the ends come from the calendar, so that days of 23 and 25 hours are days. */
function windowOf(starts: readonly Date[]) {
  return sql`width_bucket(u.at, ${starts.map((start) => start.toISOString())}::timestamptz[])`;
}
