import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';
import { RefusedForGood, type MailTransport } from '../../ports/mail.ts';
import type { Sealing } from '../../sealing.ts';
import { openMailText } from './mail-text.ts';
import { dropDeadLinks, leaseDue, markSent, postpone, release, renewLease, type LeasedMail } from './mail-delivery.store.ts';

/**
 * Tries grow apart from half a minute to six hours; after this many the mail stays as undeliverable, with the last error. So does one
 * that the server refuses for good.
 */
const MAX_ATTEMPTS = 20;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;
const RENEWAL_MS = 5 * 60_000;
/** Mails on their way at once: one slow server does not hold up everybody's mail. */
const LANES = 3;
/** Mails taken out of the queue together, for whichever lane is free. */
const BATCH = 20;
/** A mail that waited for a lane longer than this is looked at again: it may have been taken back, or over. */
const FRESH_MS = 1_000;
/** Mails that were taken and are not noted yet; more would be sent once more if the process died now. */
const MOST_UNNOTED = 20;
const LONGEST_MARK_WAIT_MS = 10_000;

export interface DeliveryDeps {
  readonly database: Database;
  readonly transport: MailTransport;
  /** Opens texts that hold secret links. */
  readonly sealing: Sealing;
  /** Sent mails keep their text: the demo shows it. */
  readonly keepsText?: boolean;
  readonly now: () => Date;
  readonly log: Log;
  /** Begin no other mail. */
  readonly stopping?: AbortSignal;
}

/** Hand over what is due, a few mails at a time. A refused mail waits and does not hold up the others. @returns how many were taken */
export async function deliverDueMails(deps: DeliveryDeps): Promise<number> {
  await dropDeadLinks(deps.database, deps.now());
  const round = new Round(deps);
  const ended = await Promise.allSettled(Array.from({ length: LANES }, () => round.lane()));
  await round.end();
  const broken = ended.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return round.sent;
}

/** One turn of the queue: lanes that share what was taken out of it. */
class Round {
  sent = 0;
  readonly #deps: DeliveryDeps;
  readonly #leased: LeasedMail[] = [];
  readonly #notes: Notes;
  #leasing: Promise<void> | undefined;
  #leasedAt = 0;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#notes = new Notes(deps);
  }

  async lane(): Promise<void> {
    while (this.#deps.stopping?.aborted !== true) {
      const mail = await this.#next();
      if (mail === undefined) return;
      if (await this.#isOurs(mail)) await this.#handOver(mail);
      await this.#notes.room();
    }
  }

  /** Give back what no lane took any more, and wait until what was taken is noted. */
  async end(): Promise<void> {
    await this.#notes.end();
    if (this.#leased.length > 0) await release(this.#deps.database, this.#leased.splice(0), this.#deps.now());
  }

  async #next(): Promise<LeasedMail | undefined> {
    if (this.#leased.length === 0) {
      this.#leasing ??= this.#lease().finally(() => {
        this.#leasing = undefined;
      });
      await this.#leasing;
    }
    return this.#leased.shift();
  }

  async #lease(): Promise<void> {
    const mails = await leaseDue(this.#deps.database, BATCH, this.#deps.now());
    this.#leasedAt = performance.now();
    this.#leased.push(...mails);
  }

  async #isOurs(mail: LeasedMail): Promise<boolean> {
    if (performance.now() - this.#leasedAt < FRESH_MS) return true;
    return renewLease(this.#deps.database, mail, this.#deps.now());
  }

  async #handOver(mail: LeasedMail): Promise<void> {
    const { database, transport, sealing, now, log } = this.#deps;
    // A server may take its time (RFC 5321, 4.5.3.2): as long as we wait for it, the mail stays ours.
    const renewal = setInterval(() => void renewLease(database, mail, now()).catch(() => {}), RENEWAL_MS);
    const { recipient: to, subject } = mail;
    try {
      const { plain, html } = openMailText(sealing, mail);
      await transport.send({ messageId: `<${mail.id}@highline>`, to, subject, plain, html });
    } catch (error) {
      log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, 'A mail was not taken.');
      await postpone(database, mail, reasonOf(error), nextTry(mail, error, now()));
      return;
    } finally {
      clearInterval(renewal);
    }
    this.sent += 1;
    this.#notes.add(mail);
  }
}

/** Notes which mails were taken, those together that come while it writes: a mail does not wait for the note of the one before. */
class Notes {
  readonly #deps: DeliveryDeps;
  readonly #unnoted: LeasedMail[] = [];
  #writing: Promise<void> | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  add(mail: LeasedMail): void {
    this.#unnoted.push(mail);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Wait while too many are not noted. */
  async room(): Promise<void> {
    while (this.#unnoted.length >= MOST_UNNOTED && this.#writing !== undefined) await this.#writing;
  }

  async end(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#unnoted.length > 0) await this.#note(this.#unnoted.splice(0));
  }

  /** A mail that was taken must not be sent again because the database was away for a moment. */
  async #note(mails: readonly LeasedMail[]): Promise<void> {
    const { database, now, log } = this.#deps;
    const ids = mails.map(({ id }) => id);
    for (let wait = 100; ; wait *= 2) {
      try {
        await markSent(database, ids, now(), this.#deps.keepsText === true);
        return;
      } catch (error) {
        if (wait > LONGEST_MARK_WAIT_MS) {
          log.error({ err: error, mails: ids }, 'Mails were taken, but this could not be noted: they may be sent once more.');
          return;
        }
        await pause(wait);
      }
    }
  }
}

/** When a mail is tried again; null when there is no hope. */
function nextTry({ attempts }: LeasedMail, error: unknown, now: Date): Date | null {
  if (error instanceof RefusedForGood || attempts >= MAX_ATTEMPTS) return null;
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2);
  return new Date(now.getTime() + delay);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
