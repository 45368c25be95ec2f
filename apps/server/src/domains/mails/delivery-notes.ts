import { setTimeout as pause } from 'node:timers/promises';
import type { Sealing } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { MailTransport } from '../../platform/ports/mail.ts';
import { markSent, type LeasedMail, type MailOutcomes } from './mail-delivery.store.ts';

/** Mails that were accepted and are not marked yet; these would be sent again if the process died now. */
const MOST_UNNOTED = 20;

const LONGEST_MARK_WAIT_MS = 10_000;

export interface DeliveryDeps extends Pick<Deps, 'database' | 'log'> {
  readonly transport: MailTransport;
  /** Decrypts texts with secret links. */
  readonly sealing: Sealing;
  /** Sent mails keep their text, for the demo. */
  readonly keepsText?: boolean;
  readonly outcomes?: MailOutcomes;
  /** Where mail servers return a mail to; undefined = to the sender of all mails. */
  readonly bounceAddressOf?: (mailId: string) => string | undefined;
  readonly now: () => Date;
  /** When aborted, begin no other mail. */
  readonly stopping?: AbortSignal;
}

/** Marks accepted mails as sent, in batches: a delivery does not wait for the write of the previous one. */
export class Notes {
  readonly #deps: DeliveryDeps;
  readonly #onNoted: (mails: readonly LeasedMail[]) => void;
  readonly #unnoted: LeasedMail[] = [];
  #writing: Promise<void> | undefined;

  constructor(deps: DeliveryDeps, onNoted: (mails: readonly LeasedMail[]) => void) {
    this.#deps = deps;
    this.#onNoted = onNoted;
  }

  add(mail: LeasedMail): void {
    this.#unnoted.push(mail);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Wait while too many are not marked. */
  async waitForCapacity(): Promise<void> {
    while (this.#unnoted.length >= MOST_UNNOTED && this.#writing !== undefined) await this.#writing;
  }

  async end(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#unnoted.length > 0) await this.#note(this.#unnoted.splice(0));
  }

  /** An accepted mail must not be sent again because of a short database outage. */
  async #note(mails: readonly LeasedMail[]): Promise<void> {
    const { database, now, log, outcomes } = this.#deps;
    for (let wait = 100; ; wait *= 2) {
      try {
        await markSent(database, mails, now(), this.#deps.keepsText === true, outcomes);
        this.#onNoted(mails);
        return;
      } catch (error) {
        if (wait > LONGEST_MARK_WAIT_MS) {
          log.error(
            { err: error, mails: mails.map(({ id }) => id) },
            'Accepted mails could not be marked as sent; they may be sent again.',
          );
          this.#onNoted(mails);
          return;
        }
        await pause(wait);
      }
    }
  }
}
