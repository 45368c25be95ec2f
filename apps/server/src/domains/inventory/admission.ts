import { sql } from 'kysely';
import type { inventory } from '@highline/contract';
import type { Queries } from '../../ports/database.ts';

/** Who stands behind a secret: all that a connection needs to know. */
export interface AdmittedRouter {
  readonly routerId: string;
  readonly mainAccountId: string;
  /** As the router's records must name their sender (TR-369, from_id). */
  readonly endpointId: string;
  readonly serial: string;
  /** By what it proves who it is. */
  readonly authentication: inventory.Authentication;
  /** Of the certificate it connected with, where we issued it. */
  readonly certificateId?: string;
  /** How far its clock was ahead of ours when it last told; null = never told. */
  readonly clockSkewMs: number | null;
}

interface Row extends AdmittedRouter {
  readonly hash: Buffer;
}

/**
 * Look up many secrets at once by their SHA-256 (`hashSecret`). The secret before a rotation counts until its overlap ends
 * (DEVICE-PROTOCOL: 24 h). It takes no scope: the secret is the proof that decides whose router this is.
 * @returns routers by the hash in hex; a secret that opens nothing is missing
 */
export async function admitRouters(
  queries: Queries,
  secretHashes: readonly Buffer[],
  now: Date,
): Promise<ReadonlyMap<string, AdmittedRouter>> {
  const hashes = sql`any (${[...secretHashes]}::bytea[])`;
  const columns = sql`id as "routerId", main_account_id as "mainAccountId", endpoint_id as "endpointId", serial,
    authentication, clock_skew_ms as "clockSkewMs"`;
  const { rows } = await sql<Row>`
    select ${columns}, secret_hash as hash from routers where secret_hash = ${hashes}
    union all
    select ${columns}, previous_secret_hash as hash from routers
    where previous_secret_hash = ${hashes} and previous_secret_until > ${now}::timestamptz`.execute(queries);
  return new Map(rows.map(({ hash, ...router }) => [hash.toString('hex'), router]));
}
