import type { PresenceReason } from '@highline/contract';
import type { Job } from '../../jobs/runner.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';
import { ensureTimePartitions } from '../telemetry/index.ts';
import type { ConnectivityKind, ReportedPatch } from './presence.changes.ts';
import { forgetOnline, listNotOffline } from './presence.store.ts';
import { PresenceWriter, writerDefaults, type WriterSettings } from './presence.writer.ts';

export interface PresenceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** How long after a start routers may take to come back before they count as offline; the keep-alive window. */
  readonly graceMs?: number;
  readonly settings?: Partial<WriterSettings>;
}

export interface PresenceStats {
  readonly connected: number;
  /** Routers with something that is not committed yet. */
  readonly waiting: number;
}

/** Who is connected since when, and why not. The sockets are the truth; the database is brought to agree with them. */
export interface Presence {
  /** Before the first router is admitted: who stood as online is unknown now. */
  start(): Promise<void>;
  connected(routerId: string, reason?: 'connected' | 'replaced' | 'cloned'): void;
  /** @param lastSeenAt when it was last heard */
  disconnected(routerId: string, reason: PresenceReason, lastSeenAt: Date): void;
  /** A line for the router's history. Resolves when it is committed. */
  happened(routerId: string, kind: ConnectivityKind, reason: string): Promise<void>;
  /** What a router told of itself. Resolves when it is committed. @param clockSkewMs how far its clock is ahead of ours */
  told(routerId: string, reported: ReportedPatch, clockSkewMs?: number): Promise<void>;
  /** It lives. Written now and then, and lost at a crash: cheap. @param rssi dBm */
  heard(routerId: string, at: Date, rssi?: number): void;
  /** Hear of routers that are in no inventory any more. */
  onGone(hear: (routerIds: readonly string[]) => void): void;
  /** Hold the database against the sockets and correct it: nothing that went wrong in between stays wrong. */
  readonly comparison: Job;
  flush(): Promise<void>;
  stop(patienceMs?: number): Promise<void>;
  stats(): PresenceStats;
}

const COMPARE_EVERY_MS = 30_000;
const FORGET_BATCH = 5_000;

/** Keeps who is connected here. @param graceMs silence after a start, before whoever did not come back counts as offline */
export function createPresence({ database, clock, log, graceMs = 50_000, settings }: PresenceDeps): Presence {
  /** Connected routers, with the moment they connected. */
  const online = new Map<string, Date>();
  let tellGone: (routerIds: readonly string[]) => void = () => {};
  let graceEnds = Number.POSITIVE_INFINITY;
  let graceTimer: NodeJS.Timeout | undefined;
  const writer = new PresenceWriter({
    database,
    log,
    settings: { ...writerDefaults, ...settings },
    repair: () => ensureTimePartitions(database, clock.now()),
    gone: (routerIds) => tellGone(routerIds),
  });

  const goOnline = (routerId: string, since: Date, reason: PresenceReason) => {
    const state = { presence: 'online', since, reason, lastSeenAt: clock.now() } as const;
    const event = { routerId, at: since, kind: reason === 'cloned' ? 'cloned' : 'online', reason } as const;
    writer.add({ routerId, state, events: [event], waiters: [] });
  };

  const goOffline = (routerId: string, reason: PresenceReason, lastSeenAt: Date | null) => {
    const now = clock.now();
    const state = { presence: 'offline', since: now, reason, lastSeenAt } as const;
    const event = { routerId, at: now, kind: 'offline', reason } as const;
    writer.add({ routerId, state, events: [event], waiters: [] });
  };

  const compare = async () => {
    const { result: rows, isMoving } = await writer.observe(() => listNotOffline(database.read));
    const isGraceOver = clock.now().getTime() >= graceEnds;
    const stands = new Map(rows.map(({ id, presence }) => [id, presence]));
    for (const [id, presence] of stands) {
      if (online.has(id) || isMoving(id)) continue;
      if (presence === 'online') goOffline(id, 'connection-lost', null);
      else if (isGraceOver) goOffline(id, 'not-heard-since-restart', null);
    }
    for (const [id, since] of online) if (stands.get(id) !== 'online' && !isMoving(id)) goOnline(id, since, 'connected');
  };

  const endGrace = async () => {
    try {
      await compare();
    } catch (error) {
      // The comparison job comes by again.
      log.warn({ err: error }, 'Routers that did not come back could not be looked up; it is tried again.');
    }
  };

  const kept = (routerId: string, part: { reported?: ReportedPatch; clockSkewMs?: number | undefined; events: [] }) =>
    new Promise<void>((resolve, reject) => writer.add({ routerId, ...part, waiters: [{ resolve, reject }] }));

  return {
    async start() {
      await ensureTimePartitions(database, clock.now());
      const now = clock.now();
      while ((await database.write((tx) => forgetOnline(tx, now, FORGET_BATCH))) === FORGET_BATCH);
      graceEnds = clock.now().getTime() + graceMs;
      graceTimer = setTimeout(() => void endGrace(), graceMs);
    },
    connected(routerId, reason = 'connected') {
      const since = clock.now();
      online.set(routerId, since);
      goOnline(routerId, since, reason);
    },
    disconnected(routerId, reason, lastSeenAt) {
      online.delete(routerId);
      goOffline(routerId, reason, lastSeenAt);
    },
    happened(routerId, kind, reason) {
      const event = { routerId, at: clock.now(), kind, reason };
      return new Promise((resolve, reject) => {
        writer.add({ routerId, events: [event], waiters: [{ resolve, reject }] });
      });
    },
    told: (routerId, reported, clockSkewMs) => kept(routerId, { reported, clockSkewMs, events: [] }),
    heard: (routerId, at, rssi) => writer.addHeard({ routerId, at, rssi }),
    onGone(hear) {
      tellGone = hear;
    },
    comparison: { name: 'presence.comparison', everyMs: COMPARE_EVERY_MS, run: compare },
    flush: () => writer.flush(),
    async stop(patienceMs = 10_000) {
      clearTimeout(graceTimer);
      await writer.close(patienceMs);
    },
    stats: () => ({ connected: online.size, waiting: writer.waiting }),
  };
}
