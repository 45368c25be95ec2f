import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../kernel/ids.ts';
import type { Job } from '../jobs/runner.ts';
import type { Database } from '../ports/database.ts';
import { endNode, registerNode, renewLease } from './nodes.store.ts';

export interface NodeDeps {
  readonly database: Database;
  /** See `nodeName`. */
  readonly name: string;
  /** Version of the program. */
  readonly version: string;
  readonly timeouts?: Partial<LeaseTimeouts>;
  /** Milliseconds that do not jump; for tests. */
  readonly monotonic?: () => number;
}

/** Milliseconds. */
export interface LeaseTimeouts {
  /** A node that did not renew its lease this long may be ended by others. */
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** Time limit of a stop. */
const STOP_TIMEOUT_MS = 2_000;

export const defaultLeaseTimeouts: LeaseTimeouts = { leaseMs: 15_000, renewMs: 5_000 };

/** This process among those that share the database (docs/decisions/0032-who-holds-a-router.md). */
export interface ServerNode {
  /** The identity of this start. A new one replaces it when others ended it, for example because the process was frozen. */
  readonly id: string;
  /** Register this start and end the former one of the same process. Call it before the first router is accepted. */
  start(): Promise<void>;
  /** Renews the lease, and ends nodes that did not renew theirs. */
  readonly lease: Job;
  /** Listen for a new identity of this node, and for the end of other nodes. */
  onChange(listener: () => void): void;
  /** End this node, so that others take its routers without waiting for its lease. */
  stop(): Promise<void>;
}

/** Nothing is registered before `start`. */
export function createNode(deps: NodeDeps): ServerNode {
  const { database, name, version, monotonic = () => performance.now() } = deps;
  const { leaseMs, renewMs } = { ...defaultLeaseTimeouts, ...deps.timeouts };
  let id = newId();
  let lastEnd: string | null = null;
  let isStopped = false;
  /** The start of the time in which every renewal came in time, and the latest of them. */
  let steadySince = Number.POSITIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  const listeners: (() => void)[] = [];

  const register = (isStart: boolean) => registerNode(database.read, { id, name, version, leaseMs }, isStart);

  const renew = async () => {
    const at = monotonic();
    // After an outage of the database, or when this machine was frozen, all leases have lapsed: the others get a whole lease to renew
    // theirs before this node ends any.
    if (at - renewedAt >= leaseMs) steadySince = at;
    const renewal = await renewLease(database.read, { id, leaseMs }, at - steadySince >= leaseMs);
    renewedAt = at;
    if (isStopped) return;
    if (!renewal.isActive) {
      id = newId();
      await register(false);
    }
    const hasChanged = !renewal.isActive || renewal.ended > 0 || renewal.lastEnd !== lastEnd;
    lastEnd = renewal.lastEnd;
    if (hasChanged) for (const listener of listeners) listener();
  };

  return {
    get id() {
      return id;
    },
    async start() {
      await register(true);
    },
    lease: { name: 'node lease', everyMs: renewMs, run: renew },
    onChange: (listener) => void listeners.push(listener),
    async stop() {
      isStopped = true;
      // Without the database the lease lapses by itself.
      await Promise.race([endNode(database.read, id).catch(() => undefined), pause(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
