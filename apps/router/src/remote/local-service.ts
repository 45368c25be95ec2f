import type { Scheduler } from '../platform/scheduler.ts';

/** A server of the router on loopback, made for one remote session. */
export type LocalService = {
  /** While it listens. */
  readonly port: number | undefined;
  /** Listens, from a moment later. */
  open(): void;
  /** Nobody signs in any more; who is in stays. */
  shut(): void;
  /** Everybody out. */
  end(): void;
};

/** Where a service asks, and tells, about those who come. */
export type Visits = {
  scheduler: Scheduler;
  /** Somebody tries these credentials. @returns whether they are in */
  enter(username: string, password: string): boolean;
  /** Somebody who was in has left. */
  leave(): void;
};
