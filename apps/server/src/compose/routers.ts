import type { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { compareCrossings, comparePositions, comparePresence, createReadingAlerts } from '../domains/alerts/index.ts';
import { markLatePositions, markLateReports } from '../domains/coverage/index.ts';
import { createGeofenceEvaluation } from '../domains/geofences/index.ts';
import { createRejections, createRouterCredentials, endpointIdsOf, fingerprintOf } from '../domains/inventory/index.ts';
import { createRouterAlarms } from '../domains/notifications/index.ts';
import { createPositions } from '../domains/positions/index.ts';
import { createPresence, createTables, createTelemetry, ingest } from '../domains/router-state/index.ts';
import { createUsage } from '../domains/usage/index.ts';
import { attachGateway, createCertificateReader } from '../transport/usp/index.ts';
import { createAddressReader } from '../transport/http/address.ts';
import { createNode, readNodeName } from '../platform/nodes/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { attachTunnels } from '../transport/tunnels/index.ts';
import { build } from '../platform/process/version.ts';
import { createRouterBalance } from './balance.ts';
import type { ComposeOptions } from './options.ts';
import { readIntervals } from './report-intervals.ts';
import { openTelemetrySink } from './telemetry-sink.ts';

/** Pings are frequent enough that two may be lost within the keep-alive window. */
const PING_SHARE = 0.4;

/**
 * The endpoints that routers connect to, USP and tunnels, and what they report through them.
 * @param origin address that routers reach us at
 * @param clientCas the operator's own authorities for client certificates
 */
export function openRouterEndpoints(
  app: FastifyInstance,
  { settings, installation, bus, clock, log, gateway: timings, lease = {}, ...options }: ComposeOptions,
  database: Database,
  origin: () => string,
  clientCas: () => readonly X509Certificate[],
) {
  const silenceMs = settings.routerOfflineSeconds * 1000;
  const name = readNodeName(hostname(), settings.dataDir);
  const shared = { bus: bus.isShared, files: options.sharesFiles ?? settings.bucket !== undefined };
  const node = createNode({
    database,
    log,
    name,
    host: settings.nodeName,
    version: build,
    shared,
    routers: () => gateway.stats().connected,
    timeouts: lease,
  });
  const presence = createPresence({
    database,
    clock,
    log,
    node,
    graceMs: silenceMs,
    compare: (tx, deviceIds) => comparePresence(tx, deviceIds, clock.now()),
  });
  const hasSink = settings.telemetrySink !== undefined;
  const lookAt = createReadingAlerts({ clock });
  const telemetry = createTelemetry({
    database,
    clock,
    log,
    retentionDays: settings.telemetryDays,
    hasSink,
    lookAt: async (client, stored) => {
      await markLateReports(client, stored);
      return lookAt(client, stored);
    },
  });
  const tables = createTables({ database, clock, log });
  const usage = createUsage({ database, clock, log, retentionDays: settings.usageDays });
  const positions = createPositions({
    database,
    clock,
    log,
    retentionDays: settings.positionDays,
    onStored: createGeofenceEvaluation((tx, deviceIds) => compareCrossings(tx, deviceIds, clock.now())),
    onWritten: markLatePositions,
    compare: (tx, routerIds) => comparePositions(tx, routerIds, clock.now()),
  });
  const telemetrySink = openTelemetrySink(settings, node.id, { database, log });
  const reports = createRouterAlarms({ database, clock, log });
  const rejections = createRejections({ database, clock, log });
  const addressOf = createAddressReader(settings.http.trustedProxies);
  const tunnels = attachTunnels(app.server, {
    ...settings.tunnels,
    hostKey: installation.hostKey,
    host: settings.http.host,
    origin: () => settings.tunnels.url ?? origin(),
    addressOf,
    log,
  });
  const gateway = attachGateway(app.server, {
    credentials: createRouterCredentials(database),
    presence,
    telemetry,
    tables,
    positions,
    usage,
    ingest,
    reports,
    rejections,
    clock,
    log,
    controllerId: settings.controllerId,
    addressOf,
    certificateOf: createCertificateReader(clientCas, { fingerprintOf, endpointIdsOf }),
    otherUpgrade: (request, socket, head) => tunnels.upgrade(request, socket, head),
    reportSeconds: (routerIds) => readIntervals(database.read, routerIds),
    settings: { silenceMs, pingMs: silenceMs * PING_SHARE, telemetrySeconds: settings.reportSeconds, ...timings },
  });
  const balance = createRouterBalance({ node, gateway, database, log, settings: options.balance ?? {} });
  /** Write what routers have reported, after the gateway was drained. */
  const stop = async () => {
    for (const part of [presence, node, telemetry, tables, positions, usage, reports, rejections]) await part.stop();
  };
  return { node, nodeName: name, presence, telemetry, positions, usage, telemetrySink, tunnels, gateway, balance, stop };
}
