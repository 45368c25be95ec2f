import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../kernel/ids.ts';
import type { Job } from '../jobs/runner.ts';
import type { Database } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { StartupError } from '../settings/settings-file.ts';
import { createClockComparison } from './clock-comparison.ts';
import { endNode, listEarlier, registerNode, renewLease, type OtherNode, type SeenNode } from './nodes.store.ts';

export interface NodeDeps {
  readonly database: Database;
  readonly log: Log;
  /** What a process needs that is not the only one. */
  readonly shared: SharedParts;
  /** See `readNodeName`. */
  readonly name: string;
  /** Its name for people. */
  readonly host: string;
  /** Version of the program. */
  readonly version: string;
  /** How many routers are connected. */
  readonly routers?: () => number;
  readonly timeouts?: Partial<LeaseTimeouts>;
  /** Milliseconds that do not jump; for tests. */
  readonly monotonic?: () => number;
  /** Milliseconds since 1970 by the clock of this machine; for tests. */
  readonly systemNow?: () => number;
}

/** What this process was given to share work with others. */
export interface SharedParts {
  /** NATS_URL */
  readonly bus: boolean;
  /** BLOBS_URL */
  readonly files: boolean;
}

/** State of this node, for metrics. */
export interface NodeStats {
  /** Active processes at this database, as of the last renewal. */
  readonly active: number;
  /** Since the last renewal of the lease. */
  readonly leaseAgeMs: number;
  /** Routers connected to each of the others, as of their renewals; null = its version does not say it. */
  readonly routersOfOthers: readonly (number | null)[];
  /** By how much the clock of this machine was ahead of that of PostgreSQL at the last comparison; negative = behind. */
  readonly clockAheadMs: number;
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
  /**
   * Register this start and end the former one of the same process. Call it before the first router is accepted.
   * @throws StartupError when another process is active and this one, or that one, lacks what several need, or when the clock of this machine is wrong
   */
  start(): Promise<void>;
  /** Compares the clock of this machine with that of PostgreSQL. @returns whether they agree, so that what is old may be deleted */
  hasRightClock(): Promise<boolean>;
  /** Renews the lease, ends nodes that did not renew theirs, and compares the clocks. */
  readonly lease: Job;
  /** Listen for a new identity of this node, and for the end of other nodes. */
  onChange(listener: () => void): void;
  /** End this node, so that others take its routers without waiting for its lease. */
  stop(): Promise<void>;
  stats(): NodeStats;
}

