import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { PermanentMailError, type MailTransport } from '../../platform/ports/mail.ts';
import { createSharedRun, type Sealing } from '../../kernel/index.ts';
import { openMailText } from './mail-text.ts';
import {
  dropDeadLinks,
  leaseDue,
  markSent,
  postpone,
  readFile,
  release,
  renewLeases,
  type LeasedMail,
  type MailOutcomes,
} from './mail-delivery.store.ts';

/**
 * The wait between attempts grows from half a minute to six hours; after this many the mail stays as undeliverable, with the last
 * error. So does a mail that the server rejects permanently.
 */
const MAX_ATTEMPTS = 20;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;
/** Several times within a lease, so that neither a slow mail server nor a pause of this process ends it. */
const RENEWAL_MS = 10_000;
/** Concurrent deliveries, so that one slow server does not block all mails. */
const LANES = 3;
/** Mails taken out of the queue together, for the next free lane. */
const BATCH = 20;
/** A mail that waited for a lane longer than this is checked again: it may have been cancelled or taken over. */
const FRESH_MS = 1_000;
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
  readonly now: () => Date;
  /** When aborted, begin no other mail. */
  readonly stopping?: AbortSignal;
}

/** Deliver due mails, a few at a time. A rejected mail waits and does not block the others. @returns how many were accepted */
export async function deliverDueMails(deps: DeliveryDeps): Promise<number> {
  await dropDeadLinks(deps.database, deps.now());
  const round = new Round(deps);
  const ended = await Promise.allSettled(Array.from({ length: LANES }, () => round.lane()));
  await round.end();
  const broken = ended.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return round.sent;
}

/** One pass over the queue: lanes that share a batch. */
class Round {
  sent = 0;
  readonly #deps: DeliveryDeps;
  readonly #leased: LeasedMail[] = [];
  /** Mails that were leased and are neither marked nor returned: those that wait for a lane, too. */
  readonly #held = new Set<LeasedMail>();
  readonly #renewal: NodeJS.Timeout;
  readonly #notes: Notes;
  #leasedAt = 0;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#notes = new Notes(deps, (mails) => mails.forEach((mail) => this.#held.delete(mail)));
    this.#renewal = setInterval(() => this.#renew(), RENEWAL_MS);
  }

  async lane(): Promise<void> {
    while (this.#deps.stopping?.aborted !== true) {
      const mail = await this.#next();
      if (mail === undefined) return;
      if (await this.#isOurs(mail)) await this.#handOver(mail);
      else this.#held.delete(mail);
      await this.#notes.waitForCapacity();
    }
  }

  /** Return mails that no lane began, and wait until the accepted ones are marked. */
  async end(): Promise<void> {
    await this.#notes.end();
    clearInterval(this.#renewal);
    if (this.#leased.length > 0) await release(this.#deps.database, this.#leased.splice(0), this.#deps.now());
  }

  async #next(): Promise<LeasedMail | undefined> {
    if (this.#leased.length === 0) await this.#lease();
    return this.#leased.shift();
  }

  readonly #lease = createSharedRun(async () => {
    const mails = await leaseDue(this.#deps.database, BATCH, this.#deps.now());
    this.#leasedAt = performance.now();
    this.#leased.push(...mails);
    for (const mail of mails) this.#held.add(mail);
  });

  #renew(): void {
    const { database, now } = this.#deps;
    // A database that is away for a moment is tried again before the leases end.
    if (this.#held.size > 0) renewLeases(database, [...this.#held], now()).catch(() => {});
  }

  async #isOurs(mail: LeasedMail): Promise<boolean> {
    if (performance.now() - this.#leasedAt < FRESH_MS) return true;
    const { database, now } = this.#deps;
    return (await renewLeases(database, [mail], now())).has(mail.id);
  }

  async #handOver(mail: LeasedMail): Promise<void> {
    const { database, transport, sealing, now, log, outcomes } = this.#deps;
    const { recipient: to, subject } = mail;
    try {
      const { plain, html } = openMailText(sealing, mail);
      const file = mail.file_id === null ? undefined : await readFile(database, mail.file_id);
      const { unsubscribe } = mail;
      await transport.send({
        messageId: `<${mail.id}@highline>`,
        to,
        subject,
        plain,
        html,
        ...(file !== undefined && { file }),
        ...(unsubscribe !== null && { unsubscribe }),
      });
    } catch (error) {
      log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, 'The mail server did not accept a mail.');
      this.#held.delete(mail);
      const reason = reasonOf(error);
      const isRejected = error instanceof PermanentMailError && error.isOfRecipient;
      const note = isRejected ? (tx: Tx) => outcomes?.rejected(tx, mail, reason, now()) ?? Promise.resolve() : undefined;
      await postpone(database, mail, reason, nextTry(mail, error, now()), note);
      return;
    }
    this.sent += 1;
    this.#notes.add(mail);
  }
}

/** Marks accepted mails as sent, in batches: a delivery does not wait for the write of the previous one. */
class Notes {
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

/** When a mail is retried; null = give up. */
function nextTry({ attempts }: LeasedMail, error: unknown, now: Date): Date | null {
  if (error instanceof PermanentMailError || attempts >= MAX_ATTEMPTS) return null;
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2);
  return new Date(now.getTime() + delay);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
