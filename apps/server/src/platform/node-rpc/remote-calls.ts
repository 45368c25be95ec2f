import type { KeyObject } from 'node:crypto';
import { failures, type FailureKey } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, newId, createSealing } from '../../kernel/index.ts';
import type { FailureDetail, Actor, OrganizationScope, Sealing } from '../../kernel/index.ts';
import { announce } from '../outbox/announce.ts';
import type { Deps } from '../ports/deps.ts';
import type { Tx } from '../ports/database.ts';
import {
  withdrawCall,
  findProgress,
  insertCall,
  listUnclaimed,
  claimCall,
  writeAnswer,
  type RemoteCallTopic,
  type PendingCall,
} from './remote-calls.store.ts';

export interface RemoteCallsDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Key that seals answers in the database. */
  readonly masterKey: KeyObject;
  /** The current actor of a sign-in; undefined when it has ended. */
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
}

/** How long a caller waits for another process, milliseconds. */
export interface RemoteCallTimeouts {
  /** Time limit for a process to claim the call. */
  readonly claimMs: number;
  /** Time limit for the answer, counted from the claim. */
  readonly answerMs: number;
}

/** Payload of a call, and its caller. */
export interface RemoteCall<Payload> {
  readonly scope: OrganizationScope;
  readonly actor: Actor;
  readonly payload: Payload;
}

/** Result of a call: its value as JSON, or a failure. */
export type RemoteCallReply = { readonly value: unknown } | { readonly rejected: FailureKey; readonly field?: string };

/** What a domain provides for calls between processes. */
export interface RemoteCallHandler<Payload extends object> {
  readonly name: RemoteCallTopic;
  /**
   * Schema of the payload. Another version of this program may have written it: a payload that does not match is left to others.
   */
  readonly shape: z.ZodType<Payload>;
  readonly timeouts: RemoteCallTimeouts;
  /** Error when a process claimed the call and no answer came. */
  readonly silent: FailureKey;
  /** Whether this process must execute it. */
  isHere(payload: Payload): boolean;
  /** Execute a call of another process. @param gone aborts when the caller no longer waits */
  execute(call: RemoteCall<Payload>, gone: AbortSignal): Promise<unknown>;
  /** Undo an executed call whose answer reached no caller. */
  undo?(call: RemoteCall<Payload>): Promise<void>;
  /**
   * Record the result of a call in the transaction that ends it: once per claimed call.
   * @param answer undefined when none came: it may or may not have been executed
   */
  complete?(tx: Tx, call: RemoteCall<Payload>, answer: RemoteCallReply | undefined): Promise<void>;
}

/** Calls that the process with the router's connection must execute, passed on through the database. */
export interface RemoteCalls<Payload> {
  /**
   * Have another process execute a call, at most once.
   * @param deviceId device whose consoles are notified
   * @param unclaimed error when no process claims it
   * @throws DomainError as that process throws, and the handler's `silent` when its answer takes too long
   */
  request<T>(call: RemoteCall<Payload>, deviceId: string, unclaimed: FailureKey, caller?: AbortSignal): Promise<T>;
  onEvents(events: readonly { readonly topic: string }[]): void;
}

const POLL_MS = 100;

/** Executes the calls between processes: the one that holds a router's connection claims them. */
export function createRemoteCalls<Payload extends object>(
  deps: RemoteCallsDeps,
  handler: RemoteCallHandler<Payload>,
): RemoteCalls<Payload> {
  const sealing = createSealing(deps.masterKey, `highline ${handler.name} answers 1`);
  return { request: createCaller(deps, handler, sealing), onEvents: createExecutor(deps, handler, sealing) };
}

