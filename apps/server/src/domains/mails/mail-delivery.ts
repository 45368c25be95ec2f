import { setTimeout as pause } from 'node:timers/promises';
import { createSharedRun } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { PermanentMailError } from '../../platform/ports/mail.ts';
import { Notes, type DeliveryDeps } from './delivery-notes.ts';
import { dropDeadLinks, leaseDue, postpone, readFile, release, renewLeases, type LeasedMail } from './mail-delivery.store.ts';
import { openMailText } from './mail-text.ts';

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
/** While one lane waits for a slow mail server, the others look this often for mails that are due by now. */
const LOOK_AGAIN_MS = 2_000;

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
  /** What lanes do now; these do not reject. */
  readonly #sending = new Set<Promise<void>>();
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
      if (mail !== undefined) await this.#send(mail);
      else if (this.#sending.size === 0) return;
      else await this.#waitForMore();
    }
  }

  async #send(mail: LeasedMail): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sending.add(promise);
    try {
      if (await this.#isOurs(mail)) await this.#handOver(mail);
      else this.#held.delete(mail);
      await this.#notes.waitForCapacity();
    } finally {
      this.#sending.delete(promise);
      resolve();
    }
  }

  async #waitForMore(): Promise<void> {
    const timer = new AbortController();
    const wait = pause(LOOK_AGAIN_MS, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([wait, ...this.#sending]);
    timer.abort();
    await dropDeadLinks(this.#deps.database, this.#deps.now());
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
    const mails = await leaseDue(this.#deps.database, BATCH, this.#deps.now(), [...this.#held]);
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
    const { database, transport, sealing, now, log, outcomes, bounceAddressOf } = this.#deps;
    const { recipient: to, subject } = mail;
    try {
      // The last attempt failed nowhere: the process has ended in it.
      if (mail.attempts > MAX_ATTEMPTS) throw new PermanentMailError('Interrupted: the server ended while it sent this mail.');
      const { plain, html } = openMailText(sealing, mail);
      const file = mail.file_id === null ? undefined : await readFile(database, mail.file_id);
      const { unsubscribe } = mail;
      const bounceAddress = bounceAddressOf?.(mail.id);
      await transport.send({
        messageId: `<${mail.id}@highline>`,
        to,
        subject,
        plain,
        html,
        ...(file !== undefined && { file }),
        ...(unsubscribe !== null && { unsubscribe }),
        ...(bounceAddress !== undefined && { bounceAddress }),
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

/** When a mail is retried; null = give up. */
function nextTry({ attempts }: LeasedMail, error: unknown, now: Date): Date | null {
  if (error instanceof PermanentMailError || attempts >= MAX_ATTEMPTS) return null;
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2);
  return new Date(now.getTime() + delay);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
