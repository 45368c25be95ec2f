import type { PresenceReason } from '@highline/contract';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Contact, Contacts } from '../../../platform/ports/contacts.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { ensureTimePartitions } from '../telemetry/telemetry.partitions.ts';
import type { ConnectivityKind, ReportedPatch } from './presence.changes.ts';
import { ContactBook } from './presence.contacts.ts';
import { clearOnline, pageNotOffline, wasSubscribed } from './presence.store.ts';
import { PresenceWriter, presenceWriterDefaults, type PresenceWriterSettings } from './presence.writer.ts';

export interface PresenceDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** How long routers may take to reconnect after a start before they count as offline; the keep-alive window. */
  readonly graceMs?: number;
  readonly settings?: Partial<PresenceWriterSettings>;
}

export interface PresenceStats {
  readonly connected: number;
  /** Routers with uncommitted changes. */
  readonly waiting: number;
}

/** The connection state of routers. The sockets are authoritative; the database is corrected to match them. */
export interface PresenceService {
  /**
   * Call it before the first router is accepted. Continues in the background: routers that were online become unknown until they
   * connect.
   */
  start(): Promise<void>;
  connected(routerId: string, reason?: 'connected' | 'replaced' | 'cloned'): void;
  /** @param lastSeenAt its last contact */
  disconnected(routerId: string, reason: PresenceReason, lastSeenAt: Date): void;
  /** Add a line to the router's history. Resolves when it is committed. */
  happened(routerId: string, kind: ConnectivityKind, reason: string): Promise<void>;
  /** A router reported values. Resolves when they are committed. @param clockSkewMs how far its clock is ahead of ours */
  recordReport(routerId: string, reported: ReportedPatch, clockSkewMs?: number): Promise<void>;
  /** A sign of life. Stays in memory and is written every few minutes; a crash loses the unwritten ones. @param rssi dBm */
  recordContact(routerId: string, at: Date, rssi?: number): void;
  /** The last contact of routers that are connected here. */
  readonly contacts: Contacts;
  /** Whether the router had our subscriptions at its last set-up. */
  wasSubscribed(routerId: string): Promise<boolean>;
  /** Listen for routers that were removed from the inventory. */
  onGone(listener: (routerIds: readonly string[]) => void): void;
  /** Compare the database with the sockets and correct it, so that no error persists. */
  readonly comparison: Job;
  flush(): Promise<void>;
  stop(timeoutMs?: number): Promise<void>;
  stats(): PresenceStats;
}

const COMPARE_EVERY_MS = 30_000;
/** Routers per page of a comparison, and per transaction of a start. */
const PAGE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Tracks which routers are connected here. @param graceMs time after a start before routers without a connection count as offline
 */
