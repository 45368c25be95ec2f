/** Faults logged while the server stops; a fault that repeats with every callback must not fill the log. */
const MOST_LOGGED = 10;

export interface LastNetDeps {
  readonly log: { fatal(fields: object, sentence: string): void };
  /** End the process gracefully with this exit code. It bounds its own duration, and further calls change nothing. */
  readonly stop: (exitCode: number) => void;
}

/**
 * The last net under the process: an error that no boundary caught is logged with its stack, and the process ends gracefully with
 * exit code 1, so that a supervisor starts a new one. What the failed code left behind is unknown, so going on is no choice.
 * @returns the handler, for `uncaughtException` and `unhandledRejection`
 */
export function createLastNet({ log, stop }: LastNetDeps): (error: unknown) => void {
  let faults = 0;
  return (error) => {
    faults += 1;
    if (faults <= MOST_LOGGED)
      log.fatal({ err: error }, 'An error was not caught anywhere. The server stops; start it again and report this entry.');
    stop(1);
  };
}
