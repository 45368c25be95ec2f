import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { DeviceLimit } from '../../kernel/scope.ts';
import type { Tx } from '../ports/database.ts';

/** What a call adds to each of its transactions. */
export interface CallSteps {
  /** First step. An error rolls the transaction back. */
  readonly first?: ((tx: Tx) => Promise<void>) | undefined;
  /** Last step. @param isEffect the transaction wrote into the outbox: it is what the call was made for */
  readonly last?: ((tx: Tx, isEffect: boolean) => Promise<void>) | undefined;
  /** Id of the call, for the log. */
  readonly operation?: string;
  /** All that is read and written for the call, its streams included, knows only these devices. */
  readonly limit?: DeviceLimit | undefined;
  /** It is no call: a router began it. */
  readonly isForRouters?: boolean;
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
    const response = await calls.run(call, respond);
    return response instanceof Readable ? calls.run(call, () => withinContext(response)) : response;
  } finally {
    call.isOver = true;
  }
}

/** Whatever asks for more of a stream later, such as a socket that has space again, its rows are read as a part of the call. */
function withinContext<Stream extends Readable>(stream: Stream): Stream {
  // How Node names what a stream calls for more.
  // oxlint-disable-next-line no-underscore-dangle
  stream._read = AsyncLocalStorage.bind(stream._read.bind(stream));
  return stream;
}

/** Id of the call that is being answered, also while its response is sent. */
export function currentOperation(): string | undefined {
  return calls.getStore()?.steps.operation;
}

/** The limit of the call that is being answered, also while its response is sent; undefined outside of calls and for who sees everything. */
export function currentLimit(): DeviceLimit | undefined {
  return calls.getStore()?.steps.limit;
}

/**
 * Do something for a person without a call of theirs, such as a report that is due: what reads and writes on connections of its own knows only the devices
 * of the limit.
 */
export function workWithin<T>(limit: DeviceLimit | undefined, work: () => Promise<T>): Promise<T> {
  return limit === undefined ? work() : calls.run({ steps: { limit }, isOver: false }, work);
}

/** Read, for a call, what belongs to rows that it has found: past its limit, which is checked in each table that a statement names. */
export function readPastLimit<T>(read: () => Promise<T>): Promise<T> {
  return calls.exit(read);
}

/** Separates what is cached for people with different limits; empty for who sees everything. */
export function currentLimitKey(): string {
  const limit = currentLimit();
  return limit === undefined ? '' : JSON.stringify([limit.organizationId, limit.groups, limit.tags]);
}

/** Do something for everyone that a call only triggers, such as reading the outbox: it is no part of the call. */
export function outsideCalls<T>(work: () => T): T {
  return calls.exit(work);
}

const FOR_ROUTERS: RunningCall = { steps: { isForRouters: true }, isOver: false };

/** Do what a router began: all of it uses few connections to the database at a time, so that calls come first. */
export function workForRouters<T>(work: () => T): T {
  return calls.run(FOR_ROUTERS, work);
}

/** Whether this was begun by a router. */
export function isForRouters(): boolean {
  return calls.getStore()?.steps.isForRouters === true;
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
