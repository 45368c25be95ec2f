import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readIntervals } from '../compose/report-intervals.ts';
import { createRejections, createRouterCredentials } from '../domains/inventory/index.ts';
import { createRouterAlarms } from '../domains/notifications/index.ts';
import { createPositions, type Positions } from '../domains/positions/index.ts';
import {
  createPresence,
  createTables,
  createTelemetry,
  ingest,
  type PresenceService,
  type Telemetry,
} from '../domains/router-state/index.ts';
import { createUsage, type Usage } from '../domains/usage/index.ts';
import { attachGateway, type Gateway, type GatewaySettings } from '../transport/usp/index.ts';
import { createNode } from '../platform/nodes/index.ts';
import { systemClock } from '../platform/ports/clock.ts';
import type { Log } from '../platform/ports/log.ts';
import { TestAgent, type AgentOptions } from './agent.ts';
import { silentLog } from './log.ts';
import { freePort } from './process.ts';
import type { RouterDatabase, TestRouter } from './routers.ts';

export interface TestGateway {
  readonly gateway: Gateway;
  readonly presence: PresenceService;
  readonly telemetry: Telemetry;
  readonly positions: Positions;
  readonly usage: Usage;
  /** ws://host:port */
  readonly address: string;
  readonly port: number;
  /** An agent of a router of the inventory, not connected yet. */
  agent(router: TestRouter, options?: Partial<AgentOptions>): TestAgent;
  /** Wait until this many routers were reconciled. */
  reconciled(times?: number): Promise<void>;
  /** Stop gracefully. */
  stop(): Promise<void>;
  /** Stop like a killed process: nothing is sent or written any more. */
  kill(): Promise<void>;
}

/**
 * A limit that no well-behaved router of a test exceeds by chance: the process may stall for 2 s, which is the most that the
 * gateway's clock advances at once, and must read pending input before this time is over.
 */
export const BEYOND_STALLS_MS = 2_500;

/** How often, and for how long, a port is tried that is in use. */
const PORT_RETRY_MS = 50;
const PORT_WAIT_MS = 60_000;

/** A port that another test has chosen meanwhile is tried until that one is done. */
async function listen(server: Server, port: number): Promise<void> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (;;) {
    server.listen(port, '127.0.0.1');
    const fault = await once(server, 'listening').catch((error: NodeJS.ErrnoException) => error);
    if (!(fault instanceof Error)) return;
    if (fault.code !== 'EADDRINUSE' || Date.now() > deadline) throw fault;
    await pause(PORT_RETRY_MS);
  }
}

const CONTROLLER_ID = 'self::highline';

export type StartParameters = readonly [
  settings?: Partial<Omit<GatewaySettings, 'controllerId'>>,
  options?: { readonly graceMs?: number; readonly log?: Log; readonly port?: number; readonly nodeName?: string },
];

/** A gateway on a separate port, with real WebSockets and a real database. */
export async function startTestGateway(
  fleet: RouterDatabase,
  ...[settings = {}, options = {}]: StartParameters
): Promise<TestGateway> {
  const { database } = fleet;
  const log = options.log ?? silentLog;
  const clock = systemClock;
  const node = createNode({
    database,
    log: silentLog,
    shared: { bus: true, files: true },
    name: options.nodeName ?? 'gateway',
    host: 'test',
    version: 'test',
  });
  const presence = createPresence({ database, clock, log, node, graceMs: options.graceMs ?? 50_000, settings: { collectMs: 5 } });
  const telemetry = createTelemetry({ database, clock, log, retentionDays: 30, settings: { collectMs: 5 } });
  const positions = createPositions({ database, clock, log, retentionDays: 30, settings: { collectMs: 5 } });
  const tables = createTables({ database, clock, log });
  const usage = createUsage({ database, clock, log, retentionDays: 400, settings: { collectMs: 5 } });
  const server = createServer();
  await telemetry.start();
  await positions.start();
  await usage.start();
  await node.start();
  await presence.start();
  const reports = createRouterAlarms({ database, clock, log });
  const rejections = createRejections({ database, clock, log, collectMs: 5 });
  const credentials = createRouterCredentials(database);
  const reportSeconds = (ids: readonly string[]) => readIntervals(database.read, ids);
  const deps = {
    reportSeconds,
    credentials,
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
    controllerId: CONTROLLER_ID,
  };
  const gateway = attachGateway(server, { ...deps, settings: { goodbyeMs: 50, ...settings } });
  const port = options.port ?? (await freePort());
  await listen(server, port);
  const address = `ws://127.0.0.1:${port}`;
  const agents = new Set<TestAgent>();
  const endAgents = () => {
    for (const agent of agents) agent.cut();
  };
  const closeServer = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    gateway,
    presence,
    telemetry,
    positions,
    usage,
    address,
    port,
    agent(router, more = {}) {
      const { secret, endpointId } = router;
      const agent = new TestAgent({ server: address, secret, endpointId, controllerId: CONTROLLER_ID, ...more });
      agents.add(agent);
      return agent;
    },
    async reconciled(times = 1) {
      while (gateway.stats().reconciles.done < times) await pause(5);
    },
    async stop() {
      await gateway.drain();
      await Promise.all([presence.stop(), telemetry.stop(), positions.stop(), usage.stop(), reports.stop(), rejections.stop()]);
      endAgents();
      await closeServer();
    },
    async kill() {
      const closed = closeServer();
      await Promise.all([presence.stop(0), telemetry.stop(0), positions.stop(0), usage.stop(0), reports.stop()]);
      endAgents();
      await gateway.drain();
      await closed;
    },
  };
}
