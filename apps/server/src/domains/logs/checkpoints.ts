import type { KeyObject } from 'node:crypto';
import type { Checkpoint, CheckpointStore, Database, Log } from '../../platform/ports/index.ts';
import { createCheckpointSigner } from './signatures.ts';

const BATCH = 1_000;

export interface CheckpointDeps {
  readonly database: Database;
  readonly store: CheckpointStore;
  /** Ed25519. */
  readonly privateKey: KeyObject;
  readonly log: Log;
}

type Signed = Pick<Checkpoint, 'seq' | 'hash'>;

const SET_BACK =
  'The newest checkpoint of a log is of an entry that the database no longer has: it was restored or set back, or its log was changed.';

/**
 * Sign the head of every log that differs from its last checkpoint and store it outside the database (DECISIONS, Audit): from then
 * on no earlier entry can be rewritten or cut unnoticed. After a crash the next run writes what is missing. A database that was set back, as by a
 * restore, is signed from where it is now; the log of the server names it.
 * @returns the function to run; it resolves to the number of signed logs
 */
export function createCheckpoints({ database, store, privateKey, log }: CheckpointDeps): (now: Date) => Promise<number> {
  const signCheckpoint = createCheckpointSigner(privateKey);
  let newest: Map<string, Signed> | undefined;
  return async (now) => {
    const known = (newest ??= new Map(await store.newest()));
    let signed = 0;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const heads = await database.read
        .selectFrom('audit_heads')
        .selectAll()
        .where('chain_id', '>', after)
        .orderBy('chain_id')
        .limit(BATCH)
        .execute();
      const checkpoints = heads
        .filter(({ chain_id: chain, seq, hash }) => !isSame(known.get(chain), seq, hash))
        .map((head) => signCheckpoint(head.chain_id, head.seq, head.hash, now));
      await store.append(checkpoints);
      for (const checkpoint of checkpoints) {
        const { chain, seq } = checkpoint;
        const before = known.get(chain);
        if (before !== undefined && before.seq >= seq) log.warn({ chain, seq, signed: before.seq }, SET_BACK);
        known.set(chain, checkpoint);
      }
      signed += checkpoints.length;
      const last = heads.at(-1);
      if (last === undefined || heads.length < BATCH) return signed;
      after = last.chain_id;
    }
  };
}

function isSame(signed: Signed | undefined, seq: number, hash: Buffer): boolean {
  return signed?.seq === seq && signed.hash === hash.toString('hex');
}
