import type { KeyObject } from 'node:crypto';
import {
  UspError,
  type UspMessage,
  type UspNotification,
  type UspRecord,
  UspDecodeError,
  decodeMessage,
  decodeRecord,
  encodeMessageRecord,
  encodeRecord,
  isRequest,
} from '@highline/usp';
import { Esims } from './esims/esims.ts';
import type { BackoffOptions } from './link/backoff.ts';
import { Link } from './link/link.ts';
import type { Log } from './log.ts';
import type { RouterControl, RouterIdentity, RouterView } from './model/definition.ts';
import type { Draft, RowKeeper } from './model/draft.ts';
import { type Model, locate } from './model/model.ts';
import { CONTROLLER } from './model/objects/local-agent.ts';
import { ADMINISTRATOR, PASSWORD_CHANGED, PASSWORD_IS_DEFAULT } from './model/objects/users.ts';
import { uniqueKeysOf } from './model/read.ts';
import { type RequestRoom, answerRequest } from './model/requests.ts';
import { bootParameterMap } from './notifications/boot.ts';
import { StoredEnds } from './notifications/ends.ts';
import { Heartbeat } from './notifications/heartbeat.ts';
import { Outbox } from './notifications/outbox.ts';
import { Reports } from './notifications/reports.ts';
import { type Subscription, readSetting, readSubscriptions, subscribersOf } from './notifications/subscriptions.ts';
import { ValueWatch } from './notifications/value-watch.ts';
import { createAlarms } from './platform/alarms.ts';
import type { Platform } from './platform/platform.ts';
import type { Cancel, Scheduler } from './platform/scheduler.ts';
import { Journal } from './remote/journal.ts';
import { RemoteAccess } from './remote/remote-access.ts';
import { CommandRuns, type EndedCommand } from './state/command-runs.ts';
import { afterBoot, afterBootDelivered, afterFactoryReset, afterRebootRequest } from './state/lifecycle.ts';
import type { RouterState, SlotNumber } from './state/state.ts';
import { slotOf } from './state/updates.ts';
import { Updater } from './updates/updater.ts';
import type { StateStore } from './state/store.ts';

export type AgentOptions = {
  identity: RouterIdentity;
  endpointId: string;
  controllerId: string;
  /** WebSocket address with the secret in it, by the text of the config file in force; undefined: it is not to connect. */
  addressOf: (configText: string) => string | undefined;
  /** Whose signature on an image counts; none = only its SHA-256 is checked. */
  trustedKeys: readonly KeyObject[];
  /** How long what was installed may take to call home before the old comes back. */
  callHomeMs: number;
  /** Wait before a download is tried again. */
  retryMs: number;
  model: Model;
  platform: Platform;
  scheduler: Scheduler;
  random: () => number;
  store: StateStore;
  backoff: BackoffOptions;
  /** No ping from the server for this long: the socket is dead. */
  silenceMs: number;
  /** How often subscribed values are compared. */
  valueChangePollMs: number;
  /** Private SSH host key of this router, in OpenSSH's format. */
  hostKey: () => string;
  /** Between the answer to Reboot() and the restart, so that the answer gets out. */
  graceMs: number;
  log: Log;
  on: AgentEvents;
};

/** What the hardware around the agent must know. */
export type AgentEvents = {
  connected(): void;
  disconnected(): void;
  /** The agent asks to be started anew; its state is safe. */
  restart(): void;
};

