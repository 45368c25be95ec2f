import { failures, type FailureKey } from '@highline/contract';
import { DomainError, type FailureDetail } from '../../failure.ts';
import { newId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import type { Sealing } from '../../sealing.ts';
import type { RemotePatience } from './live-sessions.ts';
import {
  deleteRequest,
  findProgress,
  insertRequest,
  listUntaken,
  purgeRequests,
  takeRequest,
  writeAnswer,
  type Errand,
  type Request,
} from './requests.store.ts';
import type { HeardEvent } from './watch.ts';

export interface ElsewhereDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealing: Sealing;
  readonly patience: RemotePatience;
  /** Who a sign-in belongs to now; undefined when it has ended. */
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
  /** Whether this process is the one for it. */
  readonly isHere: (request: Request) => boolean;
  /** Carry a call of another process out. @param gone aborts when nobody waits for it any more */
  readonly carryOut: (request: Request, actor: Actor, gone: AbortSignal) => Promise<unknown>;
  /** What was carried out came to nobody. */
  readonly undo: (scope: OrganizationScope, errand: Errand, actor: Actor) => Promise<void>;
}

/** Calls that have to be carried out by the process that has a router's connection, handed on through the database. */
export interface Elsewhere {
  /**
   * Have another process carry a call out.
   * @param nobody what is thrown when no process takes it
   * @throws DomainError as that process throws, `remote.no_answer` when its answer takes too long
   */
  ask<T>(
    scope: OrganizationScope,
    actor: Actor,
    deviceId: string,
    errand: Errand,
    nobody: FailureKey,
    caller?: AbortSignal,
  ): Promise<T>;
  hear(events: readonly HeardEvent[]): void;
  purge(now: Date): Promise<void>;
}

type Answer = { readonly value: unknown } | { readonly refused: FailureKey; readonly field?: string };

const POLL_MS = 100;
/** For the answer on its way, beyond the time that the other process has. */
const WAY_MS = 5_000;
/** Nobody waits for a request that is older. */
const OLD_MS = 120_000;

/** Lets whichever process holds a router's connection do what this one is asked for. */
export function createElsewhere(deps: ElsewhereDeps): Elsewhere {
  const { database, clock, log, sealing, patience } = deps;
  const running = new Map<string, { request: Request; gone: AbortController }>();

  const waitFor = async (
    scope: OrganizationScope,
    id: string,
    nobody: FailureKey,
    caller: AbortSignal | undefined,
  ): Promise<void> => {
    const began = performance.now();
    for (;;) {
      const progress = await findProgress(database.read, scope, id);
      if (progress === undefined || progress.isAnswered) return;
      const waited = performance.now() - began;
      if (!progress.isTaken && waited > patience.claimMs) throw new DomainError(nobody);
      if (waited > patience.answerMs + WAY_MS) throw new DomainError('remote.no_answer');
      caller?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };

  /** Also tells the process that is at it, so that it stops. */
  const takeBack = async (scope: OrganizationScope, id: string, deviceId: string): Promise<Buffer | undefined> =>
    database.write(async (tx) => {
      const sealed = await deleteRequest(tx, scope, id);
      if (sealed === undefined) await announce(tx, scope, 'remote', [deviceId]);
      return sealed;
    });

  const answerOf = async (request: Request, actor: Actor, gone: AbortSignal): Promise<Answer> => {
    try {
      return { value: await deps.carryOut(request, actor, gone) };
    } catch (error) {
      if (error instanceof DomainError)
        return { refused: error.key, ...(error.more.field === undefined ? {} : { field: error.more.field }) };
      log.error({ err: error, action: request.action }, 'A call of another process failed.');
      return { refused: 'remote.no_answer' };
    }
  };

  const serve = async (request: Request): Promise<void> => {
    const { id, scope, address } = request;
    const gone = new AbortController();
    running.set(id, { request, gone });
    try {
      if (!(await database.write((tx) => takeRequest(tx, request, clock.now())))) return;
      const actor = await deps.readSession(request.signInId);
      const answer: Answer =
        actor === undefined ? { refused: 'session.invalid' } : await answerOf(request, { ...actor, address }, gone.signal);
      const sealed = sealing.seal(id, Buffer.from(JSON.stringify(answer)));
      const isAwaited = await database.write((tx) => writeAnswer(tx, scope, id, sealed));
      if (!isAwaited && actor !== undefined && 'value' in answer) await deps.undo(scope, request, actor);
    } finally {
      running.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    for (const { request, gone } of running.values())
      if ((await findProgress(database.read, request.scope, request.id)) === undefined)
        gone.abort(new Error('Nobody waits for the answer any more.'));
    for (const request of await listUntaken(database.read))
      if (!running.has(request.id) && deps.isHere(request)) void serve(request).catch(failed);
  };

  const failed = (error: unknown): void => {
    log.warn({ err: error }, 'A call of another process could not be carried out.');
  };

  return {
    async ask<T>(
      scope: OrganizationScope,
      actor: Actor,
      deviceId: string,
      errand: Errand,
      nobody: FailureKey,
      caller?: AbortSignal,
    ): Promise<T> {
      const id = newId();
      await database.write(async (tx) => {
        await insertRequest(tx, scope, id, errand, actor, clock.now());
        await announce(tx, scope, 'remote', [deviceId]);
      });
      try {
        await waitFor(scope, id, nobody, caller);
      } catch (error) {
        if ((await takeBack(scope, id, deviceId)) !== undefined) await deps.undo(scope, errand, actor);
        throw error;
      }
      const sealed = await takeBack(scope, id, deviceId);
      if (sealed === undefined) throw new DomainError('remote.no_answer');
      return opened<T>(sealing.open(id, sealed));
    },
    hear(events) {
      if (events.some(({ topic }) => topic === 'remote')) void look().catch(failed);
    },
    purge: (now) => purgeRequests(database, new Date(now.getTime() - OLD_MS)),
  };
}

function opened<T>(bytes: Buffer): T {
  const answer = JSON.parse(bytes.toString()) as { value: T } | { refused: FailureKey; field?: string };
  if ('value' in answer) return answer.value;
  const { refused, field } = answer;
  const more: FailureDetail = field === undefined ? {} : { field };
  throw new DomainError(Object.hasOwn(failures, refused) ? refused : 'remote.no_answer', more);
}
