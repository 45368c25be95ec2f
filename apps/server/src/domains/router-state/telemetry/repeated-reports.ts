import type { PoolClient } from 'pg';
import { nameOfStatement } from '../../../platform/ports/planned-once.ts';
import { readings } from '../facts.ts';
import { CLOCK_ERROR_MS, toMicroseconds, type RouterReport } from './router-report.ts';

// One search of the index for each report, whatever the planner believes of the arrays: hence the subselect that is not joined otherwise.
// What seemed to be of the future when it was stored has the time of then.
const STORED = `select u.n::int - 1 as index, t.values
  from unnest($1::uuid[], $2::float8[]) with ordinality u (router_id, micros, n)
  cross join lateral (select timestamptz '2000-01-01 00:00:00Z' + u.micros * interval '1 microsecond' as at) m
  cross join lateral (
    select array[${readings.map(({ key }) => `s.${key}`).join(', ')}] as values from telemetry_reports s
    where s.router_id = u.router_id and s.at > m.at - interval '${CLOCK_ERROR_MS} milliseconds' and s.at <= m.at offset 0
  ) t`;
const name = nameOfStatement(STORED);

interface StoredRow {
  /** Of the report that it was found for. */
  readonly index: number;
  readonly values: readonly (number | null)[];
}

/**
 * Drop the reports that are stored already, with the same values and the same time: they were committed, and the router sends them again since it
 * got no answer. Looks only at those that `mayBeStored`.
 */
export async function dropStored(
  client: PoolClient,
  reports: readonly RouterReport[],
  mayBeStored: (report: RouterReport) => boolean,
): Promise<readonly RouterReport[]> {
  const doubtful = reports.filter(mayBeStored);
  if (doubtful.length === 0) return reports;
  const { rows } = await client.query<StoredRow>({
    name,
    text: STORED,
    values: [doubtful.map(({ routerId }) => routerId), doubtful.map(({ at }) => toMicroseconds(at))],
  });
  const repeated = new Set(rows.map(({ index, values }) => (isSame(doubtful[index]!, values) ? doubtful[index] : undefined)));
  return rows.length === 0 ? reports : reports.filter((report) => !repeated.has(report));
}

const isSame = (report: RouterReport, stored: readonly (number | null)[]) =>
  report.values.every((value, place) => (value ?? null) === stored[place]);
