import {
  countMessageFields,
  decodeMessage,
  decodeRecord,
  encodeMessageRecord,
  encodeRecord,
  isRequest,
  MOST_MESSAGE_FIELDS,
  readMessageId,
  UspDecodeError,
  UspError,
  UspTooManyFieldsError,
  type NotifyRequest,
  type ResponseTo,
  type UspErrorBody,
  type UspMessage,
  type UspRecord,
  type UspRequest,
} from '@highline/usp';
import { isClockUnset, type PresenceReason, type RejectionReason } from '@highline/contract';
import type { AdmittedRouter } from '../../domains/inventory/index.ts';
import { Exchange, NoResponse } from './exchange.ts';
import type { Euicc, Primary, SetUpReport } from '../../domains/router-state/index.ts';
import type { AgentLink, CloseCause, LinkEvents } from './mtp.ts';
import { Pace } from './pace.ts';
import { sanitizeMessage } from './sanitize-message.ts';
import type { GatewaySettings } from './settings.ts';
import type { Timed, TimerWheel } from './wheel.ts';

/** What the sessions of a gateway share, and the events they emit. */
export interface SessionHost {
  readonly settings: GatewaySettings;
  readonly wheel: TimerWheel;
  /** The router introduced itself: from now on it counts as connected. */
  opened(session: Session): void;
  /** @param payload the encoded message as received, identical at every repetition */
  notified(session: Session, msgId: string, notify: NotifyRequest, payload: Uint8Array): void;
  /** The router is alive; emitted now and then. */
  recordContact(session: Session): void;
  /** An open session has ended. */
  ended(session: Session, reason: PresenceReason): void;
  /** A replaced session closed properly: its router was alive when the other one connected. */
  survivedReplacement(session: Session): void;
  /** The router has received the responses to these notifications. */
  received(keys: readonly number[]): void;
  /** Its introduction was invalid, or what it sent afterwards. @param received what it sent instead */
  rejected(session: Session, reason: RejectionReason, received?: string): void;
  /** A record was dropped: not addressed to us, or from another endpoint than it claims. */
  dropped(session: Session): void;
}

type State = 'new' | 'open' | 'ended';
/** Versions of USP with the same record format. */
const VERSION = /^1\.[0-9]$/u;
/** Used for an agent that reports no known version. */
const USP_VERSION = '1.3';
/** Commands that take longer, and whose end is not reported, are few. */
const COMMAND_MS = 600_000;
/** More come in 20 s only after a long time without a connection, or from an agent whose pongs have no number: they are kept until they are old. */
const MOST_ANSWERED = 100;
const NO_PRIMARY: Primary = { modem: 0, sim: 0, sims: new Map() };
const primaryOf = ({ modem, sim, sims }: NonNullable<AdmittedRouter['primary']>): Primary => ({
  modem,
  sim,
  sims: new Map(Object.entries(sims).map(([each, own]) => [Number(each), own])),
});

/** One connection of one router, from its handshake to its end. */
export class Session implements Timed, LinkEvents {
  due = 0;
  readonly router: AdmittedRouter;
  readonly link: AgentLink;
  /** Its credentials were read after this (`performance.now()`). */
  readonly lookedUpAt: number;
  /** Modem and SIM shown in the router's row; those of its last connection until they are read. */
  primary: Primary;
  euicc: Euicc;
  /** What its times are corrected by. */
  clockSkewMs: number | undefined;
  /** Its clock is not set: its times say nothing. */
  isClockUnset = false;
  /** Last measured value, dBm; null = the router does not know it, undefined = it reported none. */
  rssi: number | null | undefined;
  /** Notifications waiting to be durable. */
  inFlight = 0;
  /** Paths polled at our interval; undefined while the router reports its readings itself. */
  polledPaths: readonly string[] | undefined;
  /** Path of our telemetry profile; undefined until its set-up has found or made it. */
  profile: string | undefined;
  /** Consecutive polls that were answered without any value. */
  emptyPolls = 0;
  /** Result of its last set-up on this connection. */
  setUp: SetUpReport | undefined;
  /** Interval between two reports that it should have; undefined until it is read. */
  reportSeconds: number | undefined;
  /** Consecutive set-up attempts that failed. */
  setUpTries = 0;
  /** Its set-up was tried on this connection: from then on the ends of commands are reported, if the agent can. */
  isSetUpTried = false;
  /** The parameters whose changes the router reports since this connection: undefined = not known yet, or it rejected them. */
  watched: string | undefined;
  /** The router has reported its subscriptions on this connection. */
  isSubscriptionsKnown = false;
  /** A serial number that it reported on this connection and is not the one of the inventory. */
  otherSerial: string | undefined;
  /** Something changed since its values were last requested. */
  hasChanged = false;
  /** It has lasted for a while. */
  isKept = false;
  /** When to reconcile it again, on the wheel's clock; undefined until it was. */
  refreshAt: number | undefined;
  readonly #host: SessionHost;
  readonly #pace: Pace;
  #state: State = 'new';
  #openedAt = 0;
  /** USP version of our records: the agent's own. */
  #version = USP_VERSION;
  #lastContactAt: number;
  #pingAt: number;
  #bytesSeen = 0;
  #contactRecordedAt: number;
  #replaced = false;
  #exchange: Exchange | undefined;
  /** When it connected, or was last sent a request. */
  #requestedAt: number;
  /** Keys of notifications that were answered since the last ping. */
  #answered: number[] | undefined;
  /** Those that were answered before a ping, the number of that ping until its pong comes, and the last number. */
  #unconfirmed: readonly number[] | undefined;
  #pingNumber = 0;
  /** A command runs on the router, whose end it reports; if it does not, until this time. */
  #runsUntil = 0;

