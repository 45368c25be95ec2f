import { formatTime } from '../model/params.ts';
import type { JobEnd } from '../state/state.ts';

/** How a stored command ended, and whether the controller knows. */
type StoredEnd = { commandKey: string };

export type EndTellerOptions<End extends StoredEnd> = {
  /** Ends that the controller has not taken yet. */
  undelivered: () => readonly End[];
  /** Tells one to whoever subscribed; `taken` is to be called when the controller has it. @returns to how many */
  tell: (end: End, taken: () => void) => number;
  /** Notes that it was taken. @throws Error when that could not be written */
  delivered: (commandKey: string) => void;
  /** That could not be written: it is told once more after the next start. */
  notWritten: (error: unknown) => void;
};

/** Tells how stored commands ended until the controller has taken it, over any number of starts. */
export class EndTeller<End extends StoredEnd> {
  readonly #options: EndTellerOptions<End>;
  /** Command keys whose end is on its way to the controller. */
  readonly #telling = new Set<string>();

  constructor(options: EndTellerOptions<End>) {
    this.#options = options;
  }

  tell(): void {
    for (const end of this.#options.undelivered()) {
      const { commandKey } = end;
      if (this.#telling.has(commandKey)) continue;
      // Before it is told: without retry it is taken at once, and another look must not tell it twice.
      this.#telling.add(commandKey);
      const told = this.#options.tell(end, () => this.#taken(commandKey));
      // Whoever waits for it may not have subscribed yet.
      if (told === 0) this.#telling.delete(commandKey);
    }
  }

  #taken(commandKey: string): void {
    try {
      this.#options.delivered(commandKey);
    } catch (error) {
      this.#options.notWritten(error);
    }
  }
}

/** What TransferComplete! says of an update (TR-181 Device.LocalAgent.TransferComplete!). */
export function transferOf(end: JobEnd, requestor: string, faultCode: number): Map<string, string> {
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
    ['FaultCode', failure === null ? '0' : String(faultCode)],
    ['FaultString', failure ?? ''],
  ]);
}
