import { remoteAccess } from '@highline/contract';
import type { Tunnel } from '../../platform/ports/tunnels.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import type { RemoteSession } from './remote-access.store.ts';

/** Timeouts and limits, milliseconds. */
export interface RemoteAccessTimeouts {
  /** For the router to open its tunnel. */
  readonly responseMs: number;
  /** For another process to claim the call because it has the router's connection. */
  readonly claimMs: number;
  /** Validity of credentials (RMT-02), and before that the time to fetch them. */
  readonly credentialMs: number;
  /** No traffic. */
  readonly idleMs: number;
  /** The longest session. */
  readonly mostMs: number;
  /** The router counts as offline. */
  readonly offlineMs: number;
  /** Between two checks for changes without an event. */
  readonly watchMs: number;
  /** Run something after a delay. @returns a function that cancels it */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export const defaultRemoteAccessTimeouts: RemoteAccessTimeouts = {
  responseMs: 15_000,
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

/** A session whose sockets this process has, or will have. */
export interface ActiveSession extends RemoteSession {
  readonly scope: OrganizationScope;
  /** The user's account and sign-in when it was opened. */
  readonly opener: Actor;
  /** On the clock of `performance.now()`. */
  readonly begunAt: number;
  /** Aborts everything under way when the session ends. */
  readonly over: AbortController;
  /** Undefined until the router connected. */
  tunnel: Tunnel | undefined;
  /** SHA-256 of the certificate that its client showed; null: none. */
  certificate: string | null;
  /** Its credentials are being issued, or were. */
  isIssued: boolean;
  /** No new visitor is accepted any more. */
  isShut: boolean;
  /** Cancels the end of the session at the expiry of its credentials, or of the time to fetch them. */
  keep: (() => void) | undefined;
}

/** The sessions of this process by id. */
export type ActiveSessions = Map<string, ActiveSession>;

/** A session with the state that only this process has. */
export function toActiveSession(session: RemoteSession, scope: OrganizationScope, opener: Actor): ActiveSession {
  return {
    ...session,
    scope,
    opener,
    begunAt: performance.now(),
    over: new AbortController(),
    tunnel: undefined,
    certificate: null,
    isIssued: false,
    isShut: false,
    keep: undefined,
  };
}
