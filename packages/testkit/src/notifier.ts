import { randomUUID } from 'node:crypto';
import type { IndependentValue } from './codec.ts';
import { tryFor } from './errors.ts';
import type { DataModel } from './model/data-model.ts';
import { covers } from './model/resolve.ts';
import { referencesOf, SUBSCRIPTIONS } from './model/subscriptions.ts';

type NotifType = 'Event' | 'OperationComplete' | 'ValueChange' | 'ObjectCreation' | 'ObjectDeletion';

/** A notification, before it is matched with subscriptions. */
export interface Notification {
  readonly type: NotifType;
  /** Full path of the event, command, parameter or object. */
  readonly path: string;
  /** Member of the message's oneof and its value. */
  readonly member: { readonly case: string; readonly value: IndependentValue };
}

interface Unacknowledged {
  readonly msgId: string;
  readonly notify: IndependentValue;
  /** Milliseconds since 1970; undefined = never. */
  readonly expiresAt: number | undefined;
  tries: number;
  timer: NodeJS.Timeout | undefined;
}

export interface NotifierOptions {
  readonly model: DataModel;
  /** Our controller's row, without its final dot. */
  readonly controller: string;
  /** Milliseconds in place of USPNotifRetryMinimumWaitInterval. */
  readonly retryMs: number | undefined;
  isConnected(): boolean;
  send(msgId: string, notify: IndependentValue): void;
}

/** Maximum growth of the delay between two attempts (TR-369 R-NOT.4: ten steps). */
const MOST_STEPS = 9;

/**
 * Sends subscribed notifications. One with NotifRetry is sent again under the same msg_id until it is answered (TR-369 "Responses
 * to Notifications and Notification Retry").
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #unacknowledged = new Map<string, Unacknowledged>();
  #whenResponded: (() => void)[] = [];

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  get unacknowledged(): number {
    return this.#unacknowledged.size;
  }

  notify(notification: Notification): void {
    const { model, controller } = this.#options;
    for (const path of model.instances(SUBSCRIPTIONS)) {
      const read = (name: string) => model.value(path + name) ?? '';
      if (read('Enable') !== 'true' || read('Recipient') !== controller || read('NotifType') !== notification.type) continue;
      if (!referencesOf(model, path).some((reference) => this.#covers(reference, notification.path))) continue;
      this.#emit(read('ID'), read('NotifRetry') === 'true', Number(read('NotifExpiration')), notification.member);
    }
  }

  /** The controller answered. */
  responded(msgId: string): void {
    const found = this.#unacknowledged.get(msgId);
    if (found === undefined) return;
    clearTimeout(found.timer);
    this.#unacknowledged.delete(msgId);
    if (this.#unacknowledged.size === 0) for (const resolve of this.#whenResponded.splice(0)) resolve();
  }

  /** Resolves when no response is pending. */
  async allResponded(): Promise<void> {
    if (this.#unacknowledged.size > 0) await new Promise<void>((resolve) => this.#whenResponded.push(resolve));
  }

  /** Reconnected: send unanswered notifications first. */
  connected(): void {
    for (const each of this.#unacknowledged.values()) this.#try(each);
  }

  stop(): void {
    for (const { timer } of this.#unacknowledged.values()) clearTimeout(timer);
    this.#unacknowledged.clear();
  }

  #covers(reference: string, path: string): boolean {
    return tryFor(() => covers(this.#options.model, reference, path)) === true;
  }

  #emit(subscriptionId: string, sendResp: boolean, expirationSeconds: number, member: Notification['member']): void {
    const notify = { subscriptionId, sendResp, one: member };
    if (!sendResp) {
      if (this.#options.isConnected()) this.#options.send(randomUUID(), notify);
      return;
    }
    const expiresAt = expirationSeconds === 0 ? undefined : Date.now() + expirationSeconds * 1_000;
    const unacknowledged = { msgId: randomUUID(), notify, expiresAt, tries: 0, timer: undefined };
    this.#unacknowledged.set(unacknowledged.msgId, unacknowledged);
    this.#try(unacknowledged);
  }

  #try(unacknowledged: Unacknowledged): void {
    clearTimeout(unacknowledged.timer);
    const { msgId, notify, expiresAt } = unacknowledged;
    if (expiresAt !== undefined && Date.now() > expiresAt) {
      this.#unacknowledged.delete(msgId);
      return;
    }
    if (!this.#options.isConnected()) return;
    this.#options.send(msgId, notify);
    unacknowledged.timer = setTimeout(() => this.#try(unacknowledged), this.#waitMs(unacknowledged.tries++));
  }

  #waitMs(tries: number): number {
    const { model, controller, retryMs } = this.#options;
    const seconds = Number(model.value(`${controller}.USPNotifRetryMinimumWaitInterval`));
    const growth = Number(model.value(`${controller}.USPNotifRetryIntervalMultiplier`)) / 1_000;
    return (retryMs ?? seconds * 1_000) * growth ** Math.min(tries, MOST_STEPS) * (0.5 + Math.random() / 2);
  }
}
