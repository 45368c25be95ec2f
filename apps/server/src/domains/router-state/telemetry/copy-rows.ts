import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '../../../kernel/ids.ts';
import { readings } from '../facts.ts';
import { dropStored } from './repeated-reports.ts';
import { fromMicroseconds, toMicroseconds, type MeasuredReport, type RouterReport } from './router-report.ts';

const TWO_TO_32 = 4_294_967_296;
/** COPY's signature, then flags and the length of the extension: both zero. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from('ffff', 'hex');
/** A server that vanished silently must not block a writer for ever. */
const TIMEOUT_MS = 40_000;
const BEGIN = 'begin; select telemetry_closed_until() as closed';
const TO_SINK = 'insert into telemetry_sink_batches (id, reports, payload) values ($1, $2, $3)';
const FIELDS = 2 + readings.length;
const COPY = `copy telemetry_reports (router_id, at, ${readings.map(({ key }) => key).join(', ')}) from stdin (format binary)`;

/** The most bytes of one row of `telemetry_reports` in COPY's binary format: a field count, then each field after its length. */
const ROW_BYTES = 2 + (4 + 16) + (4 + 8) + readings.length * (4 + 8);

/** Write one row at `offset`. @returns the offset behind it */
function putRow(target: Buffer, offset: number, { routerId, at, values }: RouterReport): number {
  let position = target.writeInt16BE(FIELDS, offset);
  position = target.writeInt32BE(16, position);
  position += target.write(routerId.replaceAll('-', ''), position, 16, 'hex');
  position = target.writeInt32BE(8, position);
  const microseconds = toMicroseconds(at);
  const high = Math.floor(microseconds / TWO_TO_32);
  position = target.writeInt32BE(high, position);
  position = target.writeUInt32BE(microseconds - high * TWO_TO_32, position);
  for (let index = 0; index < readings.length; index++) {
    const value = values[index];
    position = target.writeInt32BE(value === undefined ? -1 : 8, position);
    if (value !== undefined) position = target.writeDoubleBE(value, position);
  }
  return position;
}

/** Read rows that `encodeRows` wrote, also those of a version with fewer or more readings. */
export function readRows(rows: Buffer): RouterReport[] {
  const found: RouterReport[] = [];
  for (let offset = 0; offset < rows.length;) {
    const fields = rows.readInt16BE(offset);
    const hex = rows.toString('hex', offset + 6, offset + 22);
    const routerId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
    const microseconds = rows.readInt32BE(offset + 26) * TWO_TO_32 + rows.readUInt32BE(offset + 30);
    const values: (number | undefined)[] = [];
    offset += 34;
    for (let field = 2; field < fields; field++) {
      const length = rows.readInt32BE(offset);
      values.push(length === 8 ? rows.readDoubleBE(offset + 4) : undefined);
      offset += 4 + Math.max(0, length);
    }
    found.push({ routerId, at: fromMicroseconds(microseconds), values });
  }
  return found;
}

/** Rows in COPY's binary format, without its header. */
export function encodeRows(reports: readonly RouterReport[]): Buffer {
  const rows = Buffer.allocUnsafe(reports.length * ROW_BYTES);
  let length = 0;
  for (const report of reports) length = putRow(rows, length, report);
  return rows.subarray(0, length);
}

/** Reports that are stored together, by column. */
export interface StoredReports {
  readonly routers: readonly string[];
  /** Epoch milliseconds. */
  readonly times: readonly number[];
  /** Of each row, in the order of `readings`. */
  readonly values: readonly MeasuredReport['values'][];
}

/** Looks at reports in the transaction that stores them, after they were copied. @returns to be called after its commit */
export type LookAtReports = (client: PoolClient, reports: StoredReports) => Promise<() => void>;

export interface CopySettings {
  /** They are copied to the telemetry sink too. */
  readonly hasSink: boolean;
  readonly lookAt?: LookAtReports | undefined;
  /** The connection was lost before at a commit: any of them may be stored. */
  readonly isUncertain: boolean;
}

/**
 * Copy reports into the table in one transaction, with marks for those whose hour is rolled up already: committed when this resolves.
 * When it rejects, they are not, or the connection was lost at the commit and it is not known.
 * @returns those that were not stored yet
 */
export async function copyReports(
  pool: Pool,
  reports: readonly RouterReport[],
  { hasSink, lookAt, isUncertain }: CopySettings,
): Promise<readonly RouterReport[]> {
  const client = await pool.connect();
  let fresh: readonly RouterReport[];
  let committed: (() => void) | undefined;
  try {
    // pg types several statements as one; the responses are those of `begin` and of the query.
    const begun = (await client.query(BEGIN)) as unknown as [unknown, QueryResult<{ closed: Date }>];
    fresh = await dropStored(client, reports, ({ mayBeStored = false }) => isUncertain || mayBeStored);
    if (fresh.length > 0) {
      const rows = await copyRows(client, fresh);
      const stored = byColumn(fresh);
      await markLate(client, stored, begun[1].rows[0]!.closed.getTime());
      // Copied to the sink after the commit; without the readings there is nothing to copy.
      if (hasSink) await client.query(TO_SINK, [newId(), fresh.length, rows]);
      committed = await lookAt?.(client, stored);
    }
    await client.query('commit');
  } catch (error) {
    // The state of the connection is unknown, so it is not returned to the pool.
    client.release(true);
    throw error;
  }
  client.release();
  committed?.();
  return fresh;
}

async function copyRows(client: PoolClient, reports: readonly RouterReport[]): Promise<Buffer> {
  const rows = encodeRows(reports);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await pipeline(Readable.from([HEADER, rows, TRAILER], { objectMode: false }), client.query(copyFrom(COPY)), { signal });
  return rows;
}

const byColumn = (reports: readonly RouterReport[]): StoredReports => ({
  routers: reports.map(({ routerId }) => routerId),
  times: reports.map(({ at }) => at),
  values: reports.map(({ values }) => values),
});

async function markLate(client: PoolClient, { routers, times }: StoredReports, closed: number): Promise<void> {
  const late = { routers: [] as string[], times: [] as Date[] };
  for (const [index, time] of times.entries()) {
    if (time >= closed) continue;
    late.routers.push(routers[index]!);
    late.times.push(new Date(time));
  }
  if (late.routers.length === 0) return;
  await client.query(
    `insert into telemetry_late (hour, router_id)
     select distinct date_trunc('hour', l.at, 'UTC'), l.router_id from unnest($1::uuid[], $2::timestamptz[]) l (router_id, at)`,
    [late.routers, late.times],
  );
}
