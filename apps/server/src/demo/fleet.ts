import { spawn, type ChildProcess } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../platform/ports/log.ts';
import { carriers, demoStock, type Carrier } from './demo-vehicles.ts';
import { demoNetworks, demoOrganizations, demoOutage, demoParked, demoWithoutFix } from './fleet-data.ts';
import { demoNumbers } from './numbers.ts';
import { demoSecret } from './seed.ts';

const routerProgram = fileURLToPath(new URL('../../../router/src/cli.ts', import.meta.url));
/** The routers of these vehicles are separate processes, like real ones; one process simulates the rest. */
const OWN_PROCESS = ['Bus 2104', 'Medic 3'];
const RESTART_MS = 2_000;

export interface RunningFleet {
  stop(): Promise<void>;
}

export interface FleetOptions {
  /**
   * Write how to start the routers to `programs.json` in the fleet's folder, and leave starting them to another process (`npm run
   * dev`).
   */
  readonly separate?: boolean;
  /** How many times as fast as usual a carrier is away; default 1. */
  readonly pace?: number;
}

interface FleetEntry {
  readonly serial: string;
  readonly vehicle?: string;
  readonly secret: string;
  readonly [field: string]: unknown;
}

/** Every router of the demo for a fleet file. */
function entries(masterKey: KeyObject, pace: number): FleetEntry[] {
  const driving = demoOrganizations
    .flatMap(({ vehicles }) => vehicles)
    .map(({ firmware, vehicle, config, route, flaky, ...router }, index) => ({
      ...entryOf(masterKey, router, index),
      ...outagesOf(router.carrier, pace),
      ...networksOf(vehicle, pace),
      ...(vehicle === demoWithoutFix ? { gnssOff: true } : {}),
      ...(vehicle === demoParked.vehicle ? { parking: paced(demoParked, pace) } : {}),
      firmware,
      vehicle,
      route,
      // Often enough that a vehicle on the map moves.
      fixSeconds: 5,
      ...(config === '' ? {} : { config }),
      ...(flaky === undefined ? {} : { flaky }),
    }));
  const inStock = demoStock.map((router, index) => ({
    ...entryOf(masterKey, router, driving.length + index),
    firmware: '2.8.1',
  }));
  return [...driving, ...inStock];
}

/** A bus without Wi-Fi, and vehicles with a satellite terminal, one of which loses it now and then. */
function networksOf(vehicle: string, pace: number): object {
  if (vehicle === demoNetworks.withoutWifi) return { radiosOff: true };
  if (!demoNetworks.withSatellite.includes(vehicle)) return {};
  if (vehicle !== demoNetworks.failsOver) return { wan: 'satellite' };
  return { wan: 'satellite', wanOutages: paced(demoNetworks, pace) };
}

/** When something is away, at the pace of the demo. */
function paced(
  { firstSeconds, everySeconds, seconds }: typeof demoOutage | typeof demoNetworks | typeof demoParked,
  pace: number,
) {
  return { firstSeconds: firstSeconds / pace, everySeconds: everySeconds / pace, seconds: seconds / pace };
}

function outagesOf(ofRouter: Carrier, pace: number): { readonly outages?: object } {
  return ofRouter === demoOutage.carrier ? { outages: paced(demoOutage, pace) } : {};
}

function entryOf(masterKey: KeyObject, router: { serial: string; mac: string; model: string; carrier: Carrier }, index: number) {
  const { serial, mac, model, carrier } = router;
  return { serial, mac, model, carrier, secret: demoSecret(masterKey, serial), ...demoNumbers(carriers[carrier], index) };
}

/** Start the demo's routers over the real protocol, on loopback; they end with this process, however it ends. */
export async function startDemoFleet(
  { dataDir, masterKey, publicPem }: { readonly dataDir: string; readonly masterKey: KeyObject; readonly publicPem: string },
  port: number,
  log: Log,
  { separate = false, pace = 1 }: FleetOptions = {},
): Promise<RunningFleet> {
  const folder = join(dataDir, 'demo-routers');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = join(folder, 'firmware-keys.pem');
  await writeFile(keys, publicPem);
  const common = ['--trusted-keys', keys];
  const all = entries(masterKey, pace);
  const alone = all.filter(({ vehicle }) => OWN_PROCESS.includes(vehicle ?? ''));
  const together = all.filter((entry) => !alone.includes(entry));
  const processes = [
    await programOf(folder, 'fleet', together, [...common, '--ramp-ms', '1500'], port),
    ...(await Promise.all(alone.map((entry) => programOf(folder, entry.serial, [entry], common, port)))),
  ];
  if (separate) {
    await writeFile(join(folder, 'programs.json'), JSON.stringify(processes), { mode: 0o600 });
    return { stop: () => Promise.resolve() };
  }
  const keepers = processes.map((args) => keepRunning(args, log));
  return {
    async stop() {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
    },
  };
}

async function programOf(
  folder: string,
  name: string,
  routers: readonly FleetEntry[],
  more: readonly string[],
  port: number,
): Promise<string[]> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(routers), { mode: 0o600 });
  const stateDir = join(folder, name);
  return [
    routerProgram,
    'fleet',
    '--server',
    `ws://127.0.0.1:${port}`,
    '--file',
    file,
    '--state-dir',
    stateDir,
    '--exit-with-stdin',
    ...more,
  ];
}

/** A router that ends is restarted, like a real one. */
function keepRunning(args: readonly string[], log: Log): { stop(): Promise<void> } {
  let stopping = false;
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    // Its standard input is a pipe from this process: when this process ends, the pipe and the router end too.
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { stdio: ['pipe', 'ignore', 'inherit'] });
    child.on('error', (error) => log.warn({ err: error }, 'Failed to start a router process.'));
    child.on('exit', (code) => {
      if (stopping) return;
      log.warn({ code }, 'A router process ended and will be restarted.');
      timer = setTimeout(start, RESTART_MS);
    });
  };
  start();
  return {
    stop() {
      stopping = true;
      clearTimeout(timer);
      const running = child;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return Promise.resolve();
      return new Promise((resolve) => {
        running.once('exit', () => resolve());
        running.kill('SIGTERM');
      });
    },
  };
}
