import type { Scheduler } from '../platform/scheduler.ts';

/** A server of the router on loopback, created for one remote session. */
export type LocalService = {
  /** Undefined unless it listens. */
  readonly port: number | undefined;
  /** Start listening, asynchronously. */
  open(): void;
  /** Accept no more sign-ins; signed-in users stay. */
  shut(): void;
  /** Disconnect all users. */
  end(): void;
};

/** Sign-in callbacks of a service. */
export type Visits = {
  scheduler: Scheduler;
  /** Check credentials. @returns whether they are accepted */
  enter(username: string, password: string): boolean;
  /** Milliseconds without a byte after which a connection ends. */
  idleMs(): number;
  /** A signed-in user has left. */
  leave(): void;
};
