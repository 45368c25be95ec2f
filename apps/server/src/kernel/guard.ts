/** The part of a log that a guard needs. */
interface FaultLog {
  error(fields: object, sentence: string): void;
}

/**
 * Wrap a callback of a socket, timer, parser or stream. An error in it is logged and closes the connection it serves; it never
 * reaches the event loop, where it would end the process for every tenant. Promises returned by the callback are covered too.
 * @param close ends the connection, request or stream that the callback serves; receives the arguments of the callback
 */
export function guard<Handle extends (...args: never[]) => unknown>(
  log: FaultLog,
  close: (...args: Parameters<Handle>) => unknown,
  handle: Handle,
): (...args: Parameters<Handle>) => void {
  return (...args) => {
    try {
      const result = handle(...args);
      if (result instanceof Promise) result.catch((error: unknown) => fail(log, () => close(...args), error));
    } catch (error) {
      fail(log, () => close(...args), error);
    }
  };
}

/** For what needs no handling. */
export function doNothing(): void {}

function fail(log: FaultLog, close: () => unknown, error: unknown): void {
  log.error({ err: error }, 'A callback failed; closing its connection.');
  try {
    close();
  } catch (closing) {
    log.error({ err: closing }, 'Failed to close the connection of a failed callback.');
  }
}
