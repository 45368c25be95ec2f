import type { Logger } from 'pino';
import { settleLogRetention } from './adapters/audit/retention.ts';
import { checkKeys } from './adapters/installation/keys.ts';
import { openDatabase } from './adapters/postgres/connect.ts';
import { composeServer, type HighlineServer } from './compose.ts';
import { prepareDemo } from './demo/prepare.ts';
import { createLastNet } from './last-net.ts';
import { createLog } from './log.ts';
import { systemClock } from './ports/clock.ts';
import { readSettings, StartRefused, type Mode, type Settings } from './settings.ts';

/** How long calls and writes under way may take after a signal to stop. */
const PATIENCE_MS = 20_000;

const SAME_SIGNAL_MS = 1_000;

/**
 * `main.ts demo` (npm start) or `main.ts serve` (npm run serve).
 * `main.ts demo --separate-fleet` (npm run dev) leaves the routers to another process, so that they outlive a restart of this one.
 */
async function main(argument: string | undefined): Promise<void> {
  const mode = modeOf(argument);
  const settings = readSettings(mode, process.env);
  const log = createLog(settings.logLevel);
  const stops: (() => Promise<void>)[] = [];
  const start = startAll(settings, mode, log, stops);
  // What has been started by then is stopped, in its order; a start under way is waited for, as it could not be undone halfway.
  const stop = createStop(
    () =>
      start.then(
        () => stopAll(stops),
        () => undefined,
      ),
    log,
  );
  // Before anything runs: a signal that arrives during the start must not leave a database behind.
  stopOnSignal(stop, log);
  await start;
  const lastNet = createLastNet({ log, stop });
  process.off('uncaughtException', giveUp).off('unhandledRejection', giveUp);
  process.on('uncaughtException', lastNet).on('unhandledRejection', lastNet);
}

/** Start everything, and note in `stops` how each part is stopped. What was started is stopped again when a later part fails. */
async function startAll(settings: Settings, mode: Mode, log: Logger, stops: (() => Promise<void>)[]): Promise<void> {
  try {
    const database = await openDatabase(settings.database, log);
    stops.push(() => database.close());
    const demo = await prepareDemo(settings, database, systemClock);
    await checkKeys(database, settings);
    await settleLogRetention(database, settings.logRetentionDays);
    const server = await composeServer({
      settings: demo.settings,
      pool: database.pool,
      ready: database.ready,
      log,
      clock: systemClock,
    });
    stops.push(() => server.close());
    await server.listen();
    // A demo ends with its terminal; in production SIGHUP is the usual sign that certificates were renewed.
    if (mode === 'serve') process.on('SIGHUP', () => void server.reloadTls());
    const fleet = await demo.startFleet(server.port, log, { separate: process.argv.includes('--separate-fleet') });
    stops.push(() => fleet.stop());
    if (mode === 'demo') process.stderr.write(demo.welcome(server.port));
    else await printSetUpLink(server);
    log.info({ port: server.port, mode }, 'Highline is ready.');
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

/** Beside the log, not in it: the link is a secret until somebody used it. */
async function printSetUpLink(server: HighlineServer): Promise<void> {
  const link = await server.mintSetUpLink();
  if (link === undefined) return;
  process.stderr.write(`\nHighline has no account yet. Open this link once to set it up:\n\n  ${link}\n\n`);
}

function modeOf(argument: string | undefined): Mode {
  if (argument === 'demo' || argument === 'serve') return argument;
  throw new StartRefused('Say how to run: `demo` for the sample fleet on this machine, or `serve` for production.');
}

async function stopAll(stops: (() => Promise<void>)[]): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** Ends the process once, gracefully and in bounded time. */
type Stop = (exitCode: number) => void;

function createStop(stopEverything: () => Promise<void>, log: Logger): Stop {
  let isStopping = false;
  return (exitCode) => {
    if (isStopping) return;
    isStopping = true;
    // Should nothing keep the process alive any more before all has stopped.
    process.exitCode = exitCode;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    stopEverything().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.fatal({ err: error }, 'The server could not stop gracefully.');
        process.exit(1);
      },
    );
  };
}

function stopOnSignal(stop: Stop, log: Logger): void {
  let stoppingSince: number | undefined;
  const stopFor = (signal: string): void => {
    // A second signal means: now. Terminals and supervisors send the first one twice, to the group and to the process.
    if (stoppingSince !== undefined && performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
    if (stoppingSince !== undefined) process.exit(1);
    stoppingSince = performance.now();
    log.info({ signal }, 'Stopping: routers and consoles are told to come back, calls under way are finished.');
    stop(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopFor(signal));
}

/** A start that failed: say it plainly, and let the supervisor start a new process. */
function giveUp(error: unknown): never {
  const text =
    error instanceof StartRefused ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`\nhighline: ${text}\n`);
  process.exit(1);
}

process.on('uncaughtException', giveUp).on('unhandledRejection', giveUp);
try {
  await main(process.argv[2]);
} catch (error) {
  giveUp(error);
}
