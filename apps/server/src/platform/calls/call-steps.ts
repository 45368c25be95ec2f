import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../ports/database.ts';

/** What a call adds to each of its transactions. */
export interface CallSteps {
  /** First step. An error rolls the transaction back. */
  readonly first?: ((tx: Tx) => Promise<void>) | undefined;
  /** Last step. @param isEffect the transaction wrote into the outbox: it is what the call was made for */
  readonly last?: ((tx: Tx, isEffect: boolean) => Promise<void>) | undefined;
  /** Id of the call, for the log. */
  readonly operation?: string;
}

interface RunningCall {
  readonly steps: CallSteps;
  isOver: boolean;
}

const calls = new AsyncLocalStorage<RunningCall | undefined>();

/** Answer a call; the transactions that it runs have these steps until it is answered. */
export async function withinCall<T>(steps: CallSteps, respond: () => Promise<T>): Promise<T> {
  const call: RunningCall = { steps, isOver: false };
  try {
    return await calls.run(call, respond);
  } finally {
    call.isOver = true;
  }
}

/** Id of the call that is being answered, also while its response is sent. */
export function currentOperation(): string | undefined {
  return calls.getStore()?.steps.operation;
}

/** Do something for everyone that a call only triggers, such as reading the outbox: it is no part of the call. */
export function outsideCalls<T>(work: () => T): T {
  return calls.exit(work);
}

/** First step of each transaction. */
export async function firstStepOfCall(tx: Tx): Promise<void> {
  const call = calls.getStore();
  if (call !== undefined && !call.isOver) await call.steps.first?.(tx);
}

/** Last step of each transaction. */
export async function lastStepOfCall(tx: Tx, isEffect: boolean): Promise<void> {
  const call = calls.getStore();
  if (call !== undefined && !call.isOver) await call.steps.last?.(tx, isEffect);
}