export function createPresence({ database, clock, log, graceMs = 50_000, settings }: PresenceDeps): PresenceService {
  /** Connected routers, with the time they connected. */
  const online = new Map<string, Date>();
  let announceGone: (routerIds: readonly string[]) => void = () => {};
  let graceEnds = Number.POSITIVE_INFINITY;
  let graceTimer: NodeJS.Timeout | undefined;
  /** Whether online states of the previous process are cleared; nothing to do before a start. */
  let isDropped = true;
  /** Whether a comparison covered all routers since the grace period ended. */
  let isFirstCheckDone = false;
  const stopping = new AbortController();
  const writer = new PresenceWriter({
    database,
    log,
    settings: { ...presenceWriterDefaults, ...settings },
    repair: () => ensureTimePartitions(database, clock.now()),
    gone: (routerIds) => announceGone(routerIds),
  });

  const contacts = new ContactBook({
    database,
    log,
    flushMs: settings?.contactFlushMs ?? presenceWriterDefaults.contactFlushMs,
    batchRouters: settings?.batchRouters ?? presenceWriterDefaults.batchRouters,
    isConnected: (routerId) => online.has(routerId),
  });

  /** The waiter of a change that includes this contact. A contact whose change fails is written by the next flush. */
  const savedWith = (routerId: string, contact: Contact) => ({
    resolve: () => contacts.saved(routerId, contact),
    reject: () => {},
  });

  const goOnline = (routerId: string, since: Date, reason: PresenceReason) => {
    const contact = contacts.record(routerId, clock.now());
    const state = { presence: 'online', since, reason, contact } as const;
    const event = { routerId, at: since, kind: reason === 'cloned' ? 'cloned' : 'online', reason } as const;
    writer.add({ routerId, state, events: [event], waiters: [savedWith(routerId, contact)] });
  };

  const goOffline = (routerId: string, reason: PresenceReason, contact: Contact | null) => {
    const now = clock.now();
    const state = { presence: 'offline', since: now, reason, contact } as const;
    const event = { routerId, at: now, kind: 'offline', reason } as const;
    writer.add({ routerId, state, events: [event], waiters: contact === null ? [] : [savedWith(routerId, contact)] });
  };

  /** Set online states of the previous process to unknown, batch by batch, until the grace period is over. */
  const dropFormer = async () => {
    let after: string | undefined = FIRST_ID;
    const isConnected = (routerId: string) => online.has(routerId);
    while (after !== undefined && !stopping.signal.aborted && clock.now().getTime() < graceEnds) {
      const from: string = after;
      after = await database.write((tx) => clearOnline(tx, from, PAGE, { now: clock.now(), isConnected }));
    }
    isDropped = true;
  };

  /** @returns ids of routers that are connected, although the database says otherwise */
  const comparePages = async (isMoving: (routerId: string) => boolean): Promise<readonly string[]> => {
    const isGraceOver = clock.now().getTime() >= graceEnds;
    const missing = new Set(online.keys());
    let after = FIRST_ID;
    for (let isLast = false; !isLast && !stopping.signal.aborted;) {
      const page = await pageNotOffline(database.read, after, PAGE);
      for (const { id, presence } of page) {
        if (presence === 'online') missing.delete(id);
        if (online.has(id) || isMoving(id)) continue;
        if (isGraceOver && (presence === 'unknown' || !isFirstCheckDone)) goOffline(id, 'not-seen-since-restart', null);
        else if (presence === 'online') goOffline(id, 'connection-lost', null);
      }
      isLast = page.length < PAGE;
      after = page.at(-1)?.id ?? after;
      // Limits the pending writes to one page.
      if (writer.waiting >= PAGE) await writer.flush();
    }
    if (isGraceOver && !stopping.signal.aborted) isFirstCheckDone = true;
    return [...missing].filter((id) => online.has(id) && !isMoving(id));
  };

  const compareOnce = async () => {
    if (!isDropped) await dropFormer();
    for (const id of await writer.observe(comparePages)) goOnline(id, online.get(id)!, 'connected');
  };

  let comparing: Promise<void> | undefined;
  const compare = () => {
    comparing ??= compareOnce().finally(() => (comparing = undefined));
    return comparing;
  };

  const compareNow = async () => {
    try {
      await comparing;
      await compare();
    } catch (error) {
      log.warn({ err: error }, 'Failed to compare router connections with the database; the comparison job will retry.');
    }
  };

  const kept = (routerId: string, part: { reported?: ReportedPatch; clockSkewMs?: number | undefined; events: [] }) =>
    new Promise<void>((resolve, reject) => writer.add({ routerId, ...part, waiters: [{ resolve, reject }] }));

  return {
    async start() {
      await ensureTimePartitions(database, clock.now());
      graceEnds = clock.now().getTime() + graceMs;
      graceTimer = setTimeout(() => {
        // A timer may fire a millisecond early by the clock.
        graceEnds = Math.min(graceEnds, clock.now().getTime());
        void compareNow();
      }, graceMs);
      isDropped = false;
      void compareNow();
    },
    connected(routerId, reason = 'connected') {
      const since = clock.now();
      online.set(routerId, since);
      goOnline(routerId, since, reason);
    },
    disconnected(routerId, reason, lastSeenAt) {
      online.delete(routerId);
      goOffline(routerId, reason, contacts.record(routerId, lastSeenAt));
    },
    happened(routerId, kind, reason) {
      const event = { routerId, at: clock.now(), kind, reason };
      return new Promise((resolve, reject) => {
        writer.add({ routerId, events: [event], waiters: [{ resolve, reject }] });
      });
    },
    recordReport(routerId, { rssi, ...reported }, clockSkewMs) {
      if (rssi !== undefined) contacts.record(routerId, clock.now(), rssi);
      return kept(routerId, { reported, clockSkewMs, events: [] });
    },
    recordContact: (routerId, at, rssi) => void contacts.record(routerId, at, rssi),
    contacts,
    wasSubscribed: (routerId) => wasSubscribed(database.read, routerId),
    onGone(listener) {
      announceGone = listener;
    },
    comparison: { name: 'presence.comparison', everyMs: COMPARE_EVERY_MS, run: compare },
    async flush() {
      await writer.flush();
      await contacts.flush();
    },
    async stop(timeoutMs = 10_000) {
      stopping.abort();
      clearTimeout(graceTimer);
      await writer.close(timeoutMs);
      await comparing?.catch(() => {});
      await contacts.close();
    },
    stats: () => ({ connected: online.size, waiting: writer.waiting }),
  };
}