/** The side that needs a call executed: writes it, waits for its answer, and withdraws it. */
function createCaller<Payload extends object>(
  { database }: RemoteCallsDeps,
  handler: RemoteCallHandler<Payload>,
  sealing: Sealing,
): RemoteCalls<Payload>['request'] {
  const { timeouts } = handler;

  /** @returns why waiting ended; undefined when there is an answer */
  const waitFor = async (scope: OrganizationScope, id: string, unclaimed: FailureKey, caller: AbortSignal | undefined) => {
    let since = performance.now();
    let wasClaimed = false;
    for (;;) {
      const progress = await findProgress(database.read, scope, id);
      if (progress === undefined || progress.isAnswered) return undefined;
      if (progress.isClaimed && !wasClaimed) since = performance.now();
      wasClaimed = progress.isClaimed;
      const waited = performance.now() - since;
      if (waited > (wasClaimed ? timeouts.answerMs : timeouts.claimMs)) return wasClaimed ? handler.silent : unclaimed;
      caller?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };

  /** Also notifies the executing process, so that it stops. */
  const withdraw = async (call: RemoteCall<Payload>, id: string, deviceId: string) =>
    database.write(async (tx) => {
      const withdrawn = await withdrawCall(tx, call.scope, id);
      if (withdrawn.sealed !== undefined) return withdrawn;
      await announce(tx, call.scope, handler.name, [deviceId]);
      if (withdrawn.isClaimed) await handler.complete?.(tx, call, undefined);
      return withdrawn;
    });

  return async function request<T>(
    call: RemoteCall<Payload>,
    deviceId: string,
    unclaimed: FailureKey,
    caller?: AbortSignal,
  ): Promise<T> {
    const { scope, actor, payload } = call;
    const id = newId();
    await database.write(async (tx) => {
      await insertCall(tx, scope, id, { topic: handler.name, payload }, actor);
      await announce(tx, scope, handler.name, [deviceId]);
    });
    let failure: FailureKey | undefined;
    try {
      failure = await waitFor(scope, id, unclaimed, caller);
    } catch (error) {
      const { sealed } = await withdraw(call, id, deviceId);
      if (sealed !== undefined) await handler.undo?.(call);
      throw error;
    }
    const { sealed, isClaimed } = await withdraw(call, id, deviceId);
    // A call claimed at the last moment may have been executed; do not report that none was available.
    if (sealed === undefined) throw new DomainError(isClaimed ? handler.silent : (failure ?? handler.silent));
    return opened<T>(sealing.open(id, sealed), handler.silent);
  };
}

/** The side that executes calls, once an event says that there are some. */
function createExecutor<Payload extends object>(
  deps: RemoteCallsDeps,
  handler: RemoteCallHandler<Payload>,
  sealing: Sealing,
): RemoteCalls<Payload>['onEvents'] {
  const { database, clock, log } = deps;
  const running = new Map<string, { pending: PendingCall; gone: AbortController }>();

  const answerOf = async (call: RemoteCall<Payload>, gone: AbortSignal): Promise<RemoteCallReply> => {
    try {
      return { value: await handler.execute(call, gone) };
    } catch (error) {
      if (error instanceof DomainError) return { rejected: error.key, ...fieldOf(error.more) };
      log.error({ err: error, handler: handler.name }, 'A call of another process failed.');
      return { rejected: handler.silent };
    }
  };

  const complete = async (
    pending: PendingCall,
    call: RemoteCall<Payload> | undefined,
    answer: RemoteCallReply,
  ): Promise<boolean> => {
    const { id, scope } = pending;
    const sealed = sealing.seal(id, Buffer.from(JSON.stringify(answer)));
    return database.write(async (tx) => {
      const isAwaited = await writeAnswer(tx, scope, id, sealed);
      if (isAwaited && call !== undefined) await handler.complete?.(tx, call, answer);
      return isAwaited;
    });
  };

  const serve = async (pending: PendingCall, payload: Payload): Promise<void> => {
    const { id, scope, address } = pending;
    const gone = new AbortController();
    running.set(id, { pending, gone });
    try {
      if (!(await database.write((tx) => claimCall(tx, pending, clock.now())))) return;
      const found = await deps.readSession(pending.signInId);
      const call = found === undefined ? undefined : { scope, payload, actor: { ...found, address } };
      const answer: RemoteCallReply = call === undefined ? { rejected: 'session.invalid' } : await answerOf(call, gone.signal);
      const isAwaited = await complete(pending, call, answer);
      if (!isAwaited && call !== undefined && 'value' in answer) await handler.undo?.(call);
    } finally {
      running.delete(id);
    }
  };

  const poll = async (): Promise<void> => {
    for (const { pending, gone } of running.values())
      if ((await findProgress(database.read, pending.scope, pending.id)) === undefined)
        gone.abort(new Error('The caller no longer waits for the answer.'));
    for (const pending of await listUnclaimed(database.read, handler.name)) {
      const { data: payload } = handler.shape.safeParse(pending.payload);
      if (payload !== undefined && !running.has(pending.id) && handler.isHere(payload))
        void serve(pending, payload).catch(failed);
    }
  };

  const failed = (error: unknown): void => {
    log.warn({ err: error }, 'Failed to execute a call of another process.');
  };

  return (events) => {
    if (events.some(({ topic }) => topic === handler.name)) void poll().catch(failed);
  };
}

const fieldOf = ({ field }: FailureDetail) => (field === undefined ? {} : { field });

function opened<T>(bytes: Buffer, silent: FailureKey): T {
  const answer = JSON.parse(bytes.toString()) as { value: T } | Exclude<RemoteCallReply, { value: unknown }>;
  if ('value' in answer) return answer.value;
  throw new DomainError(Object.hasOwn(failures, answer.rejected) ? answer.rejected : silent, fieldOf(answer));
}
