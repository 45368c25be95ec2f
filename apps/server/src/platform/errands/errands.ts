import type { KeyObject } from 'node:crypto';
import { failures, type FailureKey } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, type FailureDetail } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { announce } from '../outbox/announce.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database, Tx } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { createSealing } from '../../kernel/sealing.ts';
import {
  deleteErrand,
  findProgress,
  insertErrand,
  listUntaken,
  takeErrand,
  writeAnswer,
  type ErrandRoomName,
  type FoundErrand,
} from './errands.store.ts';

export interface ErrandsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Key that seals answers in the database. */
  readonly masterKey: KeyObject;
  /** The current actor of a sign-in; undefined when it has ended. */
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
}

/** How long a caller waits for another process, milliseconds. */
export interface ErrandPatience {
  /** Time limit for a process to claim the call. */
  readonly claimMs: number;
  /** Time limit for the answer, counted from the claim. */
  readonly answerMs: number;
}

/** Payload of a call, and its caller. */
export interface Asked<Said> {
  readonly scope: OrganizationScope;
  readonly actor: Actor;
  readonly said: Said;
}

/** Result of a call: its value as JSON, or a failure. */
export type ErrandAnswer = { readonly value: unknown } | { readonly refused: FailureKey; readonly field?: string };

/** What a domain provides for calls between processes. */
export interface ErrandRoom<Said extends object> {
  readonly name: ErrandRoomName;
  /**
   * Schema of the payload. Another version of this program may have written it: a payload that does not match is left to others.
   */
  readonly shape: z.ZodType<Said>;
  readonly patience: ErrandPatience;
  /** Error when a process claimed the call and no answer came. */
  readonly silent: FailureKey;
  /** Whether this process must execute it. */
  isHere(said: Said): boolean;
  /** Execute a call of another process. @param gone aborts when the caller no longer waits */
  carryOut(asked: Asked<Said>, gone: AbortSignal): Promise<unknown>;
  /** Undo an executed call whose answer reached no caller. */
  undo?(asked: Asked<Said>): Promise<void>;
  /**
   * Record the result of a call in the transaction that ends it: once per claimed call.
   * @param answer undefined when none came: it may or may not have been executed
   */
  settle?(tx: Tx, asked: Asked<Said>, answer: ErrandAnswer | undefined): Promise<void>;
}

/** Calls that the process with the router's connection must execute, passed on through the database. */
export interface Errands<Said> {
  /**
   * Have another process execute a call, at most once.
   * @param deviceId device whose consoles are notified
   * @param nobody error when no process claims it
   * @throws DomainError as that process throws, and the room's `silent` when its answer takes too long
   */
  ask<T>(asked: Asked<Said>, deviceId: string, nobody: FailureKey, caller?: AbortSignal): Promise<T>;
  hear(events: readonly { readonly topic: string }[]): void;
}

const POLL_MS = 100;

