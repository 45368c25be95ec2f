import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent, type RouterHandle } from '@highline/router';
import { StrictAgent, type Traits } from '@highline/testkit/agent';
import type { ReadingKey } from '../domains/router-state/index.ts';

/** A router of the inventory, as an agent needs it. */
export interface AgentIdentity {
  readonly serial: string;
  readonly mac: string;
  readonly secret: string;
  readonly endpointId: string;
}

/** A running agent of either kind, and events of its router. */
export interface AgentUnderTest {
  /** Out of coverage: its connection stays open and silent. */
  loseCoverage(): void;
  regainCoverage(): void;
  /** Short power cut. */
  cutPower(): void;
  reboot(): void;
  /** The reset button. */
  resetToFactory(): void;
  stop(): Promise<void>;
}

/** Differences between the agents of a test. */
export interface AgentKind {
  readonly name: string;
  readonly model: string;
  /** Initial firmware version. */
  readonly firmware: string;
  /** Its measured parameters. */
  readonly measures: readonly ReadingKey[];
  /** @param server ws://host:port */
  start(server: string, router: AgentIdentity): AgentUnderTest;
}

const MODEL = 'HL-R320';
/** Longer than any test, so that coverage never returns by itself. */
const UNTIL_CALLED_OFF_MS = 3_600_000;

const ownAgent: AgentKind = {
  name: 'our own agent',
  model: MODEL,
  firmware: '2.1.0',
  measures: ['rssi', 'rsrp', 'rsrq', 'bytes_sent', 'bytes_received', 'temperature', 'voltage', 'battery', 'sinr'],
  start: (server, router) => startOwnAgent(server, router),
};

const strictAgent: AgentKind = {
  name: 'a strict agent',
  model: MODEL,
  firmware: '1.0.0',
  measures: ['rssi', 'rsrp', 'rsrq', 'bytes_sent', 'bytes_received', 'temperature'],
  start: (server, router) => startStrictAgent(server, router),
};

export function startOwnAgent(
  server: string,
  { serial, mac, secret }: AgentIdentity,
  more: { readonly wan?: 'satellite'; readonly forwardsOn?: string } = {},
  timing: { readonly callHomeMs?: number } = {},
): AgentUnderTest & { readonly router: RouterHandle } {
  const backoff = { minMs: 10, maxMs: 50, rejectedMs: 100, serverRestartMs: 100 };
  const router = startAgent({
    server,
    router: { serial, mac, secret, model: MODEL, firmware: '2.1.0', ...more },
    timing: { backoff, bootMs: 50, valueChangePollMs: 50, ...timing },
  });
  return {
    router,
    loseCoverage: () => router.lostCoverage(UNTIL_CALLED_OFF_MS),
    regainCoverage: () => router.lostCoverage(0),
    cutPower: () => router.powerCut(100),
    reboot: () => router.reboot(),
    resetToFactory: () => router.factoryReset(),
    stop: () => router.stop(),
  };
}

/** Our own agent in a vehicle with a second uplink. */
export function startAgentWithNetworks(server: string, router: AgentIdentity): ReturnType<typeof startOwnAgent> {
  return startOwnAgent(server, router, { wan: 'satellite' });
}

/** The agents for tests of whole flows: a fault that our own agent shares with the cloud shows with the other. */
export const agentKinds: readonly AgentKind[] = [ownAgent, strictAgent];

/** A strict agent with its own folder, which is removed when it stops. */
export interface RunningStrictAgent extends AgentUnderTest {
  readonly agent: StrictAgent;
}

export function startStrictAgent(
  server: string,
  { serial, secret, endpointId }: Pick<AgentIdentity, 'serial' | 'secret' | 'endpointId'>,
  traits: Partial<Traits> = {},
): RunningStrictAgent {
  const stateDir = mkdtempSync(join(tmpdir(), 'highline-strict-'));
  const timing = { bootMs: 10, reconnectMs: 20, notifyRetryMs: 200 };
  const agent = new StrictAgent({ server, serial, secret, endpointId, stateDir, model: MODEL, ...timing, ...traits });
  agent.powerOn();
  return {
    agent,
    loseCoverage: () => agent.loseCoverage(),
    regainCoverage: () => agent.regainCoverage(),
    cutPower() {
      agent.cutPower();
      agent.powerOn();
    },
    reboot: () => agent.reboot(),
    resetToFactory: () => agent.resetToFactory(),
    async stop() {
      agent.cutPower();
      // Let pending writes finish first.
      await new Promise((resolve) => setImmediate(resolve));
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
