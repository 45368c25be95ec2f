import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** PostgreSQL's own epoch, 2000-01-01, in epoch milliseconds: binary timestamps count microseconds from it. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;
/** COPY's signature, then flags and the length of the extension: both zero. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from('ffff', 'hex');
/** A server that vanished silently must not block a writer for ever. */
const TIMEOUT_MS = 40_000;

/** Bytes of one row of `telemetry` in COPY's binary format: a field count, then each field after its length. */
export const ROW_BYTES = 2 + (4 + 16) + (4 + 8) + (4 + 2) + (4 + 8);

/** Write one row at `offset`. @param routerId uuid as 32 hex digits  @param at epoch milliseconds  @returns the offset behind it */
export function putRow(target: Buffer, offset: number, routerId: string, at: number, parameter: number, value: number): number {
  let position = target.writeInt16BE(4, offset);
  position = target.writeInt32BE(16, position);
  position += target.write(routerId, position, 16, 'hex');
  position = target.writeInt32BE(8, position);
  const microseconds = Math.round((at - POSTGRES_EPOCH_MS) * 1000);
  const high = Math.floor(microseconds / TWO_TO_32);
  position = target.writeInt32BE(high, position);
  position = target.writeUInt32BE(microseconds - high * TWO_TO_32, position);
  position = target.writeInt32BE(2, position);
  position = target.writeInt16BE(parameter, position);
  position = target.writeInt32BE(8, position);
  return target.writeDoubleBE(value, position);
}

/** Copy encoded rows into the table in one statement: committed when this resolves, and none of them when it rejects. */
export async function copyRows(pool: Pool, rows: Buffer): Promise<void> {
  const client = await pool.connect();
  try {
    const into = client.query(copyFrom('copy telemetry (router_id, at, parameter, value) from stdin (format binary)'));
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await pipeline(Readable.from([HEADER, rows, TRAILER], { objectMode: false }), into, { signal });
  } catch (error) {
    // The state of the connection is unknown, so it is not returned to the pool.
    client.release(true);
    throw error;
  }
  client.release();
}
