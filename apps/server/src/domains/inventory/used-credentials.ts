import { sql } from 'kysely';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { BatchWriter, batchWriterDefaults } from '../../platform/retry/batch-writer.ts';
import type { AdmittedRouter } from './admission.ts';
import { announceRouters } from './announce-routers.ts';
import { OVERLAP_MS, untilUsed } from './secret-overlap.ts';

/** A router that connected, with what it used of its certificates and secrets. */
export type AcceptedRouter = Pick<AdmittedRouter, 'routerId' | 'certificateId' | 'unusedSecret'>;

interface Use extends AcceptedRouter {
  readonly at: Date;
}

/**
 * Stores which certificates and new secrets routers used. A use is tried again until it is stored, however the router is rejected meanwhile:
 * without it the next rotation would drop the secret that the router has.
 */
export function createUsedCredentials({ database, log }: Pick<Deps, 'database' | 'log'>) {
  const store = (uses: readonly Use[]) =>
    database.write(async (tx) => {
      const began = await beginOverlaps(tx, uses);
      await stampCertificates(tx, uses);
      await announceRouters(tx, began);
    });
  const writer = new BatchWriter<Use>('used credentials', store, async () => {}, batchWriterDefaults, log);
  return {
    used(use: Use): void {
      if (use.certificateId === undefined && !use.unusedSecret) return;
      writer.write([use]).catch((error: unknown) => log.warn({ err: error }, 'Failed to store used credentials.'));
    },
    stop: (timeoutMs = 10_000) => writer.close(timeoutMs),
  };
}

/**
 * The secrets before those that were used for the first time end a day later. A secret that was replaced before its use was stored is the
 * one that the router has: it is kept as the former one.
 * @returns the routers
 */
async function beginOverlaps(tx: Tx, uses: readonly Use[]): Promise<string[]> {
  const used = uses.flatMap(({ routerId: id, unusedSecret: hash, at }) => (hash ? [[id, { id, hash, at }] as const] : []));
  if (used.length === 0) return [];
  const last = [...new Map(used).values()];
  const ends = last.map(({ at }) => new Date(at.getTime() + OVERLAP_MS).toISOString());
  const { rows } = await sql<Row<'routers', 'id'>>`
    with locked as (
      select r.id, n.hash, n.until
      from unnest(${last.map(({ id }) => id)}::uuid[], ${last.map(({ hash }) => hash)}::bytea[], ${ends}::timestamptz[]) as n (id, hash, until)
      join routers r on r.id = n.id and r.previous_secret_until = ${untilUsed} order by r.id for no key update of r
    )
    update routers r set
      previous_secret_until = case when r.secret_hash = l.hash then l.until else r.previous_secret_until end,
      previous_secret_hash = case when r.secret_hash = l.hash then r.previous_secret_hash else l.hash end
    from locked l where r.id = l.id returning r.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Write when certificates were last used, to the minute. */
async function stampCertificates(tx: Tx, uses: readonly Use[]): Promise<void> {
  const last = [...new Map(uses.flatMap(({ certificateId: id, at }) => (id === undefined ? [] : [[id, at] as const])))];
  if (last.length === 0) return;
  await sql`update router_certificates c set last_used_at = n.at
    from unnest(${last.map(([id]) => id)}::uuid[], ${last.map(([, at]) => at.toISOString())}::timestamptz[]) as n (id, at)
    where c.id = n.id and (c.last_used_at is null or c.last_used_at < n.at - interval '1 minute')`.execute(tx);
}
