import { windowsFor, type WindowChoice } from '@highline/contract';
import { sql } from 'kysely';
import { allOf, type Reader, type TimedReader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { RecordQuestion } from './record.question.ts';
import { COUNT_MS, countMatches, unlessSlow } from './records.queries.ts';
import { readTags } from './reports.queries.ts';
import { readRolledRange, rolledSourcesOf } from './rolled-records.queries.ts';
import { daysWithin } from './time-range.ts';

/** The size of a query: the number of records, the average per day, and the number of days. */
export interface Counted extends WindowChoice {
  readonly count: number;
  readonly perDay: number;
  readonly days: number;
}

/** Windows depend on whether there are more than a million records a day; above it an estimate is enough. */
const MOST_EXACT = 1_000_000;
/** How many devices an estimate is based on. */
const SAMPLE = 16;

/**
 * Count the records of a query, and choose the windows that it is answered in (RPT-03). With a condition on values it is exact up to a
 * million, then estimated.
 * @param most records that are counted exactly
 */
export async function countForWindows(
  { reader, timed }: { readonly reader: Reader; readonly timed: TimedReader },
  scope: OrganizationScope,
  question: RecordQuestion,
  most = MOST_EXACT,
): Promise<Counted> {
  const isRolled = question.value.kind === 'any';
  const counting = isRolled ? countRolled(timed, question) : countMatches(timed, question, most);
  const [tags, exact] = await Promise.all([readTags(reader, scope, question), counting]);
  const isExact = exact !== undefined && (isRolled || exact <= most);
  const count = isExact ? exact : await estimateCount({ reader, timed }, question, most, exact);
  const days = daysWithin(question.range);
  const perDay = count / days;
  return { count, perDay: Math.round(perDay), days, ...windowsFor({ days, perDay, tags }) };
}

/**
 * About how many records match. One that only took long may have few of them; if its sample takes too long as well, it has as many
 * as there are exactly counted, so that its windows are the cheap ones.
 * @param exact undefined when counting took too long
 */
async function estimateCount(
  { reader, timed }: { readonly reader: Reader; readonly timed: TimedReader },
  question: RecordQuestion,
  most: number,
  exact: number | undefined,
): Promise<number> {
  const estimated = await estimate(reader, timed, question, most * SAMPLE);
  if (estimated === undefined) return most + 1;
  return exact === undefined ? estimated : Math.max(most + 1, estimated);
}

/** How many records match any value; undefined when counting takes too long. */
function countRolled(timed: TimedReader, question: RecordQuestion): Promise<number | undefined> {
  return unlessSlow(
    timed.read(async (rows) => {
      const counted = rolledSourcesOf(question, [], await readRolledRange(rows));
      const [row] = await rows<{ total: number }>(sql`select coalesce(sum(c.count), 0)::float8 as total from (${counted}) c`);
      return row!.total;
    }, COUNT_MS),
  );
}

/** The records of a sample of devices, scaled to all of them; undefined when that takes too long. */
async function estimate(reader: Reader, timed: TimedReader, question: RecordQuestion, most: number): Promise<number | undefined> {
  const [sampled] = await reader.rows<{ all: number; ids: string[] }>(
    // The end of an id is random, so that the sample has old and new devices.
    sql`select count(*)::int as all, (array_agg(d.id order by right(d.id::text, 12)))[1:${sql.lit(SAMPLE)}]::text[] as ids
      from devices d where ${question.devices}`,
  );
  const { all, ids } = sampled!;
  if (all === 0) return 0;
  const devices = allOf([question.devices, sql`d.id = any (${ids}::uuid[])`]);
  const matches = await countMatches(timed, { ...question, devices }, most);
  return matches === undefined ? undefined : Math.round((matches / ids.length) * all);
}
