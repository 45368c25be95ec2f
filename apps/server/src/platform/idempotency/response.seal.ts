import { createSealing, type MasterKey, type Sealing } from '../../kernel/sealing.ts';
import type { CallName } from './idempotency.store.ts';

/** Encrypts the responses of calls under the master key, each for its own call. */
export function createResponseSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline answers of calls 1');
}

/** Identifies a call as additional authenticated data: its response is the response of no other one. */
export function sealContextOf({ owner, key }: CallName): string {
  return `${owner}/${key}`;
}
