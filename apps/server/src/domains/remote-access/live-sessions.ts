import { remoteAccess } from '@highline/contract';
import type { Tunnel } from '../../ports/tunnels.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import type { RemoteSession } from './remote-access.store.ts';

/** How long things may take and last, milliseconds. */
export interface RemotePatience {
  /** For the router to open its tunnel. */
  readonly answerMs: number;
  /** For another process to say that it has the router's connection. */
  readonly claimMs: number;
  /** That credentials work (RMT-02), and before that wait to be fetched. */
  readonly credentialMs: number;
  /** Nothing goes through. */
  readonly idleMs: number;
  /** A session at most. */
  readonly mostMs: number;
  /** The router counts as offline. */
  readonly offlineMs: number;
  /** Between two looks at what nobody announces. */
  readonly watchMs: number;
  /** Run something after so long. @returns how to have it not run */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export const usualPatience: RemotePatience = {
  answerMs: 15_000,
  claimMs: 3_000,
  credentialMs: remoteAccess.CREDENTIAL_SECONDS * 1_000,
  idleMs: 10 * 60_000,
  mostMs: 60 * 60_000,
  offlineMs: 30_000,
  watchMs: 10_000,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A session whose sockets this process has, or is about to have. */
export interface HeldSession extends RemoteSession {
  readonly scope: OrganizationScope;
  /** The person's account and sign-in when it was opened. */
  readonly opener: Actor;
  /** On the clock of `performance.now()`. */
  readonly begunAt: number;
  /** Aborts when it ends, whatever is under way. */
  readonly over: AbortController;
  /** Undefined until the router came. */
  tunnel: Tunnel | undefined;
  /** Its credentials are being told, or were. */
  isTold: boolean;
  /** Nobody new is let in any more. */
  isShut: boolean;
  /** Has it not end with the time in which its credentials work, or wait to be fetched. */
  keep: (() => void) | undefined;
}

/** The sessions of this process by id. */
export type HeldSessions = Map<string, HeldSession>;

/** A session with what only this process knows of it. */
export function holdSession(session: RemoteSession, scope: OrganizationScope, opener: Actor): HeldSession {
  return {
    ...session,
    scope,
    opener,
    begunAt: performance.now(),
    over: new AbortController(),
    tunnel: undefined,
    isTold: false,
    isShut: false,
    keep: undefined,
  };
}