  constructor(host: SessionHost, router: AdmittedRouter, link: AgentLink, lookedUpAt: number) {
    const { wheel, settings } = host;
    this.#host = host;
    this.router = router;
    this.link = link;
    this.primary = router.primary === null ? NO_PRIMARY : primaryOf(router.primary);
    this.euicc = { path: router.euicc?.path, eid: router.euicc?.eid ?? '', isThere: false };
    if (router.clockSkewMs !== null) this.noteSkew(router.clockSkewMs);
    this.#pace = new Pace(settings, wheel, link, () => this.#end('flooding', 'flooding', 'too many messages'));
    this.lookedUpAt = lookedUpAt;
    this.#lastContactAt = wheel.now;
    this.#contactRecordedAt = wheel.now;
    this.#requestedAt = wheel.now;
    // Random, so that a fleet that connects together is not pinged together forever.
    this.#pingAt = wheel.now + Math.floor(Math.random() * settings.pingMs);
    wheel.schedule(this, settings.connectMs);
  }

  /** Its clock was compared with ours. */
  noteSkew(skewMs: number): void {
    this.isClockUnset = isClockUnset(skewMs);
    this.clockSkewMs = this.isClockUnset ? undefined : skewMs;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** When anything was last received, by our clock. */
  get lastSeenAt(): Date {
    return new Date(Date.now() - (this.#host.wheel.now - this.#lastContactAt));
  }

  get isAwaited(): boolean {
    return this.#state === 'new' || this.owesResponse;
  }

  /** Whether the router may repeat on it what it sent into an older one. */
  get isYoung(): boolean {
    const { wheel, settings } = this.#host;
    return wheel.now - this.#openedAt < settings.youngMs;
  }

  /** Whether the router owes a response. */
  get owesResponse(): boolean {
    return this.#exchange?.isPending ?? false;
  }

  /** A command that the router accepted has begun, or has ended. */
  commandRuns(isRunning: boolean): void {
    this.#runsUntil = isRunning ? this.#host.wheel.now + COMMAND_MS : 0;
  }

  /** Whether it is set up and nothing was exchanged for a time but reports and signs of life: it may connect elsewhere. */
  isIdle(forMs: number): boolean {
    const { now } = this.#host.wheel;
    const isQuiet = !this.owesResponse && this.inFlight === 0 && now >= this.#runsUntil;
    return this.isOpen && this.isSetUpTried && isQuiet && now - this.#requestedAt >= forMs;
  }

  /** @throws NoResponse */
  async ask<T extends UspRequest['type']>(
    request: Extract<UspRequest, { type: T }>,
    timeoutMs = this.#host.settings.requestMs,
  ): Promise<ResponseTo<T> | UspErrorBody> {
    if (this.#state !== 'open') throw new NoResponse('disconnected');
    const { wheel, settings } = this.#host;
    this.#requestedAt = wheel.now;
    this.#exchange ??= new Exchange({
      wheel,
      awaitPingMs: settings.awaitPingMs,
      requestQueue: settings.requestQueue,
      send: (message) => this.send(message),
      ping: () => this.link.ping(),
    });
    const exchange = this.#exchange;
    try {
      return await exchange.ask(request, timeoutMs);
    } finally {
      // Most routers get the next request hours later.
      if (!exchange.isPending && this.#exchange === exchange) this.#exchange = undefined;
    }
  }

  /** Send a message to the router; close the connection when too much is unsent. */
  send(message: UspMessage): void {
    if (this.#state !== 'open') return;
    if (this.link.bytesUnsent > this.#host.settings.maxUnsentBytes) {
      this.#lose('no-answer');
      return;
    }
    const { controllerId } = this.#host.settings;
    this.link.send(encodeMessageRecord({ version: this.#version, toId: this.router.endpointId, fromId: controllerId }, message));
  }

  /** Answer a notification. @param key of one that is a repetition, if it comes again before the router has the response */
  respond(message: UspMessage, key: number | undefined): void {
    this.send(message);
    if (key === undefined || this.#state !== 'open') return;
    this.#answered ??= [];
    if (this.#answered.length < MOST_ANSWERED) this.#answered.push(key);
  }

  /** Close from here. */
  close(cause: CloseCause, why: PresenceReason, text: string): void {
    this.#end(why, cause, text);
  }

  /** A newer connection of the same router replaces this one. Emits no disconnect, since the router is still connected. */
  replace(): void {
    this.#replaced = true;
    this.#leave();
    this.link.close('replaced', 'replaced by a newer connection');
  }

  record(bytes: Uint8Array): void {
    this.#lastContactAt = this.#host.wheel.now;
    if (this.#state === 'ended') return;
    this.#pace.count(bytes.length);
    try {
      const record = decodeRecord(bytes);
      if (this.#state === 'new') this.#introduce(record);
      else this.#take(record);
    } catch (error) {
      if (!(error instanceof UspDecodeError)) throw error;
      this.#host.rejected(this, this.#state === 'new' ? 'not-usp' : 'unreadable');
      this.#end('protocol-fault', 'not-usp', 'not a USP record');
    }
  }

  alive(): void {
    this.#lastContactAt = this.#host.wheel.now;
    if (this.#state !== 'ended') this.#pace.count(0);
  }

  broken(): void {
    if (this.#state !== 'ended') this.#host.rejected(this, this.#state === 'new' ? 'not-usp' : 'unreadable');
    this.#finish('protocol-fault');
  }

  closed(isClean: boolean): void {
    if (this.#replaced && isClean) this.#host.survivedReplacement(this);
    this.#finish(isClean ? 'closed-by-router' : 'connection-lost');
  }

  echoed(number: number): void {
    if (this.#unconfirmed === undefined || number !== this.#pingNumber) return;
    this.#host.received(this.#unconfirmed);
    this.#unconfirmed = undefined;
  }

  /** Wheel tick: close when silent, ping when due. */
  fire(now: number): void {
    const { settings, wheel } = this.#host;
    if (this.#state === 'new') {
      this.#reject('silent', 'no websocket_connect record in time');
      return;
    }
    if (this.#isSilent(now)) {
      this.#lose('no-answer');
      return;
    }
    if (now >= this.#pingAt) this.#askForLife(now);
    wheel.schedule(this, Math.min(this.#pingAt, this.#lastContactAt + settings.silenceMs) - now);
  }

  #isSilent(now: number): boolean {
    const { silenceMs } = this.#host.settings;
    if (now - this.#lastContactAt < silenceMs) return false;
    // A paused connection is not silent, nor is one whose long message is still arriving.
    const hasMoved = this.link.bytesRead > this.#bytesSeen;
    if (!this.#pace.isPaused && !hasMoved) return true;
    this.#lastContactAt = now;
    return false;
  }

  #askForLife(now: number): void {
    const { settings } = this.#host;
    if (this.#answered === undefined || this.#unconfirmed !== undefined) this.link.ping();
    else {
      this.#unconfirmed = this.#answered;
      this.#answered = undefined;
      this.#pingNumber = (this.#pingNumber % 255) + 1;
      this.link.ping(this.#pingNumber);
    }
    this.#pingAt = now + settings.pingMs;
    this.#bytesSeen = this.link.bytesRead;
    if (now - this.#contactRecordedAt < settings.contactMs) return;
    this.#contactRecordedAt = now;
    this.#host.recordContact(this);
  }

  /**
   * TR-369 "WebSocket Binding": the first record introduces the agent, and must name the endpoint that the secret belongs to.
   */
  #introduce({ version, fromId, toId, payload }: UspRecord): void {
    const { settings, wheel } = this.#host;
    if (payload.type !== 'websocket_connect')
      this.#reject('no-connect-record', 'the first record is no websocket_connect', payload.type);
    else if (fromId !== this.router.endpointId) this.#reject('endpoint', 'from_id is not the connection’s endpoint', fromId);
    else if (toId !== settings.controllerId) this.#reject('controller', 'to_id is not this controller', toId);
    else {
      this.#state = 'open';
      this.#openedAt = wheel.now;
      if (VERSION.test(version)) this.#version = version;
      wheel.schedule(this, Math.min(this.#pingAt - wheel.now, settings.silenceMs));
      this.#host.opened(this);
    }
  }

  #reject(reason: RejectionReason, text: string, received?: string): void {
    this.#host.rejected(this, reason, received);
    this.#end('protocol-fault', 'rejected', text);
  }

  #take({ fromId, toId, payload }: UspRecord): void {
    if (fromId !== this.router.endpointId || toId !== this.#host.settings.controllerId) {
      this.#host.dropped(this);
      return;
    }
    switch (payload.type) {
      case 'no_session_context':
        this.#read(payload.payload);
        break;
      case 'disconnect':
        this.#end('closed-by-router', 'done', 'goodbye');
        break;
      case 'session_context':
        this.#rejectSessionContext();
        break;
      default:
        // A second introduction changes nothing; records of other transports are ignored here.
        break;
    }
  }

  #read(payload: Uint8Array): void {
    try {
      this.#pace.countFields(countMessageFields(payload));
    } catch (error) {
      if (error instanceof UspTooManyFieldsError && this.#failRequest(payload, error.message)) return;
      throw error;
    }
    // Too many: the connection was closed.
    if (this.#state === 'ended') return;
    const message = sanitizeMessage(decodeMessage(payload));
    const { msgId, body } = message;
    if (body.type === 'notify') this.#host.notified(this, msgId, body, payload);
    else if (isRequest(body)) this.#rejectRequest(msgId);
    else this.#exchange?.responded(message);
  }

  /** An answer that is too long to decode ends its request, not the connection. @returns whether it answers one */
  #failRequest(payload: Uint8Array, errMsg: string): boolean {
    const body: UspErrorBody = { type: 'error', errCode: UspError.resourcesExceeded, errMsg, paramErrs: [] };
    const isAnswer = this.#exchange?.responded({ msgId: readMessageId(payload), body }) ?? false;
    if (isAnswer) this.#pace.countFields(MOST_MESSAGE_FIELDS);
    return isAnswer;
  }

  /** A controller has no data model that an agent could get or set. */
  #rejectRequest(msgId: string): void {
    const errMsg = 'a controller answers notifications only';
    this.send({ msgId, body: { type: 'error', errCode: UspError.messageNotSupported, errMsg, paramErrs: [] } });
  }

  /** TLS protects the connection; reject a session context with an error (TR-369 "Record Errors"). */
  #rejectSessionContext(): void {
    const payload = {
      type: 'disconnect',
      reason: 'no session context here',
      reasonCode: UspError.sessionContextNotAllowed,
    } as const;
    const { controllerId } = this.#host.settings;
    this.link.send(encodeRecord({ version: this.#version, toId: this.router.endpointId, fromId: controllerId, payload }));
    this.#host.rejected(this, 'session-context');
    this.#end('protocol-fault', 'rejected', 'no session context here');
  }

  #end(why: PresenceReason, cause: CloseCause, text: string): void {
    if (this.#state === 'ended') return;
    this.#finish(why);
    this.link.close(cause, text);
  }

  #lose(why: PresenceReason): void {
    this.#finish(why);
    this.link.terminate();
  }

  #finish(why: PresenceReason): void {
    const wasOpen = this.#state === 'open';
    this.#leave();
    if (wasOpen) this.#host.ended(this, why);
  }

  #leave(): void {
    this.#state = 'ended';
    this.#host.wheel.cancel(this);
    this.#pace.end();
    this.#exchange?.end();
  }
}
