import type { FailureKey, Right } from '@highline/contract';
import type { z } from 'zod';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../ports/database.ts';

/** How long a caller waits for another process, milliseconds. */
export interface RemoteCallTimeouts {
  /** Time limit for a process to accept the call. */
  readonly claimMs: number;
  /** Time limit for the response, counted from then on. */
  readonly responseMs: number;
}

/** Payload of a call, and its caller. */
export interface RemoteCall<Payload> {
  readonly scope: OrganizationScope;
  readonly actor: Actor;
  readonly payload: Payload;
  /**
   * It goes on without a person who waits for it: the process that executes it checks that the actor may still act as then. Left out:
   * it checks that the actor is still signed in.
   */
  readonly isJob?: boolean;
}

/** What a domain provides for calls between processes. */
export interface RemoteCallHandler<Payload extends object> {
  /** Topic of its messages. */
  readonly name: 'remote' | 'commands' | 'networks' | 'running-settings' | 'settings' | 'tools';
  /** Schema of the payload. Another version of this program may have sent it: a payload that does not match is not accepted. */
  readonly shape: z.ZodType<Payload>;
  readonly timeouts: RemoteCallTimeouts;
  /** What the author of a job must be allowed to do. Left out: no job makes such calls. */
  readonly right?: Right;
  /** The device that a call is about, on which a limited author of a job may act. */
  deviceOf?(payload: Payload): string;
  /** Error when a process accepted the call and no response came. */
  readonly silent: FailureKey;
  /** Id of the node that must execute it, according to the database. */
  findNode(call: RemoteCall<Payload>): Promise<string | undefined>;
  /** Whether this process can execute it. */
  isHere(payload: Payload): boolean;
  /** Note a call that a process has accepted, in a transaction of its own, before it is executed: so it is known whichever process dies. */
  begin?(tx: Tx, call: RemoteCall<Payload>): Promise<void>;
  /** Execute a call. @param gone aborts when the caller no longer waits */
  execute(call: RemoteCall<Payload>, gone: AbortSignal): Promise<unknown>;
  /** Undo an executed call whose answer reached no caller. */
  undo?(call: RemoteCall<Payload>): Promise<void>;
  /**
   * Record the result of a call, also that it was not executed, in a transaction of its own: once per accepted call.
   * @param response undefined when none came: it may or may not have been executed
   */
  complete?(tx: Tx, call: RemoteCall<Payload>, response: RemoteCallReply | undefined): Promise<void>;
}

/** Result of a call: its value as JSON, or a failure. */
export type RemoteCallReply = { readonly value: unknown } | { readonly rejected: string; readonly field?: string | undefined };
