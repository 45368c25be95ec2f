/** Faults logged while the server stops; a fault that repeats with every callback must not fill the log. */
const MOST_LOGGED = 10;

export interface LastNetDeps {
  readonly log: { fatal(fields: object, sentence: string): void };
  /** End the process gracefully with this exit code. Its duration is bounded, and further calls change nothing. */
  readonly stop: (exitCode: number) => void;
}

/**
 * Handler for errors that no other handler caught: log the error with its stack, and end the process gracefully with exit code 1,
 * so that a supervisor starts a new one. The failed code leaves an unknown state, so the process must not continue.
 * @returns the handler, for `uncaughtException` and `unhandledRejection`
 */
export function createLastNet({ log, stop }: LastNetDeps): (error: unknown) => void {
  let faults = 0;
  return (error) => {
    faults += 1;
    if (faults <= MOST_LOGGED)
      log.fatal({ err: error }, 'Uncaught error. The server stops; start it again and report this entry.');
    stop(1);
  };
}
