import { hash } from 'node:crypto';
import type { NotifyRequest, UspNotification } from '@highline/usp';
import type { RouterAlarms } from '../../domains/notifications/index.ts';
import type { Positions } from '../../domains/positions/index.ts';
import type { Usage } from '../../domains/usage/index.ts';
import type { Ingest, PresenceService, PushedReports, Telemetry } from '../../domains/router-state/index.ts';
import type { Clock, RouterListener } from '../../platform/ports/index.ts';
import type { Log } from '../../platform/ports/log.ts';
import { Allowance } from '../upgrades/index.ts';
import { toFailure } from './failures.ts';
import { sanitizeText, FIRMWARE_IMAGES, LOCAL_TIME } from '../../kernel/index.ts';
import { readAll } from './reconcile/questions.ts';
import { SeenNotifications } from './seen-notifications.ts';
import { takeSignal } from './signal.ts';
import type { Session } from './session.ts';
import { WATCHED } from './watch-values.ts';

type OperationEnd = Extract<UspNotification, { type: 'oper_complete' }>;

export interface NotificationsDeps {
  readonly presence: PresenceService;
  readonly telemetry: Telemetry;
  readonly positions: Positions;
  readonly usage: Usage;
  readonly ingest: Ingest;
  readonly reports: RouterAlarms;
  readonly clock: Clock;
  readonly log: Log;
  /** Notifications per router that may wait to be durable. */
  readonly inFlight: number;
  /** Reports, Boot! events, and changes for which all of it is read, that a router may send in a row. */
  readonly reportsInRow: number;
  readonly bootsInRow: number;
  readonly changesInRow: number;
  /** The router's current connection, which may differ from the one that carried the notification. */
  current(routerId: string): Session | undefined;
  /** Receives the ends of commands that domains sent to routers. */
  readonly listener: RouterListener;
  /** The router has restarted. */
  booted(session: Session): void;
  /** Read a table of instances again; resolves when it is committed. @returns whether another modem is in use than the one that is shown */
  readTable(session: Session, name: 'uplinks' | 'wifi'): Promise<boolean>;
  /** Something changed that a single value does not describe fully. */
  changed(session: Session): void;
}

const NO_OUTPUTS: ReadonlyMap<string, string> = new Map();

/** USP error for a failed command whose fault code is not a USP error. */
const COMMAND_FAILURE = 7022;

function faultCode(stored: number): number {
  return Number.isSafeInteger(stored) && stored > 0 ? stored : COMMAND_FAILURE;
}

/** Above this number, late notifications are processed as they come: bounded memory comes before exact order. */
const MOST_LATE = 50_000;

/** Why a router restarted. A key means that a command of ours ordered it: routers name an update they carry out themselves a local restart. */
function bootCause(params: ReadonlyMap<string, string>): string {
  const cause = sanitizeText(params.get('Cause') ?? '', 60) ?? 'boot';
  const isOrdered = (params.get('CommandKey') ?? '') !== '';
  return isOrdered && cause === 'LocalReboot' ? 'RemoteReboot' : cause;
}

/** What a router may go on to add: a report a second, as of positions, a Boot! a minute, and a change every ten seconds. */
const REPORTS_PER_SECOND = 1;
const BOOTS_PER_SECOND = 1 / 60;
const CHANGES_PER_SECOND = 1 / 10;

/** The newest of reports that are sent as they are made is not further from now; of others the clock may have been set during the connection. */
const NEWEST_MS = 60_000;
/** A clock is read again not more often than this: reports that come late do not mean that it is wrong. */
const CLOCK_AGAIN_MS = 5 * 60_000;

/** A reading, and the one that follows it. */
interface Reading {
  readonly now: Promise<void>;
  next?: Promise<void>;
}

export interface NotificationCounts {
  received: number;
  repeated: number;
  responded: number;
  /** Left unanswered so that they are sent again: too many were waiting, or they could not be stored. */
  deferred: number;
}

/**
 * Processes notifications of routers. Acknowledge a notification only after its contents are committed: until then the router
 * keeps it, so nothing acknowledged is ever lost.
 */
