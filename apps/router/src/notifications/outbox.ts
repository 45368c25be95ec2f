import type { UspMessage, UspNotification } from '@highline/usp';
import type { Log } from '../log.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import type { Subscription } from './subscriptions.ts';

export type OutboxOptions = {
  scheduler: Scheduler;
  random: () => number;
  log: Log;
  /** Prefix of every message id; different at each start, so that ids are unique. */
  idPrefix: string;
  /** Send a message to the controller; false without a connection. */
  send(message: UspMessage): boolean;
  /** TR-369 "Notification Retry": first delay in milliseconds, and its growth factor. */
  retry(): { minMs: number; factor: number };
};

type Pending = { message: UspMessage; attempts: number; expiresAt: number; cancel: Cancel | undefined; delivered: () => void };

/** Limit of pending notifications: the oldest is dropped first, since the newest describe a long-offline router better. */
const MAX_PENDING = 200;
/** Delays stop growing here, as in TR-369's table. */
const MAX_GROWTH = 10;

/**
 * Pending notifications. Those of a subscription with retry are sent again, under the same msg_id, until the controller answers:
 * after growing delays, and immediately after a reconnect.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Send a notification to one subscription. `delivered` is called when the controller has it, or once sent without retry. */
  post(subscription: Subscription, notification: UspNotification, delivered: () => void = () => undefined): void {
    const msgId = `${this.#options.idPrefix}-${++this.#count}`;
    const body = { type: 'notify', subscriptionId: subscription.id, sendResp: subscription.retry, notification } as const;
    const message = { msgId, body };
    if (!subscription.retry) {
      if (this.#options.send(message)) delivered();
      return;
    }
    const expiresAt = this.#options.scheduler.elapsed() + (subscription.expiresAfterMs ?? Infinity);
    const pending: Pending = { message, attempts: 0, expiresAt, cancel: undefined, delivered };
    this.#pending.set(msgId, pending);
    this.#dropOldest();
    this.#attempt(pending);
  }

  /** The controller has answered a message id. Unknown ids are late answers to repeated messages. */
  acknowledge(msgId: string): void {
    const pending = this.#pending.get(msgId);
    if (!pending) return;
    this.#discard(pending);
    pending.delivered();
  }

  /** A new connection: send everything unanswered again, oldest first. */
  resend(): void {
    for (const pending of this.#pending.values()) this.#attempt(pending);
  }

  close(): void {
    for (const pending of this.#pending.values()) this.#discard(pending);
  }

  /** Values of one parameter are repeated in their order, whichever of them is due: the last one that comes counts. */
  #repeat(due: Pending): void {
    const path = changedPath(due);
    const sameParameter = path === undefined ? [due] : this.#pending.values().filter((each) => changedPath(each) === path);
    for (const pending of sameParameter) this.#attempt(pending);
  }

  #attempt(pending: Pending): void {
    pending.cancel?.();
    if (this.#options.scheduler.elapsed() >= pending.expiresAt) {
      this.#discard(pending);
      this.#options.log('warn', 'notification.expired', { msgId: pending.message.msgId });
      return;
    }
    // Without a connection nothing is tried: `resend` follows when there is one.
    if (!this.#options.send(pending.message)) return;
    pending.attempts++;
    pending.cancel = this.#options.scheduler.after(this.#wait(pending.attempts), () => this.#repeat(pending));
  }

  #wait(attempts: number): number {
    const { minMs, factor } = this.#options.retry();
    const least = minMs * factor ** (Math.min(attempts, MAX_GROWTH) - 1);
    return Math.round(least + this.#options.random() * least * (factor - 1));
  }

  #discard(pending: Pending): void {
    pending.cancel?.();
    this.#pending.delete(pending.message.msgId);
  }

  #dropOldest(): void {
    if (this.#pending.size <= MAX_PENDING) return;
    const [oldest] = this.#pending.values();
    if (oldest) this.#discard(oldest);
  }
}

/** The parameter whose change a notification reports. */
function changedPath({ message: { body } }: Pending): string | undefined {
  return body.type === 'notify' && body.notification.type === 'value_change' ? body.notification.paramPath : undefined;
}
