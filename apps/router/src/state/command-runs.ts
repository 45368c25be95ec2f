import { type OperationOutcome, UspError } from '@highline/usp';
import type { Log } from '../log.ts';
import type { RouterView } from '../model/definition.ts';
import { type RowStore, beginTransaction } from '../model/transaction.ts';
import { REQUESTS } from '../model/objects/local-agent.ts';
import type { RunningCommands } from '../model/operate.ts';

/** The end of an asynchronous command. */
export type EndedCommand = { objPath: string; name: string; commandKey: string; outcome: OperationOutcome };

/**
 * Asynchronous commands, each a stored Request object (TR-181 Device.LocalAgent.Request.{i}). An intervening restart is reported
 * as their failure: a controller that waits for OperationComplete always gets an end.
 */
export class CommandRuns implements RunningCommands {
  readonly #router: RouterView;
  readonly #rowStore: RowStore;
  readonly #ended: (command: EndedCommand) => void;
  readonly #log: Log;
  #stopped = false;
  /** Requests left by an earlier start. */
  readonly #interrupted: ReadonlySet<string>;

  constructor(router: RouterView, rowStore: RowStore, ended: (command: EndedCommand) => void, log: Log) {
    this.#router = router;
    this.#rowStore = rowStore;
    this.#ended = ended;
    this.#log = log;
    // An update continues and reports its own end; so does an eSIM job.
    const goOn = new Set([router.updates().job?.requestPath, router.esims().job?.requestPath]);
    this.#interrupted = new Set(Object.keys(rowStore.rows()).filter((path) => path.startsWith(REQUESTS) && !goOn.has(path)));
  }

  begin({ objPath, name, commandKey }: { objPath: string; name: string; commandKey: string }): string {
    const transaction = beginTransaction(this.#router, this.#rowStore);
    const path = `${REQUESTS}${transaction.allocateInstance(REQUESTS)}.`;
    transaction.write(path, {
      Originator: this.#router.controllerId,
      Command: objPath + name,
      CommandKey: commandKey,
      Status: 'Active',
    });
    transaction.save();
    return path;
  }

  end(path: string, outcome: OperationOutcome): void {
    const row = this.#rowStore.rows()[path];
    // A factory reset deletes running commands; nothing ends after a power cut.
    if (!row || this.#stopped) return;
    this.#discard(path);
    const command = row['Command'] ?? '';
    const at = command.lastIndexOf('.') + 1;
    this.#ended({ objPath: command.slice(0, at), name: command.slice(at), commandKey: row['CommandKey'] ?? '', outcome });
  }

  /** The router is off: no more ends. */
  stop(): void {
    this.#stopped = true;
  }

  /** Report the end of commands that a restart interrupted. */
  reportInterrupted(): void {
    for (const path of this.#interrupted) {
      this.end(path, { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: 'interrupted by a restart of the router' });
    }
  }

  #discard(path: string): void {
    const transaction = beginTransaction(this.#router, this.#rowStore);
    transaction.remove(path);
    try {
      transaction.save();
    } catch (error) {
      // The end is reported anyway; the remaining row is reported again, as interrupted, after the next start.
      this.#log('error', 'state.not-written', { reason: String(error) });
    }
  }
}
