import type { KeyObject } from 'node:crypto';
import type { CheckpointStore, Database } from '../../platform/ports/index.ts';
import { createCheckpointSigner } from './signatures.ts';

const BATCH = 1_000;

export interface CheckpointDeps {
  readonly database: Database;
  readonly store: CheckpointStore;
  /** Ed25519. */
  readonly privateKey: KeyObject;
}

/**
 * Sign the head of every log that grew since its last checkpoint and store it outside the database (DECISIONS, Audit): from then
 * on no earlier entry can be rewritten or cut unnoticed. After a crash the next run writes what is missing.
 * @returns the function to run; it resolves to the number of signed logs
 */
export function createCheckpoints({ database, store, privateKey }: CheckpointDeps): (now: Date) => Promise<number> {
  const signCheckpoint = createCheckpointSigner(privateKey);
  let newest: Map<string, number> | undefined;
  return async (now) => {
    newest ??= new Map(await store.newest());
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
      const grown = heads.filter(({ chain_id: chain, seq }) => seq > (newest?.get(chain) ?? 0));
      await store.append(grown.map((head) => signCheckpoint(head.chain_id, head.seq, head.hash, now)));
      for (const head of grown) newest.set(head.chain_id, head.seq);
      signed += grown.length;
      const last = heads.at(-1);
      if (last === undefined || heads.length < BATCH) return signed;
      after = last.chain_id;
    }
  };
}
