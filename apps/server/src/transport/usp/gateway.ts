import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { PresenceReason } from '@highline/contract';
import type { Rejections, RouterCredentials } from '../../domains/inventory/index.ts';
import type { RouterAlarms } from '../../domains/notifications/index.ts';
import type { Positions } from '../../domains/positions/index.ts';
import type { Usage } from '../../domains/usage/index.ts';
import type { Ingest, PresenceService, TablesService, Telemetry } from '../../domains/router-state/index.ts';
import { workForRouters } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { DeviceLink, RouterListener } from '../../platform/ports/device-link.ts';
import { Admission, type AdmissionCounts } from './admission.ts';
import type { CertificateReader } from './client-certificates.ts';
import { createDeviceLink } from './device-link.ts';
import { Notifications, type NotificationCounts } from './notifications.ts';
import { ReconnectSettings } from './reconcile/reconnect.ts';
import { sendReadings } from './reconcile/readings.ts';
import { Reconciler, type ReconcilerCounts } from './reconcile/reconciler.ts';
import { readActiveFiles, readSims, readTable } from './reconcile/steps.ts';
import { SupportedModels } from './reconcile/supported-models.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import { ReportIntervals, type ReadReportSeconds } from './reconcile/report-intervals.ts';
import { Session, type SessionHost } from './session.ts';
import { Sessions } from './sessions.ts';
import { gatewayDefaults, type GatewaySettings } from './settings.ts';
import { acceptUpgrades } from './websocket/upgrade.ts';
import { TimerWheel } from './wheel.ts';

export interface GatewayDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly credentials: RouterCredentials;
  readonly presence: PresenceService;
  readonly telemetry: Telemetry;
  readonly tables: TablesService;
  readonly positions: Positions;
  readonly usage: Usage;
  readonly ingest: Ingest;
  readonly reports: RouterAlarms;
  /** How often routers report whose group says so. */
  readonly reportSeconds: ReadReportSeconds;
  readonly rejections: Rejections;
  /** Our endpoint id (setting CONTROLLER_ID). */
  readonly controllerId: string;
  /** Client address as seen through trusted proxies; the socket's own address when left out. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** The client certificate of the TLS handshake; undefined when a proxy terminates TLS. */
  readonly certificateOf?: CertificateReader;
  /** Sees every upgrade first; true = it handled the upgrade. */
  readonly otherUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  readonly settings?: Partial<Omit<GatewaySettings, 'controllerId'>>;
}

export interface GatewayStats {
  readonly connected: number;
  /** Routers that connect again and again. */
  readonly flapping: number;
  /** Connections that wait for their secret to be looked up. */
  readonly authenticating: number;
  readonly admission: Readonly<AdmissionCounts>;
  /** Routers that wait to be reconciled. */
  readonly reconciling: number;
  readonly reconciles: Readonly<ReconcilerCounts>;
  readonly notifications: Readonly<NotificationCounts>;
  /** Records that named another sender or another controller. */
  readonly misaddressed: number;
  /** How sessions ended, by reason. */
  readonly ended: Readonly<Partial<Record<PresenceReason, number>>>;
}

/** The USP controller endpoint that routers connect to (TR-369). */
export interface Gateway {
  readonly deviceLink: DeviceLink;
  stats(): GatewayStats;
  /** Routers that have been idle for so many milliseconds. */
  idle(most: number, forMs: number): readonly string[];
  /** Ask these routers to connect again, to another process. */
  sendElsewhere(routerIds: readonly string[]): void;
  /** Tells routers that should report at another interval by now. */
  readonly intervals: Job;
  /**
   * Accept no more routers, ask the connected ones to reconnect later, spread over some seconds, and cut those that stay.
   * Notifications are still answered until then. Stop presence and telemetry afterwards.
   */
  drain(): Promise<void>;
}

/** At a stop: time limit for notifications to become durable and be answered. */
const RESPONSE_TIMEOUT_MS = 3_000;

