import { execFile } from 'node:child_process';
import type { Log } from '../ports/log.ts';

/** What a service reports to its manager: sd_notify(3). */
export interface ServiceManager {
  /**
   * The service is ready. From now on the watchdog is fed, as long as it works.
   * @param isWorking called before each time; the event loop is alive as well, or it would not be called
   */
  ready(isWorking: () => boolean): void;
  /** A stop has begun. */
  stopping(): void;
}

/** Of Debian's package systemd, and in every other distribution with it. */
const PROGRAM = 'systemd-notify';
const TIMEOUT_MS = 10_000;
/** Times within the limit of the watchdog, so that a late one does no harm. */
const TIMES = 3;

/**
 * The service manager that started this process; without NOTIFY_SOCKET there is none. Node has no datagram sockets of Unix, so the program of
 * systemd sends the messages: a few processes a minute instead of native code in this one. The unit needs `NotifyAccess=all` for that.
 * @param environment NOTIFY_SOCKET is removed from it: programs that this one starts must not speak for it
 */
export function openServiceManager(environment: NodeJS.ProcessEnv, log: Log): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid } = environment;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
  if (socket === undefined || socket === '') return { ready: () => {}, stopping: () => {} };
  let isSending = false;
  const send = (...messages: string[]): void => {
    if (isSending && messages.includes('WATCHDOG=1')) return;
    isSending = true;
    const options = { env: { ...environment, NOTIFY_SOCKET: socket }, timeout: TIMEOUT_MS };
    execFile(PROGRAM, messages, options, (error) => {
      isSending = false;
      if (error !== null) log.warn({ err: error, messages }, 'The message to systemd was not sent. Is systemd-notify installed?');
    });
  };
  const watchdogMs = pid === undefined || pid === String(process.pid) ? Number(microseconds ?? 0) / 1_000 : 0;
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready(isWorking) {
      send('READY=1', 'STATUS=Serving.');
      if (!(watchdogMs > 0)) return;
      watchdog = setInterval(() => {
        if (isWorking()) send('WATCHDOG=1');
        else log.error({}, 'This process is stuck: its checks have ended for too long. The watchdog of systemd will restart it.');
      }, watchdogMs / TIMES);
      watchdog.unref();
    },
    stopping() {
      clearInterval(watchdog);
      send('STOPPING=1', 'STATUS=Stopping.');
    },
  };
}
