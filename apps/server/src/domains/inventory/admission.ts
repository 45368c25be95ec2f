import { sql } from 'kysely';
import type { inventory } from '@highline/contract';
import type { Queries } from '../../platform/ports/database.ts';
import { untilUsed } from './secret-overlap.ts';

/** The router of a secret: all that a connection needs to know. */
export interface AdmittedRouter {
  readonly routerId: string;
  /** Null while it is in stock. */
  readonly organizationId: string | null;
  /** The sender in the router's records (TR-369, from_id). */
  readonly endpointId: string;
  readonly serial: string;
  /** How it proves its identity. */
  readonly authentication: inventory.Authentication;
  /** Id of the certificate it connected with, if we issued it. */
  readonly certificateId?: string;
  /** How far its clock was ahead of ours at its last report; null = never reported. */
  readonly clockSkewMs: number | null;
  /** The modem and the SIM in use, and the SIM of each modem, in its last report; null = never reported. */
  readonly primary: { readonly modem: number; readonly sim: number; readonly sims: Readonly<Record<string, number>> } | null;
  /** The eUICC in its last report; null = it has none, or never reported. */
  readonly euicc: { readonly path: string; readonly eid: string | null } | null;
  /** SHA-256 of the secret it connected with, if no connection was made with it since its rotation. */
  readonly unusedSecret?: Buffer | null;
  /** Orders its sockets over all processes: a later one has a greater number. */
  readonly connectionEpoch: number;
}

/** The next number in the order of sockets, for each row. */
export const nextEpoch = sql`nextval('connection_epochs')`;

/** What a router has reported that its next reports are read by; the eUICC without its profiles. */
export const reportedColumns = sql`reported -> 'primary' as primary,
  nullif(reported -> 'esim', 'null'::jsonb) - '{count,profiles}'::text[] as euicc`;

interface Row extends AdmittedRouter {
  readonly hash: Buffer;
}

/**
 * Look up many secrets at once by their SHA-256 (`hashSecret`). The secret before a rotation is valid until its overlap ends
 * (DEVICE-PROTOCOL: 24 h, from the first use of the new one). There is no scope: the secret proves which router this is.
 * @returns routers by the hash in hex; an unknown secret is missing
 */
export async function admitRouters(
  queries: Queries,
  secretHashes: readonly Buffer[],
  now: Date,
): Promise<ReadonlyMap<string, AdmittedRouter>> {
  const hashes = sql`any (${[...secretHashes]}::bytea[])`;
  const columns = sql`id as "routerId", organization_id as "organizationId", endpoint_id as "endpointId", serial,
    authentication, clock_skew_ms as "clockSkewMs", ${reportedColumns}, ${nextEpoch} as "connectionEpoch"`;
  const { rows } = await sql<Row>`
    select ${columns}, secret_hash as hash, case when previous_secret_until = ${untilUsed} then secret_hash end as "unusedSecret"
    from routers where secret_hash = ${hashes}
    union all
    select ${columns}, previous_secret_hash as hash, null as "unusedSecret" from routers
    where previous_secret_hash = ${hashes} and previous_secret_until > ${now}::timestamptz`.execute(queries);
  return new Map(rows.map(({ hash, ...router }) => [hash.toString('hex'), router]));
}
