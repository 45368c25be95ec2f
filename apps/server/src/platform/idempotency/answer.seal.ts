import { createSealing, type MasterKey, type Sealing } from '../../kernel/sealing.ts';
import type { CallName } from './idempotency.store.ts';

/** Encrypts the answers of calls under the master key, each for its own call. */
export function createAnswerSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline answers of calls 1');
}

/** Identifies a call as additional authenticated data: its answer is the answer of no other one. */
export function sealContextOf({ owner, key }: CallName): string {
  return `${owner}/${key}`;
}
