import { DomainError } from '../../kernel/failure.ts';
import type { Sealing } from '../../kernel/sealing.ts';
import type { CallSteps } from '../calls/call-steps.ts';
import type { Database } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { sealContextOf } from './response.seal.ts';
import {
  beginCall,
  findCall,
  forgetCall,
  isApplied,
  markApplied,
  RENEW_MS,
  renewCall,
  storeResponse,
  type BegunCall,
  type CallName,
  type StoredCall,
} from './idempotency.store.ts';

/** A call that was sent with an Idempotency-Key. */
export interface IdempotentCall extends CallName {
  readonly operation: string;
  /** SHA-256 of the operation and of everything that was sent. */
  readonly requestHash: Buffer;
  /** The response has a secret that is shown once, so it is nowhere stored. */
  readonly hasSecret: boolean;
}

/** A response as it was sent first. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

export interface Idempotency {
  /**
   * Run a call once, however often it is sent within 24 hours (HKS-04).
   * @param run gets the step that belongs into each transaction of the call; returns the body of its response
   * @param toResponse the response to a failure
   * @returns the response, and whether it is the one of an earlier call
   * @throws DomainError `idempotency.other_request` (422), `idempotency.running` (409), `idempotency.answer_lost` (409), and any error of `run`
   */
  once(
    call: IdempotentCall,
    run: (last: NonNullable<CallSteps['last']>) => Promise<string>,
    toResponse: (failure: DomainError) => StoredResponse,
  ): Promise<StoredResponse & { readonly isReplayed: boolean }>;
}

/** A longer answer is not stored: imports of whole fleets answer megabytes, which their callers rarely ask for again. */
export const MAX_RESPONSE_BYTES = 65_536;
/** Retry after this many seconds while the first call is still running. */
const RETRY_AFTER_SECONDS = 2;

export interface IdempotencyDeps {
  readonly database: Database;
  /** Of the responses (`createResponseSealing`). */
  readonly sealing: Sealing;
  readonly log: Pick<Log, 'warn'>;
}

export function createIdempotency({ database, sealing, log }: IdempotencyDeps): Idempotency {
  const store = (begun: BegunCall, { status, body }: StoredResponse, mayKeep: boolean): Promise<void> =>
    database.write(async (tx) => {
      const isShort = Buffer.byteLength(body) <= MAX_RESPONSE_BYTES;
      // A long answer of a call that only read something is made again.
      if (!isShort) await forgetCall(tx, begun);
      // Sealed within the transaction: a rotation of the master key waits for those that have begun.
      const sealed = mayKeep && isShort ? sealing.seal(sealContextOf(begun), Buffer.from(body)) : null;
      await storeResponse(tx, begun, status, sealed);
    });
  return {
    async once(call, run, toResponse) {
      const name = { owner: call.owner, key: call.key };
      const begun = await database.write((tx) => beginCall(tx, name, call.operation, call.requestHash));
      if (begun === undefined) return { ...replay(await findCall(database.read, name), call, sealing), isReplayed: true };
      const renewal = setInterval(() => {
        database
          .write((tx) => renewCall(tx, begun))
          .catch((error: unknown) => log.warn({ err: error }, 'Failed to renew the lease of a call with an Idempotency-Key.'));
      }, RENEW_MS);
      try {
        const body = await run(async (tx, isEffect) => {
          // The lease of a process that stood still has lapsed, and another one runs the call.
          if (isEffect && !(await markApplied(tx, begun))) throw stillRunning();
        });
        const response = { status: 200, body };
        await store(begun, response, !call.hasSecret);
        return { ...response, isReplayed: false };
      } catch (error) {
        const hasEffect = await isApplied(database.read, begun).catch(() => false);
        // Without an effect it may be sent again with the same key; with one, this failure is its response.
        if (hasEffect && error instanceof DomainError) {
          await store(begun, toResponse(error), true);
        } else if (!hasEffect) await database.write((tx) => forgetCall(tx, begun));
        throw error;
      } finally {
        clearInterval(renewal);
      }
    },
  };
}

function replay(stored: StoredCall | undefined, call: IdempotentCall, sealing: Sealing): StoredResponse {
  // It failed without an effect in the moment between the two statements.
  if (stored === undefined) throw stillRunning();
  if (!stored.request_hash.equals(call.requestHash)) throw new DomainError('idempotency.other_request');
  const body = stored.sealed_answer === null ? undefined : openResponse(sealing, call, stored.sealed_answer);
  if (stored.status !== null && body !== undefined) return { status: stored.status, body };
  if (stored.status !== null || (stored.is_applied && !stored.is_leased)) throw new DomainError('idempotency.answer_lost');
  throw stillRunning();
}

const stillRunning = () => new DomainError('idempotency.running', { retryAfter: RETRY_AFTER_SECONDS });

/** Undefined if it was sealed under a master key that this process does not have: the call is made, but its response is lost. */
function openResponse(sealing: Sealing, name: CallName, sealed: Buffer): string | undefined {
  try {
    return sealing.open(sealContextOf(name), sealed).toString('utf8');
  } catch {
    return undefined;
  }
}