/** Nothing is registered before `start`. */
export function createNode(deps: NodeDeps): ServerNode {
  const { database, log, name, host, version, shared, routers = () => 0, monotonic = () => performance.now() } = deps;
  const { leaseMs, renewMs } = { ...defaultLeaseTimeouts, ...deps.timeouts };
  let id = newId();
  let lastEnd: string | null = null;
  let isStopped = false;
  /** The start of the time in which every renewal came in time, and the latest of them. */
  let steadySince = Number.POSITIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let active = 0;
  let routersOfOthers: NodeStats['routersOfOthers'] = [];
  const seen = createSeen(log);
  const clocks = createClockComparison(database.read, log, deps.systemNow ?? Date.now);
  const listeners: (() => void)[] = [];

  const register = (isStart: boolean) =>
    registerNode(database.read, { id, name, host, version, hasBus: shared.bus, leaseMs }, isStart);

  const renew = async () => {
    const at = monotonic();
    // After an outage of the database, or when this machine was frozen, all leases have lapsed: the others get a whole lease to renew
    // theirs before this node ends any.
    if (at - renewedAt >= leaseMs) steadySince = at;
    const renewal = await renewLease(database.read, { id, leaseMs, routers: routers() }, at - steadySince >= leaseMs);
    const late = at - renewedAt;
    renewedAt = at;
    ({ active } = renewal);
    routersOfOthers = renewal.others.filter(({ end }) => end === null).map((other) => other.routers);
    if (isStopped) return;
    seen.look(renewal.others);
    if (!renewal.isActive) {
      const former = id;
      id = newId();
      log.warn(
        { former, lateMs: Math.round(late) },
        'Other processes ended this one, since it had not renewed its lease: it was frozen, or had no database. It goes on as a new one.',
      );
      await register(false);
    }
    const hasChanged = !renewal.isActive || renewal.ended > 0 || renewal.lastEnd !== lastEnd;
    lastEnd = renewal.lastEnd;
    if (hasChanged) for (const listener of listeners) listener();
    await clocks.agree();
  };

  return {
    get id() {
      return id;
    },
    hasRightClock: () => clocks.agree(),
    async start() {
      await clocks.assertAgree();
      await register(true);
      const fault = await findFault({ ...deps, id, waitMs: leaseMs * LEASES_AWAITED });
      if (fault === undefined) return;
      await endNode(database.read, id);
      throw new StartupError(fault);
    },
    lease: { name: 'node lease', everyMs: renewMs, run: renew },
    onChange: (listener) => void listeners.push(listener),
    stats: () => ({ active, leaseAgeMs: monotonic() - renewedAt, routersOfOthers, clockAheadMs: clocks.aheadMs() }),
    async stop() {
      isStopped = true;
      // Without the database the lease lapses by itself.
      await Promise.race([endNode(database.read, id).catch(() => undefined), pause(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** How a process is named in messages. */
function nodeLabel({ host, version }: Pick<OtherNode, 'host' | 'version'>): string {
  return host === null ? `version ${version}` : `${host}, version ${version}`;
}

/** Says which other processes come and go. */
function createSeen(log: Log) {
  let known: ReadonlyMap<string, SeenNode> | undefined;
  return {
    look(others: readonly SeenNode[]): void {
      const before = known;
      known = new Map(others.map((other) => [other.id, other]));
      for (const { id, host, version, end } of others) {
        const former = before?.get(id);
        const fields = { other: host ?? id, otherVersion: version };
        if (end === null && former === undefined) log.info(fields, 'Another process is at this database.');
        if (end === null || former?.end !== null) continue;
        if (end === 'lost')
          log.warn(fields, 'Another process is lost: it has not renewed its lease. Its routers may connect elsewhere.');
        else log.info(fields, 'Another process has stopped, or was started again.');
      }
    },
  };
}

/** A process that is stopping, or was killed, is no longer there after this many leases. */
const LEASES_AWAITED = 2;
const LOOK_EVERY_MS = 250;

interface Awaiting extends Pick<NodeDeps, 'database' | 'log' | 'shared'> {
  readonly id: string;
  readonly waitMs: number;
}

/** Why this process cannot run together with those that are active; undefined when it can, or once they have ended. */
async function findFault({ database, log, shared, id, waitMs }: Awaiting): Promise<string | undefined> {
  const deadline = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const fault = faultOf(await listEarlier(database.read, id), shared);
    if (fault === undefined || performance.now() > deadline) return fault;
    if (isFirst) log.warn({ fault, waitMs }, 'Another process is active at this database; waiting for it to end.');
    await pause(LOOK_EVERY_MS);
  }
}

function faultOf(others: readonly OtherNode[], shared: SharedParts): string | undefined {
  const [other] = others;
  if (other === undefined) return undefined;
  const which = (node: OtherNode) => `another process (${nodeLabel(node)}, since ${node.startedAt.toISOString()})`;
  const missing = [...(shared.bus ? [] : ['NATS_URL']), ...(shared.files ? [] : ['BLOBS_URL'])].join(' and ');
  const recipe = 'docs/operations.md describes several processes at one database.';
  if (missing !== '')
    return `${missing}: missing while ${which(other)} runs at this database. Set NATS_URL and BLOBS_URL for all of them, or stop the other one. ${recipe}`;
  const without = others.find(({ hasBus }) => hasBus === false);
  if (without !== undefined)
    return `NATS_URL: ${which(without)} runs at this database without it. Set it there and restart that process, then start this one. ${recipe}`;
  return undefined;
}
