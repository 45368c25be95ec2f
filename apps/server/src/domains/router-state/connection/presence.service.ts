import { ConnectStorm } from './connect-storm.ts';
import type { PresenceReason } from '@highline/contract';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Contacts } from '../../../platform/ports/contacts.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import { collectCalls } from '../../../platform/retry/collect-calls.ts';
import { ensureTimePartitions } from '../telemetry/telemetry.partitions.ts';
import type { BootReport, ConnectivityKind, ReportedPatch } from './presence.changes.ts';
import { createComparison, type Connection } from './presence.comparison.ts';
import { ContactBook } from './presence.contacts.ts';
import { createChangeQueue } from './presence.queue.ts';
import {
  findSubscribed,
  outdateSockets,
  type ComparePresence,
  type ReplacedConnection,
  type TakenConnection,
} from './presence.store.ts';
import { PresenceWriter, presenceWriterDefaults, type PresenceWriterSettings } from './presence.writer.ts';

export interface PresenceDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** This process among those that share the database. */
  readonly node: Pick<ServerNode, 'id' | 'onChange'>;
  /** How long routers may take to reconnect after their node ended before they count as offline; the keep-alive window. */
  readonly graceMs?: number;
  /** Looks at devices whose connection changed, in the transaction of the change: alert rules. */
  readonly compare?: ComparePresence;
  readonly settings?: Partial<PresenceWriterSettings>;
}

export interface PresenceStats {
  readonly connected: number;
  /** Routers with uncommitted changes. */
  readonly waiting: number;
  /** Since the start: routers that came from other processes, and that left for one. */
  readonly taken: number;
  readonly left: number;
}

/**
 * The connection state of routers. The sockets are authoritative; the database is corrected to match them. Each process answers for
 * the routers whose socket it has, and for those of processes that ended (docs/decisions/0032-who-holds-a-router.md).
 */
export interface PresenceService {
  /**
   * Call it before the first router is accepted, after the start of the node. Continues in the background: routers of ended nodes
   * become unknown until they connect.
   */
  start(): Promise<void>;
  /**
   * @param epoch number of the socket (`connectionEpoch` of its admission)
   * @param isQuiet without a line in the history, unless the router was offline
   */
  connected(routerId: string, epoch: number, reason?: 'connected' | 'replaced' | 'cloned', isQuiet?: boolean): void;
  /** @param lastSeenAt its last contact */
  disconnected(routerId: string, reason: PresenceReason, lastSeenAt: Date): void;
  /**
   * This process closed the router's socket, so that it connects to another one: it stays online, unless it is nowhere after the grace.
   * @param lastSeenAt its last contact
   */
  sentElsewhere(routerId: string, lastSeenAt: Date): void;
  /** Add a line to the router's history. Resolves when it is committed. */
  happened(routerId: string, kind: ConnectivityKind, reason: string): Promise<void>;
  /** The router has started: add a line to its history, unless another process did for the same message. Resolves when it is committed. */
  booted(routerId: string, boot: BootReport): Promise<void>;
  /** A router reported values. Resolves when they are committed. @param clockSkewMs how far its clock is ahead of ours */
  recordReport(routerId: string, reported: ReportedPatch, clockSkewMs?: number): Promise<void>;
  /** The same for single values that changed: written within a second, with those of other routers. */
  recordChange(routerId: string, reported: ReportedPatch): Promise<void>;
  /** A sign of life. Stays in memory and is written every few minutes; a crash loses the unwritten ones. @param rssi dBm */
  recordContact(routerId: string, at: Date, rssi?: number | null): void;
  /** The last contact of routers that are connected here. */
  readonly contacts: Contacts;
  /** Whether the router had our subscriptions at its last set-up. */
  wasSubscribed(routerId: string): Promise<boolean>;
  /** Listen for routers that were removed from the inventory. */
  onGone(listener: (routerIds: readonly string[]) => void): void;
  /** Listen for routers that have a newer socket at another process: the one of this process must close. */
  onReplaced(listener: (routerIds: readonly string[]) => void): void;
  /** Listen for routers that came here from another process, whose older socket must close. */
  onTaken(listener: (connections: readonly TakenConnection[]) => void): void;
  /** Another process has newer sockets of these routers: those of this one close. */
  left(connections: readonly ReplacedConnection[]): void;
  /** Other processes that hold these routers since before this time close their sockets at the next comparison. */
  outdate(routerIds: readonly string[], before: Date): Promise<void>;
  /** Compare the database with the sockets and correct it, so that no error persists. */
  readonly comparison: Job;
  flush(): Promise<void>;
  stop(timeoutMs?: number): Promise<void>;
  stats(): PresenceStats;
}

/**
 * Tracks which routers are connected here. @param graceMs time after the end of a node before its routers without a connection count
 * as offline
 */
