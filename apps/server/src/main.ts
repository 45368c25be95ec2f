import type { Logger } from 'pino';
import { openBus } from './compose/bus.ts';
import { composeServer, type HighlineServer } from './compose/compose.ts';
import { composeDirectory } from './compose/directory.ts';
import { openInstallation } from './compose/installation.ts';
import { prepareDemo } from './demo/prepare.ts';
import { applyLogRetention } from './platform/adapters/audit/retention.ts';
import { openDatabase, type OpenedDatabase } from './platform/adapters/postgres/connect.ts';
import { isDatabaseOutage } from './platform/adapters/postgres/faults.ts';
import { lockFolder, type FolderLock } from './platform/adapters/postgres/folder-lock.ts';
import { systemClock } from './platform/ports/clock.ts';
import { createLastNet } from './platform/process/last-net.ts';
import { createLog } from './platform/process/log.ts';
import { openServiceManager, type ServiceManager } from './platform/process/service-manager.ts';
import { createSlowLog } from './platform/process/slow-log.ts';
import { build } from './platform/process/version.ts';
import type { Mode } from './platform/settings/combinations.ts';
import { StartupError } from './platform/settings/settings-file.ts';
import { readSettings, type Settings } from './platform/settings/settings.ts';
import { createStop, stopOnSignal } from './stop.ts';

/** Checks follow each other within 30 s, also while the database does not answer. */
const STUCK_MS = 120_000;

/**
 * `main.ts demo` (npm start) or `main.ts serve` (npm run serve). `main.ts demo --separate-fleet` (npm run dev) runs the routers
 * in another process, so that they outlive a restart of this one. `main.ts demo --without-past` seeds no measurements of the days before, which
 * cost more than the rest of a first start; with `--demo-pace=10` what the demo shows in ten minutes takes one. Both are for tests.
 */
async function main(argument: string | undefined): Promise<void> {
  const mode = modeOf(argument);
  const settings = readSettings(mode, process.env);
  const log = createLog(settings.logLevel, undefined, {
    base: { node: settings.nodeName, version: build },
    isOutage: isDatabaseOutage,
  });
  const manager = openServiceManager(process.env, log);
  const stops: (() => Promise<void>)[] = [];
  const start = startAll({ settings, mode, log, manager }, stops);
  // Stop whatever has been started, in reverse order; wait for a start in progress, which cannot be undone halfway.
  const stop = createStop(() => {
    manager.stopping();
    return start.then(
      () => stopAll(stops),
      () => undefined,
    );
  }, log);
  // Before anything else: a signal during the start must not leave a database running.
  stopOnSignal(stop, log);
  await start;
  const lastNet = createLastNet({ log, stop });
  process.off('uncaughtException', giveUp).off('unhandledRejection', giveUp);
  process.on('uncaughtException', lastNet).on('unhandledRejection', lastNet);
}

interface Start {
  readonly settings: Settings;
  readonly mode: Mode;
  readonly log: Logger;
  readonly manager: ServiceManager;
}

/** Start everything, and record in `stops` how each part is stopped. If a later part fails, stop the earlier ones. */
async function startAll({ settings, mode, log, manager }: Start, stops: (() => Promise<void>)[]): Promise<void> {
  try {
    const lock = await lockDataFolder(settings);
    stops.push(async () => lock?.release());
    const reportReady = (isWorking: () => boolean) => {
      // The first to run at a stop: a process that is started already waits for the folder.
      stops.push(async () => lock?.sign('', true));
      manager.ready(isWorking);
    };
    const slow = createSlowLog(log, settings.slowMs);
    const database = await openDatabase(settings.database, log, slow);
    stops.push(() => database.close());
    if (settings.cells?.kind === 'directory') {
      await startDirectory({ ...settings, cells: settings.cells }, database, log, stops);
      reportReady(() => true);
      return;
    }
    const manner = { hasPast: !process.argv.includes('--without-past'), pace: paceOf(process.argv) };
    const demo = await prepareDemo(settings, database, systemClock, manner);
    const installation = await openInstallation({ database, settings, clock: systemClock, log });
    stops.push(async () => installation.close());
    const bus = await openBus(settings, installation.masterKeys, log);
    stops.push(() => bus.close());
    await applyLogRetention(database, settings.logRetentionDays);
    const server = await composeServer({
      settings: demo.settings,
      registerPages: demo.registerPages,
      installation,
      opened: database,
      bus,
      log,
      slow,
      clock: systemClock,
    });
    stops.push(() => server.close());
    const receiver = await demo.startReceiver(log);
    stops.push(() => receiver.stop());
    await server.listen();
    // A demo ends with its terminal; in production SIGHUP usually means that certificates were renewed.
    if (mode === 'serve') process.on('SIGHUP', () => void server.reloadTls());
    const fleet = await demo.startFleet(server.port, log, { separate: process.argv.includes('--separate-fleet') });
    stops.push(() => fleet.stop());
    if (mode === 'demo') process.stderr.write(demo.welcome(server.port));
    else await printSetUpLink(server);
    reportReady(() => server.sinceCheck() < STUCK_MS);
    log.info({ port: server.port, mode }, 'Highline is ready.');
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

/** With CELLS this process is the directory and nothing else. */
async function startDirectory(
  settings: Parameters<typeof composeDirectory>[0]['settings'],
  opened: OpenedDatabase,
  log: Logger,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const directory = await composeDirectory({ settings, opened, log });
  stops.push(() => directory.close());
  await directory.listen();
  process.on('SIGHUP', () => void directory.reloadTls());
  log.info({ port: directory.port, cells: [...settings.cells.cells.keys()] }, 'The directory of cells is ready.');
}

/** One process per data folder. The embedded database has a lock of its own. */
async function lockDataFolder({ database, dataDir }: Settings): Promise<FolderLock | undefined> {
  if (database.kind === 'embedded') return undefined;
  const lock = await lockFolder(dataDir);
  lock.sign('');
  return lock;
}

/** Printed, not logged: the link is a secret until it is used. */
async function printSetUpLink(server: HighlineServer): Promise<void> {
  const link = await server.mintSetUpLink();
  if (link === undefined) return;
  process.stderr.write(`\nHighline has no account yet. Open this link once to set it up:\n\n  ${link}\n\n`);
}

function modeOf(argument: string | undefined): Mode {
  if (argument === 'demo' || argument === 'serve') return argument;
  throw new StartupError('Choose a mode: `demo` for the sample fleet on this machine, or `serve` for production.');
}

/** How many times as fast as usual the demo passes. */
function paceOf(program: readonly string[]): number {
  const given = program.find((each) => each.startsWith('--demo-pace='))?.split('=')[1];
  const pace = Number(given ?? 1);
  if (pace >= 1 && pace <= 100) return pace;
  throw new StartupError('--demo-pace is a number from 1 to 100.');
}

async function stopAll(stops: (() => Promise<void>)[]): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** Report a failed start, and let the supervisor start a new process. */
function giveUp(error: unknown): never {
  const text =
    error instanceof StartupError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`\nhighline: ${text}\n`);
  process.exit(1);
}

process.on('uncaughtException', giveUp).on('unhandledRejection', giveUp);
try {
  await main(process.argv[2]);
} catch (error) {
  giveUp(error);
}
