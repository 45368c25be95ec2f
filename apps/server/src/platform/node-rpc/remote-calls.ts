import { setTimeout as pause } from 'node:timers/promises';
import { failures, type FailureKey, type Right } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import type { Actor } from '../../kernel/index.ts';
import type { ServerNode } from '../nodes/index.ts';
import { BusFault } from '../ports/node-bus.ts';
import type { Deps } from '../ports/deps.ts';
import { nodeSubject, subscribeAsNode, type NodeChannel } from './channel.ts';
import { createExecutor, replyShapes } from './executor.ts';
import type { RemoteCall, RemoteCallHandler, RemoteCallReply } from './handler.ts';
import { markRecorded } from './recorded-calls.store.ts';

export interface RemoteCallsDeps extends Pick<Deps, 'database' | 'log'> {
  readonly channel: NodeChannel;
  /** This process. */
  readonly node: Pick<ServerNode, 'id' | 'onChange'>;
  /** The current actor of a sign-in; undefined when it has ended. */
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
  /** Whether the author of a job still has the role, the organization and the key of that time, and the right to do this to one device. */
  readonly mayAct: (actor: Actor, right: Right, deviceId?: string) => Promise<boolean>;
}

/** Calls that the process with the router's connection must execute. */
export interface RemoteCalls<Payload> {
  /**
   * Have the process that holds the router execute a call, at most once; this one does if it has the router.
   * @param unclaimed error when no process accepts it
   * @throws DomainError as that process throws, the handler's `silent` when its response takes too long, and `server.busy` while this
   * process does not reach the others
   */
  request<T>(call: RemoteCall<Payload>, unclaimed: FailureKey, caller?: AbortSignal): Promise<T>;
}

/** A router that moves is at its new process within this time. */
const AGAIN_MS = 300;

/** A call that a process has accepted. */
interface Accepted {
  readonly subject: string;
  readonly ticket: string;
}

/**
 * Passes calls to the process that holds a router's connection. It accepts a call with a ticket, and executes it when the ticket comes
 * back: a message that arrives late, or twice, executes nothing.
 */
export function createRemoteCalls<Payload extends object>(
  deps: RemoteCallsDeps,
  handler: RemoteCallHandler<Payload>,
): RemoteCalls<Payload> {
  const { channel, node, database } = deps;
  const { timeouts } = handler;

  const record = async (id: string, call: RemoteCall<Payload>, response: RemoteCallReply | undefined): Promise<void> => {
    const { complete } = handler;
    if (complete === undefined) return;
    await database.write(async (tx) => {
      if (await markRecorded(tx, id)) await complete(tx, call, response);
    });
  };
  const executor = createExecutor(deps, handler, record);
  subscribeAsNode(channel, node, handler.name, executor.shape, executor.receive);

  /** @returns undefined when it is not there */
  const offer = async (call: RemoteCall<Payload>, nodeId: string): Promise<Accepted | undefined> => {
    const { scope, actor, payload, isJob = false } = call;
    const { organizationId, mainAccountId } = scope;
    const { sessionId, address, ...author } = actor;
    const subject = nodeSubject(nodeId, handler.name);
    // Versions before decision 0092 know no author: they check the session of a job too, and reject it when that has ended.
    const message = { type: 'offer', organizationId, mainAccountId, payload, sessionId, address, ...(isJob && { author }) };
    const { ticket } = await channel.request(subject, message, replyShapes.offer, timeouts.claimMs);
    return ticket === null ? undefined : { subject, ticket };
  };

  /** Looks twice, since a router may be moving. @returns undefined when no process accepts it */
  const find = async (call: RemoteCall<Payload>): Promise<Accepted | 'here' | undefined> => {
    for (const pauseMs of [0, AGAIN_MS]) {
      if (pauseMs > 0) await pause(pauseMs);
      if (handler.isHere(call.payload)) return 'here';
      const nodeId = await handler.findNode(call);
      if (nodeId === undefined || nodeId === node.id) continue;
      try {
        const accepted = await offer(call, nodeId);
        if (accepted !== undefined) return accepted;
      } catch (error) {
        if (!(error instanceof BusFault)) throw error;
        if (error.kind === 'disconnected') throw new DomainError('server.busy');
      }
    }
    return undefined;
  };

  /** @returns undefined when the process no longer knows the call, and did not execute it */
  const run = async (
    call: RemoteCall<Payload>,
    { subject, ticket }: Accepted,
    unclaimed: FailureKey,
    caller: AbortSignal | undefined,
  ) => {
    const end = (isReceived: boolean) => channel.publish(subject, { type: 'end', ticket, isReceived });
    try {
      const responding = channel.request(subject, { type: 'run', ticket }, replyShapes.run, timeouts.responseMs);
      const { answer: response } = await (caller === undefined
        ? responding
        : Promise.race([responding, aborted(caller, responding)]));
      end(true);
      // One that was not executed is recorded by no one else.
      if (response === null || 'rejected' in response) await record(ticket, call, response ?? { rejected: unclaimed });
      return response;
    } catch (error) {
      end(false);
      await record(ticket, call, undefined);
      throw error instanceof BusFault ? new DomainError(handler.silent) : error;
    }
  };

  return {
    async request<T>(call: RemoteCall<Payload>, unclaimed: FailureKey, caller?: AbortSignal): Promise<T> {
      const found = await find(call);
      if (found === undefined) throw new DomainError(unclaimed);
      caller?.throwIfAborted();
      if (handler.begin !== undefined) await database.write((tx) => handler.begin!(tx, call));
      const response = found === 'here' ? await executor.runHere(call, caller) : await run(call, found, unclaimed, caller);
      if (response === null) throw new DomainError(unclaimed);
      if ('value' in response) return response.value as T;
      const { rejected, field } = response;
      // Another version may know other errors.
      const key = Object.hasOwn(failures, rejected) ? (rejected as FailureKey) : handler.silent;
      throw new DomainError(key, field === undefined ? {} : { field });
    },
  };
}

/** Rejects when the caller no longer waits, and is released with `responding`. */
async function aborted(caller: AbortSignal, responding: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(caller.reason as Error);
  caller.addEventListener('abort', leave, { once: true });
  if (caller.aborted) leave();
  const release = () => caller.removeEventListener('abort', leave);
  responding.then(release, release);
  return promise;
}