export function createPresence(deps: PresenceDeps): PresenceService {
  const { database, clock, log, node, graceMs = 50_000, compare: compareChanged, settings } = deps;
  const storm = new ConnectStorm();
  /** Connected routers. */
  const online = new Map<string, Connection>();
  let announceGone: (routerIds: readonly string[]) => void = () => {};
  let announceReplaced: (routerIds: readonly string[]) => void = () => {};
  let announceTaken: (connections: readonly TakenConnection[]) => void = () => {};
  const moves = { taken: 0, left: 0 };
  let isStopping = false;
  const writer = new PresenceWriter({
    database,
    log,
    settings: { ...presenceWriterDefaults, ...settings },
    repair: () => ensureTimePartitions(database, clock.now()),
    gone: (routerIds) => announceGone(routerIds),
    replaced: (connections) => leave(connections, (own, epoch) => own === epoch),
    taken(connections) {
      moves.taken += connections.length;
      announceTaken(connections);
    },
    nodeId: () => node.id,
    compare: compareChanged,
  });

  const contacts = new ContactBook({
    database,
    log,
    flushMs: settings?.contactFlushMs ?? presenceWriterDefaults.contactFlushMs,
    batchRouters: settings?.batchRouters ?? presenceWriterDefaults.batchRouters,
    isConnected: (routerId) => online.has(routerId),
  });

  const { goOnline, goOffline, restate, ...reports } = createChangeQueue(clock, writer, contacts, node);

  /** A newer socket of the same router counts, unless it is one of this process. */
  const leave = (connections: readonly ReplacedConnection[], isOlder: (own: number, epoch: number) => boolean) => {
    const lost = connections.filter(({ routerId, epoch }) => {
      const own = online.get(routerId);
      return own !== undefined && isOlder(own.epoch, epoch);
    });
    moves.left += lost.length;
    for (const { routerId } of lost) online.delete(routerId);
    if (lost.length > 0) announceReplaced(lost.map(({ routerId }) => routerId));
  };

  const comparison = createComparison(
    { database, clock, log, node, graceMs, compare: compareChanged },
    { online, writer, goOffline, leave, restate, hadStorm: (now, within) => storm.wasWithin(now, within) },
  );

  // This node is another one now, or another node has ended.
  node.onChange(comparison.runWhenStarted);

  const wasSubscribed = collectCalls({
    most: 1_000,
    async run(routerIds: readonly string[]) {
      const subscribed = await findSubscribed(database.read, routerIds);
      return routerIds.map((id) => subscribed.has(id));
    },
  });

  return {
    async start() {
      await ensureTimePartitions(database, clock.now());
      comparison.start();
    },
    connected(routerId, epoch, reason = 'connected', isQuiet = false) {
      // The order of the sockets of one process is known: the later one counts, even if it was admitted earlier.
      const connection = { since: clock.now(), epoch: Math.max(epoch, online.get(routerId)?.epoch ?? 0) };
      if (!online.has(routerId)) storm.connected(connection.since.getTime(), online.size + 1);
      online.set(routerId, connection);
      goOnline(routerId, connection, reason, isQuiet);
    },
    disconnected(routerId, reason, lastSeenAt) {
      const connection = online.get(routerId);
      if (connection === undefined) return;
      online.delete(routerId);
      goOffline(routerId, connection.epoch, reason, contacts.record(routerId, lastSeenAt));
    },
    sentElsewhere(routerId, lastSeenAt) {
      const connection = online.get(routerId);
      contacts.record(routerId, lastSeenAt);
      const look = () => {
        // Connected again here, or to another process.
        if (online.get(routerId) !== connection || connection === undefined || isStopping) return;
        online.delete(routerId);
        goOffline(routerId, connection.epoch, 'connection-lost', contacts.record(routerId, lastSeenAt));
      };
      setTimeout(look, graceMs).unref();
    },
    ...reports,
    recordContact: (routerId, at, rssi) => void contacts.record(routerId, at, rssi),
    contacts,
    wasSubscribed,
    onGone: (listener) => void (announceGone = listener),
    onReplaced: (listener) => void (announceReplaced = listener),
    onTaken: (listener) => void (announceTaken = listener),
    left: (connections) => leave(connections, (own, epoch) => own < epoch),
    outdate: (routerIds, before) => database.write((tx) => outdateSockets(tx, node.id, routerIds, before)),
    comparison: comparison.job,
    async flush() {
      await writer.flush();
      await contacts.flush();
    },
    async stop(timeoutMs = 10_000) {
      isStopping = true;
      comparison.abort();
      await writer.close(timeoutMs);
      await comparison.whenEnded();
      await contacts.close();
    },
    stats: () => ({ connected: online.size, waiting: writer.waiting, ...moves }),
  };
}