/**
 * The software of a router from one start to the next: answers the controller and notifies it. Everything that outlives a restart
 * is in the store; everything else begins anew with a new Agent.
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #view: RouterView;
  readonly #keeper: RowKeeper;
  readonly #control: RouterControl;
  readonly #running: CommandRuns;
  readonly #outbox: Outbox;
  readonly #reports: Reports;
  readonly #watch: ValueWatch;
  readonly #heartbeat: Heartbeat;
  readonly #updater: Updater;
  /** Undefined: the SIM is a card without profiles. */
  readonly #esims: Esims | undefined;
  readonly #ends: StoredEnds;
  readonly #journal: Journal;
  readonly #remote: RemoteAccess;
  readonly #startedAt: number;
  readonly link: Link;
  #subscriptions: Subscription[] = [];
  #cancelPoll: Cancel | undefined;
  #cancelRestart: Cancel | undefined;
  /** What this start runs: what is stored may be what the next one will. */
  #runs: { firmware: string; active: SlotNumber };
  #bootAnnounced = false;
  #isDark = false;

  constructor(options: AgentOptions) {
    const { scheduler, model, random, log } = options;
    this.#options = options;
    this.#startedAt = scheduler.now();
    this.#runs = runningIn(options.store.current());
    this.#journal = new Journal(() => options.platform.clock.now());
    this.#view = this.#createView();
    this.#remote = this.#createRemote();
    this.#keeper = this.#createKeeper();
    this.#control = this.#createControl();
    this.#running = new CommandRuns(this.#view, this.#keeper, (ended) => this.#commandEnded(ended), log);
    this.link = new Link(
      { scheduler, random, backoff: options.backoff, silenceMs: options.silenceMs, log },
      { up: () => this.#linkUp(), down: () => this.#linkDown(), frame: (bytes) => this.#receive(bytes) },
    );
    const idPrefix = Math.floor(random() * 2 ** 40).toString(36) + this.#startedAt.toString(36);
    const retry = () => this.#retrySettings();
    this.#outbox = new Outbox({ scheduler, random, log, idPrefix, retry, send: (message) => this.#send(message) });
    this.#reports = new Reports({ model, router: this.#view, scheduler, random, push: (path, data) => this.#push(path, data) });
    this.#watch = new ValueWatch(model, this.#view);
    this.#heartbeat = new Heartbeat({ model, router: this.#view, scheduler, random, beat: () => this.#periodic() });
    this.#updater = this.#createUpdater();
    this.#esims = this.#createEsims();
    this.#ends = this.#createEnds();
  }

  get #isRegistered(): boolean {
    return this.#options.platform.modem.signal().registered;
  }

  /** Where to connect now: nowhere as long as no network takes the SIM. */
  #address(): string | undefined {
    return this.#isRegistered ? this.#options.addressOf(this.#configText) : undefined;
  }

  /** The SIM is another one, or networks take it otherwise than before. */
  #connectAnew(): void {
    // Another network is another way: what went over the one before is cut.
    this.#remote.end('the router connects anew');
    this.link.redirect(this.#address());
    if (!this.#isRegistered) this.#updater.goDark();
    else if (!this.#isDark) this.#updater.comeBack();
  }

  get #configText(): string {
    return this.#options.store.current().installed.config?.text ?? '';
  }

  get isConnected(): boolean {
    return this.link.isUp;
  }

  get uptimeSeconds(): number {
    return this.#view.uptimeSeconds();
  }

  /** Starts as after switching on. @throws Error when the state cannot be written: a router without memory must not pretend */
  start(): void {
    const { store, platform } = this.#options;
    platform.power.started();
    store.commit(afterBoot(store.current(), platform.clock.now()));
    const state = store.current();
    this.#runs = runningIn(state);
    this.#journal.add('system', `started with firmware ${this.#runs.firmware}`);
    const { fault } = slotOf(state, state.flash.active);
    if (fault === 'crashes') return this.#restartSoon();
    this.#follow();
    this.#esims?.start();
    if (fault !== 'never-connects') this.link.start(this.#address());
    if (!this.#isRegistered) this.#updater.goDark();
    this.#updater.start();
  }

  /** Something that is watched may have changed: whoever subscribed to it need not wait for the next look. */
  look(): void {
    this.#compareValues();
  }

  /** Networks take the profile in use, or do not any more. */
  networkChanged(): void {
    this.#esims?.networkChanged();
    this.#compareValues();
  }

  /** Somebody at the router changed its password. @throws Error when that cannot be written */
  changePassword(): void {
    this.#keepPassword(false);
  }

  /** The network is gone, and comes back. */
  goDark(): void {
    this.#isDark = true;
    this.link.goDark();
    this.#updater.goDark();
    this.#esims?.goDark();
    this.#remote.goDark();
  }

  comeBack(): void {
    this.#isDark = false;
    this.link.comeBack();
    if (this.#isRegistered) this.#updater.comeBack();
    this.#esims?.comeBack();
    this.#remote.comeBack();
  }

  /** Ends: gracefully with a closing handshake, or at once as a power cut does. Nothing happens afterwards. */
  async halt(graceful: boolean): Promise<void> {
    this.#running.stop();
    this.#updater.stop();
    this.#esims?.stop();
    // Without a handshake: nobody may be there to wait for the cloud's part of it.
    this.#remote.end('the router stopped', false);
    this.#outbox.close();
    this.#reports.close();
    this.#heartbeat.close();
    this.#cancelPoll?.();
    this.#cancelRestart?.();
    await this.link.stop(graceful);
  }

  #createView(): RouterView {
    const { identity, platform, endpointId, controllerId, store, scheduler } = this.#options;
    return {
      identity,
      platform,
      alarms: createAlarms(platform),
      endpointId,
      controllerId,
      uptimeSeconds: () => Math.floor((scheduler.now() - this.#startedAt) / 1000),
      installed: () => ({ ...store.current().installed, firmware: this.#runs.firmware }),
      firstUse: () => store.current().firstUse ?? undefined,
      updates: () => ({ job: store.current().job, flash: { ...store.current().flash, active: this.#runs.active } }),
      esims: () => store.current().esims,
      updatePercent: () => this.#updater.percent,
      checksSignatures: this.#options.trustedKeys.length > 0,
      remote: (service) => this.#remote.statusOf(service),
      row: (path) => store.current().rows[path],
      rowPaths: () => Object.keys(store.current().rows),
    };
  }

  #createKeeper(): RowKeeper {
    const { store } = this.#options;
    return {
      rows: () => store.current().rows,
      nextInstance: () => store.current().nextInstance,
      save: (rows, nextInstance) => store.commit({ ...store.current(), rows, nextInstance }),
    };
  }

  #createControl(): RouterControl {
    const { store } = this.#options;
    return {
      reboot: (commandKey) => {
        store.commit(afterRebootRequest(store.current(), commandKey));
        this.#restartSoon();
      },
      factoryReset: (commandKey) => {
        store.commit(afterFactoryReset(store.current(), commandKey, 'RemoteFactoryReset'));
        this.#restartSoon();
      },
      remote: this.#remote,
      resetPassword: () => this.#keepPassword(true),
      collect: (profilePath) => this.#reports.collect(profilePath),
      update: (job) => this.#updater.begin(job),
      esim: (job) => this.#esims?.begin(job) ?? NO_EUICC,
    };
  }

  #createUpdater(): Updater {
    const { store, platform, scheduler, log, trustedKeys, identity, controllerId, callHomeMs, retryMs } = this.#options;
    return new Updater({
      store,
      flash: platform.flash,
      scheduler,
      log,
      trustedKeys,
      model: identity.model,
      controllerId,
      now: () => platform.clock.now(),
      timing: { callHomeMs, retryMs },
      on: {
        restart: () => this.#restartSoon(),
        reconnect: () => {
          // The cloud that asked for it may not be its cloud any more.
          this.#remote.end('the router connects anew');
          this.link.redirect(this.#address());
        },
        changed: () => this.#compareValues(),
        ended: () => this.#ends.tell(),
      },
    });
  }

  #createEsims(): Esims | undefined {
    const { store, platform, scheduler, log, callHomeMs, retryMs, graceMs, controllerId } = this.#options;
    if (platform.euicc === undefined) return undefined;
    const room = {
      store,
      euicc: platform.euicc,
      scheduler,
      log,
      timing: { callHomeMs, retryMs, graceMs },
      isRegistered: () => this.#isRegistered,
      on: {
        reconnect: () => this.#connectAnew(),
        changed: () => this.#compareValues(),
        ended: () => this.#ends.tell(),
      },
    };
    return new Esims(room, controllerId);
  }

  #createRemote(): RemoteAccess {
    const { scheduler, log, hostKey, addressOf } = this.#options;
    return new RemoteAccess({
      router: this.#view,
      scheduler,
      log,
      journal: this.#journal,
      hostKey,
      home: () => addressOf(this.#configText),
      set: (objPath, param, value) => this.#set(objPath, param, value),
      restart: () => this.#restartSoon(),
    });
  }

  /** Sets a parameter as a controller would. @returns what is wrong with it */
  #set(objPath: string, param: string, value: string): string | undefined {
    const updateObjs = [{ objPath, paramSettings: [{ param, value, required: true }] }];
    const answer = answerRequest(this.#room(), { type: 'set', allowPartial: false, updateObjs });
    return answer.type === 'error' ? answer.errMsg : undefined;
  }

  #keepPassword(isDefault: boolean): void {
    const rows = { ...this.#keeper.rows() };
    const at = new Date(this.#options.platform.clock.now()).toISOString();
    rows[ADMINISTRATOR] = { ...rows[ADMINISTRATOR], [PASSWORD_CHANGED]: at, [PASSWORD_IS_DEFAULT]: String(isDefault) };
    this.#keeper.save(rows, this.#keeper.nextInstance());
    this.#journal.add('system', isDefault ? 'the password was set back to its default' : 'the password was changed');
    this.#compareValues();
  }

  #createEnds(): StoredEnds {
    return new StoredEnds({
      updates: this.#updater,
      esims: this.#esims,
      controllerId: this.#options.controllerId,
      log: this.#options.log,
      notify: (path, notification, taken) => this.#notify('OperationComplete', path, notification, taken),
      raise: (objPath, event, params, taken) => this.#raise(objPath, event, params, taken),
    });
  }

  #compareValues(): void {
    // Without a connection the last value told stays the one to compare with.
    if (this.isConnected) this.#watch.check((subscription, path, value) => this.#valueChanged(subscription, path, value));
  }

  #restartSoon(): void {
    this.#cancelRestart?.();
    this.#cancelRestart = this.#options.scheduler.after(this.#options.graceMs, () => this.#options.on.restart());
  }

  #linkUp(): void {
    this.link.send(encodeRecord({ ...this.#ids(), payload: { type: 'websocket_connect' } }));
    this.#journal.add('link', 'connected to the cloud');
    this.#options.on.connected();
    this.#outbox.resend();
    if (!this.#bootAnnounced) this.#announceBoot();
    this.#running.reportInterrupted();
    this.#ends.tell();
    this.#reports.flush();
  }

  #linkDown(): void {
    this.#journal.add('link', 'lost the connection to the cloud');
    this.#options.on.disconnected();
  }

  #announceBoot(): void {
    this.#bootAnnounced = true;
    const { store, model } = this.#options;
    const { boot } = store.current();
    const { cause, commandKey, firmwareUpdated } = boot;
    const params = new Map([
      ['Cause', cause],
      ['CommandKey', commandKey],
      ['FirmwareUpdated', String(firmwareUpdated)],
      ['ParameterMap', bootParameterMap(model, this.#view)],
    ]);
    // A late answer says nothing of what the next Boot! has to say.
    const delivered = () => {
      if (store.current().boot === boot) this.#keepQuietly(afterBootDelivered(store.current()));
    };
    const told = this.#raise('Device.', 'Boot!', params, delivered);
    if (told > 0) return;
    // A reset wiped the subscriptions too: it is told as soon as somebody has subscribed again.
    if (cause.endsWith('FactoryReset')) this.#bootAnnounced = false;
    else delivered();
  }

  /** Saves what is only tidying: a failure is logged, since nobody waits for it. */
  #keepQuietly(state: RouterState): void {
    try {
      this.#options.store.commit(state);
    } catch (error) {
      this.#options.log('error', 'state.not-written', { reason: String(error) });
    }
  }

  #receive(bytes: Uint8Array): void {
    try {
      const record = decodeRecord(bytes);
      if (this.#isForMe(record)) this.#take(record);
    } catch (error) {
      if (!(error instanceof UspDecodeError)) throw error;
      this.#options.log('warn', 'usp.undecodable', { reason: error.message });
    }
  }

  /** TR-369 R-ENC.1 and "Record Errors": records of anyone else, or for anyone else, are dropped. */
  #isForMe({ toId, fromId }: UspRecord): boolean {
    const { endpointId, controllerId, log } = this.#options;
    if (toId === endpointId && fromId === controllerId) return true;
    log('warn', 'usp.not-for-me', { toId, fromId });
    return false;
  }

  #take({ payload }: UspRecord): void {
    if (payload.type === 'disconnect') {
      this.#options.log('info', 'usp.disconnect', { reason: payload.reason, code: payload.reasonCode });
      this.link.drop();
    } else if (payload.type === 'no_session_context') {
      this.link.confirm();
      this.#answer(decodeMessage(payload.payload));
    } else this.#options.log('warn', 'usp.unexpected-record', { type: payload.type });
  }

  #answer({ msgId, body }: UspMessage): void {
    if (isRequest(body)) {
      this.#send({ msgId, body: answerRequest(this.#room(), body) });
      this.#updater.calledHome();
      this.#esims?.calledHome();
    } else if (body.type === 'notify_resp') this.#outbox.acknowledge(msgId);
    else this.#options.log('warn', 'usp.unexpected-answer', { type: body.type });
  }

  #room(): RequestRoom {
    return {
      model: this.#options.model,
      router: this.#view,
      keeper: this.#keeper,
      control: this.#control,
      running: this.#running,
      changed: (draft) => this.#changed(draft),
    };
  }

  #changed(draft: Draft): void {
    this.#follow();
    if (!this.#bootAnnounced) this.#announceBoot();
    this.#ends.tell();
    this.#watch.check((subscription, path, value) => this.#valueChanged(subscription, path, value));
    for (const path of draft.created) {
      const uniqueKeys = new Map(
        locate(this.#options.model, this.#view, path).flatMap((place) => [...uniqueKeysOf(this.#view, place)]),
      );
      this.#notify('ObjectCreation', path, { type: 'obj_creation', objPath: path, uniqueKeys });
    }
    for (const path of draft.deleted) this.#notify('ObjectDeletion', path, { type: 'obj_deletion', objPath: path });
  }

  /** Takes subscriptions, profiles and intervals as they stand in the rows now. */
  #follow(): void {
    this.#subscriptions = readSubscriptions(this.#options.model, this.#view);
    this.#watch.follow(this.#subscriptions);
    this.#reports.follow();
    this.#heartbeat.follow();
    this.#cancelPoll?.();
    if (!this.#watch.isIdle) this.#pollLater();
  }

  #pollLater(): void {
    this.#cancelPoll = this.#options.scheduler.after(this.#options.valueChangePollMs, () => {
      this.#compareValues();
      this.#pollLater();
    });
  }

  #periodic(): void {
    if (this.isConnected) this.#raise('Device.LocalAgent.', 'Periodic!', new Map());
  }

  #push(profilePath: string, data: string): boolean {
    if (!this.isConnected) return false;
    this.#raise(profilePath, 'Push!', new Map([['Data', data]]));
    return true;
  }

  #raise(objPath: string, eventName: string, params: ReadonlyMap<string, string>, delivered?: () => void): number {
    return this.#notify('Event', objPath + eventName, { type: 'event', objPath, eventName, params }, delivered);
  }

  /** Notifies all who subscribed to `path`. @returns how many */
  #notify(notifType: Subscription['notifType'], path: string, notification: UspNotification, delivered?: () => void): number {
    const told = subscribersOf(this.#subscriptions, notifType, path);
    for (const subscription of told) this.#outbox.post(subscription, notification, delivered);
    return told.length;
  }

  #valueChanged(subscription: Subscription, paramPath: string, paramValue: string): void {
    this.#outbox.post(subscription, { type: 'value_change', paramPath, paramValue });
  }

  #commandEnded({ objPath, name, commandKey, outcome }: EndedCommand): void {
    const notification = { type: 'oper_complete', objPath, commandName: name, commandKey, result: outcome } as const;
    this.#notify('OperationComplete', objPath + name, notification);
  }

  #retrySettings(): { minMs: number; factor: number } {
    const read = (name: string) => Number(readSetting(this.#options.model, this.#view, CONTROLLER + name));
    return { minMs: read('USPNotifRetryMinimumWaitInterval') * 1000, factor: read('USPNotifRetryIntervalMultiplier') / 1000 };
  }

  #send(message: UspMessage): boolean {
    return this.link.send(encodeMessageRecord(this.#ids(), message));
  }

  #ids(): { toId: string; fromId: string } {
    return { toId: this.#options.controllerId, fromId: this.#options.endpointId };
  }
}

const NO_EUICC = { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: 'this router has no eUICC' } as const;

function runningIn({ installed, flash }: RouterState): { firmware: string; active: SlotNumber } {
  return { firmware: installed.firmware, active: flash.active };
}
