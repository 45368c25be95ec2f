import { type UspMessage, type UspNotification } from '@highline/usp';
import type { Log } from '../log.ts';
import type { RouterView } from '../model/definition.ts';
import type { Transaction } from '../model/transaction.ts';
import { type Model, locate } from '../model/model.ts';
import { CONTROLLER } from '../model/objects/local-agent.ts';
import { uniqueKeysOf } from '../model/read.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import type { EndedCommand } from '../state/command-runs.ts';
import { Heartbeat } from './heartbeat.ts';
import { Outbox } from './outbox.ts';
import { Reports } from './reports.ts';
import { type Subscription, readSetting, readSubscriptions, subscribersOf } from './subscriptions.ts';
import { ValueWatch } from './value-watch.ts';

export type NotifierOptions = {
  model: Model;
  router: RouterView;
  scheduler: Scheduler;
  random: () => number;
  log: Log;
  /** Prefix of every message id; different at each start, so that ids are unique. */
  idPrefix: string;
  /** Poll interval of subscribed values, in milliseconds. */
  pollMs: number;
  isConnected(): boolean;
  /** Send a message to the controller; false without a connection. */
  send(message: UspMessage): boolean;
};

/** Sends a router's notifications (TR-369 Notify) according to the subscriptions of its controller. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #outbox: Outbox;
  readonly #reports: Reports;
  readonly #watch: ValueWatch;
  readonly #heartbeat: Heartbeat;
  #subscriptions: readonly Subscription[] = [];
  #cancelPoll: Cancel | undefined;

  constructor(options: NotifierOptions) {
    const { model, router, scheduler, random, log, idPrefix, send } = options;
    this.#options = options;
    this.#outbox = new Outbox({ scheduler, random, log, idPrefix, send, retry: () => this.#retry() });
    this.#reports = new Reports({ model, router, scheduler, random, push: (path, data) => this.#push(path, data) });
    this.#watch = new ValueWatch(model, router);
    this.#heartbeat = new Heartbeat({ model, router, scheduler, random, sendPeriodic: () => this.#sendPeriodic() });
  }

  /** Apply the current subscriptions, profiles and intervals. */
  follow(): void {
    this.#subscriptions = readSubscriptions(this.#options.model, this.#options.router);
    this.#watch.follow(this.#subscriptions);
    this.#reports.follow();
    this.#heartbeat.follow();
    this.#cancelPoll?.();
    if (!this.#watch.isIdle) this.#pollLater();
  }

  /** Connected: send unanswered notifications again. */
  resend(): void {
    this.#outbox.resend();
  }

  /** Send reports that were due while disconnected. */
  flush(): void {
    this.#reports.flush();
  }

  /** The controller acknowledged a notification. */
  acknowledge(msgId: string): void {
    this.#outbox.acknowledge(msgId);
  }

  /** Send a report of a bulk data profile now, for ForceCollection(). */
  collect(profilePath: string): void {
    this.#reports.collect(profilePath);
  }

  /** Send a report of every active bulk data profile now, or keep it until there is a connection. */
  collectAll(): void {
    this.#reports.collectAll();
  }

  /** Send an event to all its subscriptions. `delivered` is called when the controller has it. @returns their number */
  raise(objPath: string, eventName: string, params: ReadonlyMap<string, string>, delivered?: () => void): number {
    return this.#notify('Event', objPath + eventName, { type: 'event', objPath, eventName, params }, delivered);
  }

  /** Send the end of a command. `delivered` is called when the controller has it. @returns the number of subscriptions */
  notifyEnd({ objPath, name, commandKey, outcome }: EndedCommand, delivered?: () => void): number {
    const notification = { type: 'oper_complete', objPath, commandName: name, commandKey, result: outcome } as const;
    return this.#notify('OperationComplete', objPath + name, notification, delivered);
  }

  /** Compare subscribed values with the last sent ones, which are kept while disconnected. */
  notifyValues(): void {
    if (this.#options.isConnected()) this.#compare();
  }

  /** Send what a controller's request changed: values, and created and deleted rows. */
  notifyChanges({ created, deleted }: Pick<Transaction, 'created' | 'deleted'>): void {
    this.#compare();
    for (const path of created) {
      const uniqueKeys = this.#uniqueKeysOf(path);
      this.#notify('ObjectCreation', path, { type: 'obj_creation', objPath: path, uniqueKeys });
    }
    for (const path of deleted) this.#notify('ObjectDeletion', path, { type: 'obj_deletion', objPath: path });
  }

  close(): void {
    this.#outbox.close();
    this.#reports.close();
    this.#heartbeat.close();
    this.#cancelPoll?.();
  }

  #notify(notifType: Subscription['notifType'], path: string, notification: UspNotification, delivered?: () => void): number {
    const subscribers = subscribersOf(this.#subscriptions, notifType, path);
    for (const subscription of subscribers) this.#outbox.post(subscription, notification, delivered);
    return subscribers.length;
  }

  #compare(): void {
    this.#watch.check((subscription, paramPath, paramValue) =>
      this.#outbox.post(subscription, { type: 'value_change', paramPath, paramValue }),
    );
  }

  #uniqueKeysOf(path: string): Map<string, string> {
    const { model, router } = this.#options;
    return new Map(locate(model, router, path).flatMap((located) => [...uniqueKeysOf(router, located)]));
  }

  #pollLater(): void {
    this.#cancelPoll = this.#options.scheduler.after(this.#options.pollMs, () => {
      this.notifyValues();
      this.#pollLater();
    });
  }

  #sendPeriodic(): void {
    if (this.#options.isConnected()) this.raise('Device.LocalAgent.', 'Periodic!', new Map());
  }

  #push(profilePath: string, data: string): boolean {
    if (!this.#options.isConnected()) return false;
    this.raise(profilePath, 'Push!', new Map([['Data', data]]));
    return true;
  }

  #retry(): { minMs: number; factor: number } {
    const read = (name: string) => Number(readSetting(this.#options.model, this.#options.router, CONTROLLER + name));
    return { minMs: read('USPNotifRetryMinimumWaitInterval') * 1000, factor: read('USPNotifRetryIntervalMultiplier') / 1000 };
  }
}