/** Put the gateway on a server: `GET /usp/<secret>?eid=…` becomes a router's connection. */
export function attachGateway(server: Server | SecureServer, deps: GatewayDeps): Gateway {
  const { credentials, presence, tables, telemetry, positions, usage, ingest, reports, rejections, clock, log, controllerId } =
    deps;
  // What keeps the values that routers report.
  const keepers = { presence, telemetry, positions, usage, ingest, reports, clock };
  const settings: GatewaySettings = { ...gatewayDefaults, ...deps.settings, controllerId };
  const wheel = new TimerWheel(Math.min(100, Math.ceil(settings.pingMs / 20)), log);
  const sessions = new Sessions({ presence, rejections, log, wheel, settings });
  const listeners: RouterListener[] = [];
  const all = everyone(listeners);
  const intervals = new ReportIntervals({ read: deps.reportSeconds, usual: settings.telemetrySeconds, log });
  const readDeps = { presence, tables, ingest, clock };
  const reconciler = new Reconciler({
    ...keepers,
    tables,
    rejections,
    log,
    wheel,
    models: new SupportedModels(),
    reconnect: new ReconnectSettings(),
    controllerId,
    intervals,
    heartbeatSeconds: settings.heartbeatSeconds,
    atOnce: settings.reconciles,
    slotMs: settings.reconcileSlotMs,
    refreshMs: settings.refreshMs,
    setUpRetryMs: settings.setUpRetryMs,
    ready: all.ready,
  });
  const notifications = new Notifications({
    ...keepers,
    log,
    inFlight: settings.notificationsInFlight,
    reportsInRow: settings.reportsInRow,
    bootsInRow: settings.bootsInRow,
    changesInRow: settings.changesInRow,
    current: (routerId) => sessions.find(routerId),
    booted: (session) => reconciler.enqueue(session),
    listener: all,
    changed: (session) => reconciler.changed(session),
    readTable: (session, name) => readTable(readDeps, session, name),
  });
  let misaddressed = 0;
  const host: SessionHost = {
    settings,
    wheel,
    opened(session) {
      sessions.opened(session);
      if (!session.isOpen) return;
      rejections.accepted(session.router);
      reconciler.enqueue(session);
    },
    notified: (session, msgId, notify, payload) => notifications.receive(session, msgId, notify, payload),
    received: (keys) => notifications.forget(keys),
    recordContact(session) {
      presence.recordContact(session.router.routerId, session.lastSeenAt, session.rssi);
      if (!session.isKept) rejections.kept(session.router.routerId);
      session.isKept = true;
      if (session.refreshAt !== undefined && wheel.now >= session.refreshAt) reconciler.enqueue(session);
    },
    ended: (session, reason) => sessions.ended(session, reason),
    survivedReplacement: (session) => sessions.survivedReplacement(session),
    dropped: () => void misaddressed++,
    rejected: ({ router, link }, reason, received) =>
      rejections.rejected(router.routerId, { reason, received, address: link.address }),
  };
  const admission = new Admission({ credentials, clock, log, settings });
  const upgrades = acceptUpgrades(server, {
    log,
    admission,
    settings,
    addressOf: deps.addressOf ?? ((request) => request.socket.remoteAddress ?? ''),
    certificateOf: deps.certificateOf ?? (() => undefined),
    otherUpgrade: deps.otherUpgrade ?? (() => false),
    rejected: (router, rejection) => rejections.rejected(router.routerId, rejection),
    connected: (router, link, lookedUpAt) => workForRouters(() => link.listen(new Session(host, router, link, lookedUpAt))),
  });
  presence.onGone((routerIds) => sessions.disconnect(routerIds, 'not in the inventory'));
  presence.onReplaced((routerIds) => sessions.replacedElsewhere(routerIds));

  return {
    deviceLink: createDeviceLink({
      sessions,
      async refresh(session, what) {
        if (what === 'updates') await readActiveFiles(readDeps, session);
        else if (what === 'sims') await readSims(readDeps, session);
        else if (await readTable(readDeps, session, what)) reconciler.changed(session);
      },
      sendReadings: (session, options) => sendReadings(keepers, session, options),
      listen: (listener) => void listeners.push(listener),
    }),
    stats: () => ({
      connected: sessions.size,
      flapping: sessions.flapping,
      authenticating: admission.waiting,
      admission: { ...admission.counts },
      reconciling: reconciler.waiting,
      reconciles: { ...reconciler.counts },
      notifications: { ...notifications.counts },
      misaddressed,
      ended: { ...sessions.endCounts },
    }),
    idle: (most, forMs) => sessions.idle(most, forMs),
    sendElsewhere: (routerIds) => sessions.sendElsewhere(routerIds),
    intervals: {
      name: 'report intervals',
      everyMs: settings.intervalsMs,
      async run() {
        for (const session of await intervals.outdated(sessions.all())) reconciler.enqueue(session);
      },
    },
    async drain() {
      upgrades.close();
      await admission.close();
      await Promise.race([notifications.idle(), pause(RESPONSE_TIMEOUT_MS)]);
      await sessions.sendAway();
      await pause(settings.goodbyeMs);
      upgrades.cutAll();
      wheel.stop();
    },
  };
}

/** Combine all listeners into one. A command end resolves when every listener has stored it. */
function everyone(listeners: readonly RouterListener[]): RouterListener {
  return {
    ready(routerId) {
      for (const listener of listeners) listener.ready(routerId);
    },
    async completed(routerId, commandKey, failure, outputs) {
      await Promise.all(listeners.map((listener) => listener.completed(routerId, commandKey, failure, outputs)));
    },
    async restarted(routerId, key) {
      await Promise.all(listeners.map(async (listener) => listener.restarted?.(routerId, key)));
    },
    async reset(routerId) {
      await Promise.all(listeners.map(async (listener) => listener.reset?.(routerId)));
    },
    changed(routerId, change) {
      for (const listener of listeners) listener.changed?.(routerId, change);
    },
    progressed(routerId, path, value) {
      for (const listener of listeners) listener.progressed(routerId, path, value);
    },
  };
}
