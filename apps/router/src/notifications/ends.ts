import { type OperationOutcome, UspError } from '@highline/usp';
import type { Log } from '../log.ts';
import { formatTime } from '../model/params.ts';
import type { EsimEnd, JobEnd } from '../state/state.ts';
import type { Notifier } from './notifier.ts';

/** Executes commands that outlive power cuts, and keeps how they ended. */
type EndSource<End> = {
  /** Ends that the controller has not acknowledged yet. */
  readonly undelivered: readonly End[];
  /** Record the acknowledgement. @throws Error when that could not be written */
  delivered(commandKey: string): void;
};

export type StoredEndsOptions = {
  updates: EndSource<JobEnd>;
  /** Undefined on a router without an eUICC. */
  esims: EndSource<EsimEnd> | undefined;
  controllerId: string;
  log: Log;
  notifier: Pick<Notifier, 'notifyEnd' | 'raise'>;
};

/** Reports how stored commands ended until the controller acknowledges it, across restarts. */
export class StoredEnds {
  readonly #options: StoredEndsOptions;
  /** Ends being sent to the controller. */
  readonly #notifying = new Set<string>();

  constructor(options: StoredEndsOptions) {
    this.#options = options;
  }

  notify(): void {
    const { updates, esims, controllerId, notifier } = this.#options;
    this.#notifyAll('update', updates, (end, acknowledged) => {
      const sent = this.#notifyEnd(end, {}, acknowledged);
      const params = transferOf(end, controllerId);
      return sent + notifier.raise('Device.LocalAgent.', 'TransferComplete!', params, sent === 0 ? acknowledged : undefined);
    });
    if (esims !== undefined)
      this.#notifyAll('esim', esims, (end, acknowledged) => this.#notifyEnd(end, end.outputs, acknowledged));
  }

  #notifyAll<End extends { commandKey: string }>(
    kind: string,
    source: EndSource<End>,
    notify: (end: End, acknowledged: () => void) => number,
  ): void {
    for (const end of source.undelivered) {
      const key = `${kind} ${end.commandKey}`;
      if (this.#notifying.has(key)) continue;
      // Set before sending: without retry it counts as acknowledged at once, and must not be sent twice.
      this.#notifying.add(key);
      const sent = notify(end, () => this.#acknowledged(source, end.commandKey));
      // There may be no subscription to it yet.
      if (sent === 0) this.#notifying.delete(key);
    }
  }

  #notifyEnd(end: JobEnd | EsimEnd, outputs: Readonly<Record<string, string>>, acknowledged: () => void): number {
    const { objPath, command: name, commandKey } = end;
    return this.#options.notifier.notifyEnd(
      { objPath, name, commandKey, outcome: outcomeOf(end.failure, outputs) },
      acknowledged,
    );
  }

  #acknowledged(source: EndSource<unknown>, commandKey: string): void {
    try {
      source.delivered(commandKey);
    } catch (error) {
      // It is sent again after the next start.
      this.#options.log('error', 'state.not-written', { reason: String(error) });
    }
  }
}

/** The end of a stored command, as part of a response or a notification. */
export function outcomeOf(failure: string | null, outputs: Readonly<Record<string, string>> = {}): OperationOutcome {
  if (failure !== null) return { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: failure };
  return { type: 'req_output_args', outputArgs: new Map(Object.entries(outputs)) };
}

/** Arguments of TransferComplete! for an update (TR-181 Device.LocalAgent.TransferComplete!). */
function transferOf(end: JobEnd, requestor: string): Map<string, string> {
  const { objPath, command, commandKey, url, startedAt, endedAt, failure } = end;
  return new Map([
    ['Command', objPath + command],
    ['CommandKey', commandKey],
    ['Requestor', requestor],
    ['TransferType', 'Download'],
    ['Affected', objPath],
    ['TransferURL', url],
    ['StartTime', formatTime(startedAt)],
    ['CompleteTime', formatTime(endedAt)],
    ['FaultCode', failure === null ? '0' : String(UspError.commandFailure)],
    ['FaultString', failure ?? ''],
  ]);
}