/** Executes the calls between processes: the one that holds a router's connection claims them. */
export function createErrands<Said extends object>(deps: ErrandsDeps, room: ErrandRoom<Said>): Errands<Said> {
  const { database, clock, log } = deps;
  const { patience } = room;
  const sealing = createSealing(deps.masterKey, `highline ${room.name} answers 1`);
  const running = new Map<string, { errand: FoundErrand; gone: AbortController }>();

  /** @returns why waiting ended; undefined when there is an answer */
  const waitFor = async (scope: OrganizationScope, id: string, nobody: FailureKey, caller: AbortSignal | undefined) => {
    let since = performance.now();
    let wasTaken = false;
    for (;;) {
      const progress = await findProgress(database.read, scope, id);
      if (progress === undefined || progress.isAnswered) return undefined;
      if (progress.isTaken && !wasTaken) since = performance.now();
      wasTaken = progress.isTaken;
      const waited = performance.now() - since;
      if (waited > (wasTaken ? patience.answerMs : patience.claimMs)) return wasTaken ? room.silent : nobody;
      caller?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };

  /** Also notifies the executing process, so that it stops. */
  const takeBack = async (asked: Asked<Said>, id: string, deviceId: string) =>
    database.write(async (tx) => {
      const taken = await deleteErrand(tx, asked.scope, id);
      if (taken.sealed !== undefined) return taken;
      await announce(tx, asked.scope, room.name, [deviceId]);
      if (taken.isTaken) await room.settle?.(tx, asked, undefined);
      return taken;
    });

  const answerOf = async (asked: Asked<Said>, gone: AbortSignal): Promise<ErrandAnswer> => {
    try {
      return { value: await room.carryOut(asked, gone) };
    } catch (error) {
      if (error instanceof DomainError) return { refused: error.key, ...fieldOf(error.more) };
      log.error({ err: error, room: room.name }, 'A call of another process failed.');
      return { refused: room.silent };
    }
  };

  const settle = async (errand: FoundErrand, asked: Asked<Said> | undefined, answer: ErrandAnswer): Promise<boolean> => {
    const { id, scope } = errand;
    const sealed = sealing.seal(id, Buffer.from(JSON.stringify(answer)));
    return database.write(async (tx) => {
      const isAwaited = await writeAnswer(tx, scope, id, sealed);
      if (isAwaited && asked !== undefined) await room.settle?.(tx, asked, answer);
      return isAwaited;
    });
  };

  const serve = async (errand: FoundErrand, said: Said): Promise<void> => {
    const { id, scope, address } = errand;
    const gone = new AbortController();
    running.set(id, { errand, gone });
    try {
      if (!(await database.write((tx) => takeErrand(tx, errand, clock.now())))) return;
      const found = await deps.readSession(errand.signInId);
      const asked = found === undefined ? undefined : { scope, said, actor: { ...found, address } };
      const answer: ErrandAnswer = asked === undefined ? { refused: 'session.invalid' } : await answerOf(asked, gone.signal);
      const isAwaited = await settle(errand, asked, answer);
      if (!isAwaited && asked !== undefined && 'value' in answer) await room.undo?.(asked);
    } finally {
      running.delete(id);
    }
  };

  const look = async (): Promise<void> => {
    for (const { errand, gone } of running.values())
      if ((await findProgress(database.read, errand.scope, errand.id)) === undefined)
        gone.abort(new Error('The caller no longer waits for the answer.'));
    for (const errand of await listUntaken(database.read, room.name)) {
      const { data: said } = room.shape.safeParse(errand.said);
      if (said !== undefined && !running.has(errand.id) && room.isHere(said)) void serve(errand, said).catch(failed);
    }
  };

  const failed = (error: unknown): void => {
    log.warn({ err: error }, 'Failed to execute a call of another process.');
  };

  return {
    async ask<T>(asked: Asked<Said>, deviceId: string, nobody: FailureKey, caller?: AbortSignal): Promise<T> {
      const { scope, actor, said } = asked;
      const id = newId();
      await database.write(async (tx) => {
        await insertErrand(tx, scope, id, { room: room.name, said }, actor);
        await announce(tx, scope, room.name, [deviceId]);
      });
      let late: FailureKey | undefined;
      try {
        late = await waitFor(scope, id, nobody, caller);
      } catch (error) {
        const { sealed } = await takeBack(asked, id, deviceId);
        if (sealed !== undefined) await room.undo?.(asked);
        throw error;
      }
      const { sealed, isTaken } = await takeBack(asked, id, deviceId);
      // A call claimed at the last moment may have been executed; do not report that none was available.
      if (sealed === undefined) throw new DomainError(isTaken ? room.silent : (late ?? room.silent));
      return opened<T>(sealing.open(id, sealed), room.silent);
    },
    hear(events) {
      if (events.some(({ topic }) => topic === room.name)) void look().catch(failed);
    },
  };
}

const fieldOf = ({ field }: FailureDetail) => (field === undefined ? {} : { field });

function opened<T>(bytes: Buffer, silent: FailureKey): T {
  const answer = JSON.parse(bytes.toString()) as { value: T } | Exclude<ErrandAnswer, { value: unknown }>;
  if ('value' in answer) return answer.value;
  throw new DomainError(Object.hasOwn(failures, answer.refused) ? answer.refused : silent, fieldOf(answer));
}
