import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { CheckpointStore, Database, Tx } from '../../platform/ports/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { hashEntry } from './audit.ts';
import { toExportEntry, type AuditExportRow } from './audit-export.rows.ts';
import { createCheckpointSigner, signCut } from './signatures.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Entries that one transaction removes. */
const BATCH = 2_000;
const CHAINS = 500;
const DAY_MS = 86_400_000;

export interface LogRetentionDeps extends Pick<Deps, 'database' | 'log'> {
  readonly store: CheckpointStore;
  /** Ed25519. */
  readonly privateKey: KeyObject;
}

/** An entry, with the last one that was removed before it. */
interface OldEntry extends AuditExportRow {
  readonly cut_seq: number | null;
  readonly cut_hash: Buffer | null;
}

/**
 * Remove entries older than the retention time (docs/domains/logs.md). They are verified first, entry by
 * entry: a log with a broken chain is left unchanged, with a line in the server's own log, so that retention hides no forgery.
 * The cut is signed, and its last entry is stored outside the database before anything is removed.
 * @returns the function to run; it resolves to the number of removed entries
 */
export function createLogRetention({ database, store, privateKey, log }: LogRetentionDeps): (now: Date) => Promise<number> {
  const signCheckpoint = createCheckpointSigner(privateKey);
  /** Cut one batch. @returns the number of removed entries; 0 when nothing (more) may be removed */
  const cutOnce = async (chain: string, before: Date, now: Date): Promise<number> => {
    const old = await oldestEntries(database, chain, before);
    const broken = firstBroken(chain, old);
    if (broken !== undefined) {
      log.error({ chain, entry: broken }, 'An audit log entry was changed; retention leaves this log unchanged.');
      return 0;
    }
    const last = old.at(-1);
    if (last === undefined) return 0;
    await store.append([signCheckpoint(chain, last.seq, last.hash, now)]);
    const { at, signature } = signCut(chain, last.seq, last.hash, now, privateKey);
    return database.write((tx) => cut(tx, chain, last.seq, at, signature));
  };

  const cutChain = async (chain: string, before: Date, now: Date): Promise<number> => {
    let removed = 0;
    for (let next = await cutOnce(chain, before, now); next > 0; next = await cutOnce(chain, before, now)) removed += next;
    return removed;
  };

  return async (now) => {
    const days = await keptDays(database);
    if (days === undefined) return 0;
    const before = new Date(now.getTime() - days * DAY_MS);
    let removed = 0;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const chains = await chainsWithOld(database, before, after);
      for (const chain of chains) removed += await cutChain(chain, before, now);
      const last = chains.at(-1);
      if (last === undefined) return removed;
      after = last;
    }
  };
}

async function keptDays(database: Database): Promise<number | undefined> {
  const row = await database.read
    .selectFrom('installation')
    .select('value')
    .where('key', '=', 'log_retention_days')
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}

/** Logs whose first entry is too old and not also the newest. */
async function chainsWithOld(database: Database, before: Date, after: string): Promise<string[]> {
  const { rows } = await sql<Row<'audit_heads', 'chain_id'>>`
    select h.chain_id from audit_heads h
      cross join lateral (select e.seq, e.at from audit_entries e where e.chain_id = h.chain_id order by e.seq limit 1) f
    where h.chain_id > ${after}::uuid and f.at < ${before}::timestamptz and f.seq < h.seq
    order by h.chain_id limit ${CHAINS}`.execute(database.read);
  return rows.map(({ chain_id: chain }) => chain);
}

/** The entries at the beginning of a log that may be removed, in their order, and what they follow: another process may remove some meanwhile. */
async function oldestEntries(database: Database, chain: string, before: Date): Promise<OldEntry[]> {
  const { rows } = await sql<OldEntry>`
    select e.*, c.seq as cut_seq, c.hash as cut_hash
    from audit_entries e join audit_heads h on h.chain_id = e.chain_id and e.seq < h.seq
      left join audit_cuts c on c.chain_id = e.chain_id
    where e.chain_id = ${chain}::uuid order by e.seq limit ${BATCH}`.execute(database.read);
  const young = rows.findIndex(({ at }) => at >= before);
  return young < 0 ? rows : rows.slice(0, young);
}

/** The first entry that does not match its hash, or does not follow the previous one. */
function firstBroken(chainId: string, rows: readonly OldEntry[]) {
  let follows = { seq: rows[0]?.cut_seq ?? 0, hash: rows[0]?.cut_hash ?? Buffer.alloc(32) };
  for (const row of rows) {
    const { previous: _, hash: __, ...content } = toExportEntry(row);
    const fits = row.seq === follows.seq + 1 && row.previous_hash.equals(follows.hash);
    if (!fits || !hashEntry(row.previous_hash, { chainId, ...content }).equals(row.hash)) return follows.seq + 1;
    follows = { seq: row.seq, hash: row.hash };
  }
  return undefined;
}

async function cut(tx: Tx, chain: string, upTo: number, at: string, signature: string): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select cut_audit_log(${chain}::uuid, ${upTo}::bigint, ${at}::timestamptz, ${signature}) as removed`.execute(tx);
  return rows[0]!.removed;
}
