import { windowsFor, type WindowChoice } from '@highline/contract';
import { sql } from 'kysely';
import { allOf, type Reader, type TimedReader } from '../../listing/index.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { RecordQuestion } from './record.question.ts';
import { countMatches } from './records.queries.ts';
import { readTags } from './reports.queries.ts';
import { daysWithin } from './stretch.ts';

/** What a question touches: how many records, how many of them on an average day, over so many days. */
export interface Counted extends WindowChoice {
  readonly count: number;
  readonly perDay: number;
  readonly days: number;
}

/** Windows depend on whether there are more than a million records a day; beyond it a good guess is enough. */
const MOST_EXACT = 1_000_000;
/** Devices that a guess is made from. */
const SAMPLE = 16;

/** How many records a question touches, and in which windows it is answered therefore (RPT-03). Exact up to a million, then estimated. */
export async function countForWindows(
  { reader, timed }: { readonly reader: Reader; readonly timed: TimedReader },
  scope: OrganizationScope,
  question: RecordQuestion,
): Promise<Counted> {
  const [tags, exact] = await Promise.all([readTags(reader, scope, question), countMatches(timed, question, MOST_EXACT)]);
  const isExact = exact !== undefined && exact <= MOST_EXACT;
  const count = isExact ? exact : Math.max(MOST_EXACT + 1, await estimate(reader, timed, question));
  const days = daysWithin(question.stretch);
  const perDay = count / days;
  return { count, perDay: Math.round(perDay), days, ...windowsFor({ days, perDay, tags }) };
}

/** What some of the devices told, times how many there are of them. */
async function estimate(reader: Reader, timed: TimedReader, question: RecordQuestion): Promise<number> {
  const [sampled] = await reader.rows<{ all: number; ids: string[] }>(
    // The end of an id is random: the sample is of old devices and new ones alike.
    sql`select count(*)::int as all, (array_agg(d.id order by right(d.id::text, 12)))[1:${sql.lit(SAMPLE)}]::text[] as ids
      from devices d where ${question.devices}`,
  );
  const { all, ids } = sampled!;
  const devices = allOf([question.devices, sql`d.id = any (${ids}::uuid[])`]);
  const told = (await countMatches(timed, { ...question, devices }, MOST_EXACT * SAMPLE)) ?? 0;
  return Math.round((told / ids.length) * all);
}