export class Notifications {
  readonly counts: NotificationCounts = { received: 0, repeated: 0, responded: 0, deferred: 0 };
  readonly #deps: NotificationsDeps;
  readonly #seen = new SeenNotifications();
  /** Keys of those that are being stored. */
  readonly #pending = new Set<number>();
  readonly #running = new Set<Promise<unknown>>();
  /** Tables and values that are being read, by router and name. */
  readonly #readings = new Map<string, Reading>();
  /** Values to be read next, by router. */
  readonly #paths = new Map<string, Set<string>>();
  /** Changes that were left unanswered and will be sent again. */
  readonly #overdue = new Set<number>();
  /** Connections with a report of too many values. */
  readonly #cut = new WeakSet<Session>();
  /** Connections with more reports or Boot! events than are accepted. */
  readonly #flooding = new WeakSet<Session>();
  /** When the clock of a connection was last read again (`performance.now()`). */
  readonly #clocks = new WeakMap<Session, { readonly at: number; readonly done: Promise<void> }>();
  readonly #reports: Allowance;
  readonly #boots: Allowance;
  readonly #changes: Allowance;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
    this.#reports = new Allowance(deps.reportsInRow, REPORTS_PER_SECOND);
    this.#boots = new Allowance(deps.bootsInRow, BOOTS_PER_SECOND);
    this.#changes = new Allowance(deps.changesInRow, CHANGES_PER_SECOND);
  }

  /** @param payload the encoded message as received */
  receive(session: Session, msgId: string, notify: NotifyRequest, payload: Uint8Array): void {
    this.counts.received++;
    const { routerId } = session.router;
    // Without a response expected, none is repeated.
    const key = notify.sendResp ? this.#seen.keyOf(routerId, payload) : undefined;
    if (key !== undefined && (this.#seen.has(key) || this.#pending.has(key))) {
      this.counts.repeated++;
      // One that is not durable yet is answered once it is.
      if (this.#seen.has(key)) this.#respond(key, routerId, msgId, notify);
      return;
    }
    if (session.inFlight >= this.#deps.inFlight || this.#isFlood(session, notify)) {
      this.#defer(key, notify);
      return;
    }
    // One that was deferred, or sent into an older connection, arrives late: newer ones may have been processed before it.
    const isLate = key !== undefined && (this.#overdue.delete(key) || session.isYoung);
    const durable = this.#keep(session, notify, payload, isLate);
    if (durable === undefined) this.#done(key, routerId, msgId, notify);
    else void this.#whenDurable(durable, session, key, msgId, notify);
  }

  /** A router has received the responses to these: it repeats none of them. */
  forget(keys: readonly number[]): void {
    for (const key of keys) this.#seen.delete(key);
  }

  /** Resolves when everything received so far is durable or has failed. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #isFlood(session: Session, { notification }: NotifyRequest): boolean {
    const name = notification.type === 'event' ? notification.eventName : '';
    const limit = name === 'Push!' ? this.#reports : name === 'Boot!' ? this.#boots : undefined;
    if (limit?.isSpent(session.router.routerId, performance.now()) !== true) return false;
    this.#warnOnce(this.#flooding, session, `A router sends more ${name} events than are accepted; they are left unanswered.`);
    return true;
  }

  async #whenDurable(
    durable: Promise<unknown>,
    session: Session,
    key: number | undefined,
    msgId: string,
    notify: NotifyRequest,
  ): Promise<void> {
    this.#running.add(durable);
    if (key !== undefined) this.#pending.add(key);
    session.inFlight++;
    try {
      await durable;
      this.#done(key, session.router.routerId, msgId, notify);
    } catch {
      // Not stored: leave it unanswered so that the router sends it again. The failing part has logged the cause.
      this.#defer(key, notify);
    } finally {
      this.#running.delete(durable);
      if (key !== undefined) this.#pending.delete(key);
      session.inFlight--;
    }
  }

  #defer(key: number | undefined, { notification }: NotifyRequest): void {
    this.counts.deferred++;
    if (key !== undefined && notification.type === 'value_change' && this.#overdue.size < MOST_LATE) this.#overdue.add(key);
  }

  #done(key: number | undefined, routerId: string, msgId: string, notify: NotifyRequest): void {
    if (key !== undefined) this.#seen.add(key);
    this.#respond(key, routerId, msgId, notify);
  }

  #respond(key: number | undefined, routerId: string, msgId: string, { sendResp, subscriptionId }: NotifyRequest): void {
    if (!sendResp) return;
    this.counts.responded++;
    this.#deps.current(routerId)?.respond({ msgId, body: { type: 'notify_resp', subscriptionId } }, key);
  }

  /** Store the contents of a notification; undefined when it holds nothing to store. */
  #keep(
    session: Session,
    { notification, subscriptionId }: NotifyRequest,
    payload: Uint8Array,
    isLate: boolean,
  ): Promise<unknown> | undefined {
    if (subscriptionId === WATCHED) {
      const isValue = notification.type === 'value_change';
      const change = isValue ? { path: notification.paramPath, value: notification.paramValue } : undefined;
      this.#deps.listener.changed?.(session.router.routerId, change);
      return undefined;
    }
    switch (notification.type) {
      case 'event':
        return this.#keepEvent(session, notification.eventName, notification.params, payload);
      case 'value_change':
        return this.#keepValue(session, notification.paramPath, notification.paramValue, isLate);
      case 'oper_complete':
        return this.#keepEnd(session, notification);
      default:
        return undefined;
    }
  }

  /** Ignore the ends of commands without a key of ours. */
  #keepEnd(session: Session, { commandKey, result }: OperationEnd): Promise<unknown> | undefined {
    const { routerId } = session.router;
    session.commandRuns(false);
    const failure = result.type === 'cmd_failure' ? toFailure(result.errCode, result.errMsg) : undefined;
    const outputs = result.type === 'cmd_failure' ? NO_OUTPUTS : result.outputArgs;
    return commandKey === '' ? undefined : this.#deps.listener.completed(routerId, commandKey, failure, outputs);
  }

  /** @param isLate the router may have another value by now, which is read instead */
  #keepValue(session: Session, path: string, value: string, isLate: boolean): Promise<unknown> | undefined {
    if (path.startsWith(FIRMWARE_IMAGES)) {
      this.#deps.listener.progressed(session.router.routerId, path, value);
      return undefined;
    }
    const { ingest, clock, positions } = this.#deps;
    if (positions.isLocation(path)) return positions.located(session.router.routerId, value);
    const isAlarm = ingest.isAlarmPath(path);
    const change = isAlarm ? undefined : ingest.readValueChange(path, value, session.primary, clock.now());
    if (isLate && (isAlarm || change !== undefined)) return this.#readValue(session, path);
    if (isAlarm) {
      const alarm = ingest.readAlarm(path, value, session.primary);
      return alarm === undefined ? undefined : this.#deps.reports.recordReport(session.router.routerId, alarm);
    }
    if (change !== undefined) return this.#deps.presence.recordChange(session.router.routerId, change);
    const table = ingest.tableOfPath(path);
    if (table !== undefined) return this.#readOnce(session, table, () => this.#readTable(session, table));
    return this.#readEverything(session);
  }

  async #readTable(session: Session, table: 'uplinks' | 'wifi'): Promise<void> {
    if (await this.#deps.readTable(session, table)) await this.#readEverything(session);
  }

  /** If that fails, it happens at the next connect. Each time readings are stored as well. */
  #readEverything(session: Session): Promise<never> | undefined {
    const { routerId } = session.router;
    if (this.#changes.isSpent(routerId, performance.now())) {
      this.#warnOnce(this.#flooding, session, 'A router notifies more changes than it is read for; they are left unanswered.');
      return Promise.reject(new Error('Too many changes.'));
    }
    this.#changes.spend(routerId, performance.now());
    this.#deps.changed(session);
    return undefined;
  }

  #readValue(session: Session, path: string): Promise<void> {
    const { routerId } = session.router;
    this.#paths.set(routerId, (this.#paths.get(routerId) ?? new Set()).add(path));
    return this.#readOnce(session, 'values', async () => {
      const paths = [...(this.#paths.get(routerId) ?? [])];
      this.#paths.delete(routerId);
      const current = this.#deps.current(routerId) ?? session;
      const responses = await readAll(current, paths);
      const keep = async (each: string) => {
        const value = responses.get(each);
        if (value !== undefined) await this.#keepValue(current, each, value, false);
      };
      await Promise.all(paths.map(keep));
    });
  }

  /** Several values change together: those that come while some are read wait for one more reading. */
  #readOnce(session: Session, name: string, readNow: () => Promise<void>): Promise<void> {
    const key = `${session.router.routerId} ${name}`;
    const running = this.#readings.get(key);
    if (running?.next !== undefined) return running.next;
    const begin = () => {
      const now = readNow();
      const entry: Reading = { now };
      this.#readings.set(key, entry);
      return now.finally(() => {
        if (entry.next === undefined) this.#readings.delete(key);
      });
    };
    if (running === undefined) return begin();
    running.next = running.now.catch(() => undefined).then(begin);
    return running.next;
  }

  #keepEvent(
    session: Session,
    eventName: string,
    params: ReadonlyMap<string, string>,
    payload: Uint8Array,
  ): Promise<unknown> | undefined {
    const { routerId } = session.router;
    switch (eventName) {
      case 'Boot!':
        this.#boots.spend(routerId, performance.now());
        this.#deps.booted(session);
        return this.#keepBoot(routerId, params, payload);
      case 'Push!':
        return this.#keepMeasured(session, params.get('Data') ?? '');
      case 'TransferComplete!':
        return this.#keepTransfer(routerId, params);
      default:
        return undefined;
    }
  }

  /** A transfer ended. The end of the command with this key may also be reported separately, before or after. */
  #keepTransfer(routerId: string, params: ReadonlyMap<string, string>): Promise<unknown> | undefined {
    const key = params.get('CommandKey') ?? '';
    if (key === '') return undefined;
    const fault = Number(params.get('FaultCode') ?? '0');
    const failure = fault === 0 ? undefined : toFailure(faultCode(fault), params.get('FaultString') ?? '');
    return this.#deps.listener.completed(routerId, key, failure, NO_OUTPUTS);
  }

  async #keepBoot(routerId: string, params: ReadonlyMap<string, string>, payload: Uint8Array): Promise<void> {
    const cause = bootCause(params);
    const key = params.get('CommandKey') ?? '';
    const { presence, reports, listener } = this.#deps;
    // TR-181: LocalFactoryReset is triggered at the router, RemoteFactoryReset by a controller.
    const isReset = cause.endsWith('FactoryReset');
    const booted = presence.booted(routerId, { cause, isReset, hash: hash('sha256', payload, 'base64url') });
    const reported = reports.booted(routerId, isReset, payload);
    const reset = isReset ? listener.reset?.(routerId) : undefined;
    const restarted = key === '' ? undefined : listener.restarted?.(routerId, key);
    await Promise.all([booted, reported, restarted, reset]);
    listener.ready(routerId);
  }

  #keepMeasured(session: Session, data: string): Promise<unknown> | undefined {
    const { ingest, clock } = this.#deps;
    const now = clock.now().getTime();
    const pushed = ingest.readPushedReports(data, session.clockSkewMs, now);
    // The times of a clock that is not set are far off, until it is set.
    if (pushed.offMs > NEWEST_MS === session.isClockUnset) return this.#keepReports(session, pushed, now);
    return this.#readClockAgain(session).then(() =>
      this.#keepReports(session, ingest.readPushedReports(data, session.clockSkewMs, now), now),
    );
  }

  /** Read the clock of a router again, or wait for that. If it fails, the clock stays as it is known. */
  #readClockAgain(session: Session): Promise<void> {
    const last = this.#clocks.get(session);
    const at = performance.now();
    if (last !== undefined && at - last.at < CLOCK_AGAIN_MS) return last.done;
    const done = this.#readClock(session).catch(() => undefined);
    this.#clocks.set(session, { at, done });
    return done;
  }

  async #readClock(session: Session): Promise<void> {
    const { ingest, clock, presence } = this.#deps;
    const requestedAt = clock.now().getTime();
    const time = (await readAll(session, [LOCAL_TIME])).get(LOCAL_TIME);
    const skew = ingest.readSkew(time, requestedAt, clock.now().getTime(), session.clockSkewMs);
    if (skew === undefined) return;
    session.noteSkew(skew);
    await presence.recordReport(session.router.routerId, {}, skew);
  }

  #keepReports(session: Session, { reports: pushed, isCut }: PushedReports, now: number): Promise<unknown> | undefined {
    const { ingest } = this.#deps;
    if (isCut)
      this.#warnOnce(this.#cut, session, 'A router reports more values at once than are read; its older reports are dropped.');
    this.#reports.spend(session.router.routerId, performance.now(), pushed.length);
    const samples = ingest.measuredIn(pushed, session.primary.modem);
    takeSignal(session, ingest, pushed);
    const { routerId } = session.router;
    const located = this.#deps.positions.pushed(routerId, pushed);
    const connectedAt = now - (performance.now() - session.lookedUpAt);
    const measured = samples.length === 0 ? undefined : this.#deps.telemetry.write(routerId, samples, connectedAt);
    const counted = this.#deps.usage.reported(routerId, pushed, session.primary);
    return located === undefined && counted === undefined ? measured : Promise.all([located, measured, counted]);
  }

  /** Once for each connection. */
  #warnOnce(warned: WeakSet<Session>, session: Session, sentence: string): void {
    if (warned.has(session)) return;
    warned.add(session);
    this.#deps.log.warn({ serial: session.router.serial }, sentence);
  }
}
