import type { Log } from './ports/log.ts';

/**
 * Wrap a callback of a socket, timer, parser or stream. An error in it is logged and closes what the callback belongs to; it never
 * reaches the event loop, where it would end the process for every tenant. Promises that the callback returns are covered too.
 * @param close ends the connection, request or stream that the callback serves
 */
export function guard<A extends readonly unknown[]>(
  log: Pick<Log, 'error'>,
  close: () => unknown,
  handle: (...args: A) => unknown,
): (...args: A) => void {
  const fail = (error: unknown): void => {
    log.error({ err: error }, 'A callback failed; what it belongs to is closed.');
    try {
      close();
    } catch (closing) {
      log.error({ err: closing }, 'What a failed callback belongs to could not be closed.');
    }
  };
  return (...args) => {
    try {
      const result = handle(...args);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
