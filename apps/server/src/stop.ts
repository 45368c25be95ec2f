import type { Logger } from 'pino';

/** Time limit for running calls and writes after a stop signal. */
const TIMEOUT_MS = 20_000;

const SAME_SIGNAL_MS = 1_000;

/** Ends the process once, gracefully and in bounded time. */
type Stop = (exitCode: number) => void;

export function createStop(stopEverything: () => Promise<void>, log: Logger): Stop {
  let isStopping = false;
  return (exitCode) => {
    if (isStopping) return;
    isStopping = true;
    // In case nothing keeps the process alive before everything has stopped.
    process.exitCode = exitCode;
    setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
    stopEverything().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.fatal({ err: error }, 'Graceful stop failed.');
        process.exit(1);
      },
    );
  };
}

export function stopOnSignal(stop: Stop, log: Logger): void {
  let stoppingSince: number | undefined;
  const stopFor = (signal: string): void => {
    // A second signal means: stop immediately. Terminals and supervisors send the first one twice, to the group and to the
    // process.
    if (stoppingSince !== undefined && performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
    if (stoppingSince !== undefined) process.exit(1);
    stoppingSince = performance.now();
    log.info({ signal }, 'Stopping: asking routers and consoles to reconnect, finishing running calls.');
    stop(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopFor(signal));
}
