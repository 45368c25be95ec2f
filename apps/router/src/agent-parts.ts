import { UspError } from '@highline/usp';
import type { AgentOptions } from './agent-options.ts';
import { Esims } from './esims/esims.ts';
import type { StoredCell } from './link/cell-address.ts';
import { UspSession } from './link/usp-session.ts';
import { Link } from './link/link.ts';
import type { Euicc } from './platform/euicc.ts';
import { acceptRowValue } from './model/checked-settings.ts';
import type { RouterControl, RouterView } from './model/definition.ts';
import { apnInUse, profileInUse } from './model/profiles.ts';
import type { Transaction, RowStore } from './model/transaction.ts';
import { type RequestContext, respondToRequest } from './model/requests.ts';
import { BootAnnouncement } from './notifications/boot.ts';
import { StoredEnds } from './notifications/ends.ts';
import { Notifier } from './notifications/notifier.ts';
import { isOutOfSpace } from './platform/files.ts';
import { createAlarms } from './platform/alarms.ts';
import { createTrailCursor } from './platform/trail-cursor.ts';
import { ActivityLog } from './remote/activity-log.ts';
import { RemoteAccess } from './remote/remote-access.ts';
import { PortForwards } from './settings/port-forwards.ts';
import { SettingsTrial } from './settings/settings-trial.ts';
import { passesFirewall } from './model/objects/forwarding.ts';
import { hasWan } from './model/objects/uplinks.ts';
import { CommandRuns } from './state/command-runs.ts';
import { afterFactoryReset, afterRebootRequest } from './state/lifecycle.ts';
import { afterPasswordChange, rowStoreOf } from './state/rows.ts';
import type { RouterState, SlotNumber } from './state/state.ts';
import { Updater } from './updates/updater.ts';

/** Lifecycle events that parts of the agent cause or need. */
export type AgentLifecycle = {
  /** The firmware of the current start; stored state may describe the next one. */
  runs(): Running;
  connected(): void;
  disconnected(): void;
  /** The active config file may have changed the address. */
  configChanged(): void;
  /** The SIM or its network registration has changed. */
  simChanged(): void;
  /** Restart after pending answers have been sent. */
  restartSoon(): void;
  /** Connect again, once responses are sent. */
  reconnectSoon(): void;
};

/** What leads to the cloud. */
export type Uplink = 'wan' | 'modem';

/** Firmware version, and the slot it runs from. */
export type Running = { firmware: string; active: SlotNumber };

/** What a start from this state runs. */
export function runningIn({ installed, flash }: RouterState): Running {
  return { firmware: installed.firmware, active: flash.active };
}

/** The address to call home to, from the active config file, with the secret in it; undefined: none. */
function homeAddressOf({ store, addressOf }: AgentOptions): string | undefined {
  return addressOf(store.current().installed.config?.text ?? '');
}

/** Composes the software of a router and connects its parts, which do not know each other. */
export class AgentParts {
  readonly link: Link;
  readonly uspSession: UspSession;
  readonly notifier: Notifier;
  readonly boot: BootAnnouncement;
  readonly running: CommandRuns;
  readonly updater: Updater;
  /** Undefined: the SIM is a card without profiles. */
  readonly esims: Esims | undefined;
  readonly ends: StoredEnds;
  readonly activityLog: ActivityLog;
  readonly remote: RemoteAccess;
  readonly forwards: PortForwards;
  readonly settingsTrial: SettingsTrial;
  readonly #power = new AbortController();
  readonly #startedAt: number;
  readonly #options: AgentOptions;
  readonly #lifecycle: AgentLifecycle;
  readonly #view: RouterView;
  readonly #rowStore: RowStore;
  /** What the current or the last connection was begun over. */
  #uplink: Uplink | undefined;
  readonly #control: RouterControl;

  constructor(options: AgentOptions, lifecycle: AgentLifecycle) {
    const { platform, log } = options;
    this.#options = options;
    this.#lifecycle = lifecycle;
    this.#startedAt = options.scheduler.elapsed();
    this.activityLog = new ActivityLog(() => platform.clock.now());
    this.#view = this.#createView();
    this.forwards = new PortForwards({ ...options, router: this.#view, address: platform.networks?.forwardsOn });
    this.settingsTrial = this.#createSettingsTrial();
    this.#rowStore = this.#createRowStore();
    this.remote = this.#createRemote();
    this.#control = this.#createControl();
    this.running = new CommandRuns(this.#view, this.#rowStore, (ended) => this.notifier.notifyEnd(ended), log);
    this.link = this.#createLink();
    this.uspSession = this.#createUspSession();
    this.notifier = this.#createNotifier();
    this.boot = new BootAnnouncement({ ...options, router: this.#view, notifier: this.notifier });
    this.updater = this.#createUpdater();
    this.esims = this.#createEsims();
    this.ends = new StoredEnds({ ...options, updates: this.updater, esims: this.esims, notifier: this.notifier });
  }

  /** Whole seconds since this start. */
  get uptimeSeconds(): number {
    return Math.floor((this.#options.scheduler.elapsed() - this.#startedAt) / 1000);
  }

  /** Whether there is a network, of the modem or at the WAN port. */
  get hasNetwork(): boolean {
    return this.#isRegistered || hasWan(this.#view);
  }

  /** Whether there is a connection that does not need what has changed; one over the WAN port does not test a profile. */
  keepsConnection(changed: Uplink): boolean {
    if (!this.link.isUp) return false;
    if (changed === 'modem') return this.#uplink === 'wan' && this.#chooseUplink() === 'wan';
    return this.#uplink === 'modem' || hasWan(this.#view);
  }

  /** Current address to connect to: none while nothing carries data. */
  chooseAddress(): string | undefined {
    this.#uplink = this.#passesFirewall() ? this.#chooseUplink() : undefined;
    return this.#uplink === undefined ? undefined : homeAddressOf(this.#options);
  }

  /** The WAN port comes first; whether a profile is good, only the modem shows. */
  #chooseUplink(): Uplink | undefined {
    const modemWorks = this.#isRegistered && this.#options.platform.modem.carriesData(apnInUse(this.#view));
    if (modemWorks && (this.esims?.isOnTrial === true || !hasWan(this.#view))) return 'modem';
    return hasWan(this.#view) ? 'wan' : undefined;
  }

  get #isRegistered(): boolean {
    return this.#options.platform.modem.signal().registered;
  }

  /** Whether the router's own firewall lets it reach the cloud. */
  #passesFirewall(): boolean {
    const address = homeAddressOf(this.#options);
    if (address === undefined) return true;
    const { hostname, port, protocol } = new URL(address);
    return passesFirewall(this.#view, hostname, Number(port) || (protocol === 'wss:' ? 443 : 80));
  }

  /** End the tests that run. */
  stopDiagnostics(): void {
    this.#power.abort();
  }

  /** Store what matters more than a download: one that is not finished may fill the disk, and is erased then. @throws Error when it cannot be written */
  storeFirst(state: RouterState): void {
    const { store, log } = this.#options;
    try {
      store.commit(state);
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      log('warn', 'state.not-written', { reason: String(error), action: 'erasing unfinished downloads' });
      this.updater.eraseUnfinished();
      store.commit(state);
    }
  }

  /** The router's password was changed, or reset to its default. @throws Error when that cannot be written */
  storePasswordChange(isDefault: boolean): void {
    const { store, platform } = this.#options;
    store.commit(afterPasswordChange(store.current(), platform.clock.now(), isDefault));
    this.activityLog.add('system', isDefault ? 'the password was reset to its default' : 'the password was changed');
    this.notifier.notifyValues();
  }

  /** What is before a change that can cut the router off is kept first. */
  #createRowStore(): RowStore {
    const rowStore = rowStoreOf(this.#options.store);
    return {
      ...rowStore,
      save: (rows, nextInstance) => {
        this.settingsTrial.prepare(rowStore.rows(), rows);
        rowStore.save(rows, nextInstance);
      },
    };
  }

  #createSettingsTrial(): SettingsTrial {
    return new SettingsTrial({
      ...this.#options,
      reconnect: () => this.#lifecycle.simChanged(),
      changed: () => this.notifier.notifyValues(),
    });
  }

  #createView(): RouterView {
    const { identity, platform, endpointId, controllerId, store } = this.#options;
    return {
      identity,
      platform,
      alarms: createAlarms(platform),
      endpointId,
      controllerId,
      uptimeSeconds: () => this.uptimeSeconds,
      installed: () => ({ ...store.current().installed, firmware: this.#lifecycle.runs().firmware }),
      firstUse: () => store.current().firstUse ?? undefined,
      updates: () => ({ job: store.current().job, flash: { ...store.current().flash, active: this.#lifecycle.runs().active } }),
      esims: () => store.current().esims,
      updatePercent: () => this.updater.percent,
      checksSignatures: this.#options.trustedKeys.length > 0,
      remote: (service) => this.remote.statusOf(service),
      trail: createTrailCursor(this.#options.scheduler),
      forwards: (port, protocol) => this.forwards.listens(port, protocol),
      row: (path) => store.current().rows[path],
      rowPaths: () => Object.keys(store.current().rows),
    };
  }

  #createControl(): RouterControl {
    const { store } = this.#options;
    return {
      reboot: (commandKey) => {
        store.commit(afterRebootRequest(store.current(), commandKey));
        this.#lifecycle.restartSoon();
      },
      restartModem: () => this.#lifecycle.reconnectSoon(),
      factoryReset: (commandKey) => {
        this.storeFirst(afterFactoryReset(store.current(), commandKey, 'RemoteFactoryReset'));
        this.#lifecycle.restartSoon();
      },
      remote: this.remote,
      diagnostics: {
        signal: this.#power.signal,
        observe: (listener) => this.link.observe(listener),
        logEntries: () => this.activityLog.entries,
      },
      resetPassword: () => this.storePasswordChange(true),
      collect: (profilePath) => this.notifier.collect(profilePath),
      update: (job) => this.updater.begin(job),
      esim: (job) => this.esims?.begin(job) ?? NO_EUICC,
    };
  }

  #createLink(): Link {
    const { store, log } = this.#options;
    const cell = {
      read: () => store.current().cell ?? null,
      write: (next: StoredCell | null) => {
        const { cell: _, ...others } = store.current();
        try {
          store.commit(next === null ? others : { ...others, cell: next });
        } catch (error) {
          log('warn', 'link.cell_not_stored', { reason: String(error) });
        }
      },
    };
    return new Link(
      { ...this.#options, cell },
      {
        up: () => this.#lifecycle.connected(),
        down: () => this.#lifecycle.disconnected(),
        frame: (bytes) => this.uspSession.receive(bytes),
      },
    );
  }

  #createUspSession(): UspSession {
    const { endpointId, controllerId, log } = this.#options;
    return new UspSession({
      ids: { endpointId, controllerId },
      link: this.link,
      log,
      respond: (request) => respondToRequest(this.#context(), request),
      responded: () => {
        this.updater.calledHome();
        if (this.#uplink === 'modem') this.esims?.calledHome();
        this.settingsTrial.calledHome();
      },
      acknowledged: (msgId) => this.notifier.acknowledge(msgId),
    });
  }

  #createNotifier(): Notifier {
    const { random, scheduler, valueChangePollMs } = this.#options;
    return new Notifier({
      ...this.#options,
      router: this.#view,
      idPrefix: Math.floor(random() * 2 ** 40).toString(36) + scheduler.now().toString(36),
      pollMs: valueChangePollMs,
      isConnected: () => this.link.isUp,
      send: (message) => this.uspSession.send(message),
    });
  }

  #createUpdater(): Updater {
    const { store, platform, scheduler, log, trustedKeys, model, identity, controllerId, callHomeMs, retryMs } = this.#options;
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
      acceptValue: (path, name, value) => acceptRowValue(model, this.#view, path, name, value),
      isConnected: () => this.link.isUp,
      on: {
        restart: () => this.#lifecycle.restartSoon(),
        reconnect: () => {
          this.forwards.follow();
          this.#lifecycle.configChanged();
        },
        changed: () => this.notifier.notifyValues(),
        ended: () => this.ends.notify(),
      },
    });
  }

  #createEsims(): Esims | undefined {
    const { platform, controllerId } = this.#options;
    if (platform.euicc === undefined) return undefined;
    const context = {
      ...this.#options,
      euicc: this.#reportingSwitches(platform.euicc),
      timing: this.#options,
      isRegistered: () => this.#isRegistered,
      hasWan: () => hasWan(this.#view),
      inUse: () => profileInUse(this.#view),
      on: {
        reconnect: () => this.#lifecycle.simChanged(),
        changed: () => this.notifier.notifyValues(),
        ended: () => this.ends.notify(),
      },
    };
    return new Esims(context, controllerId);
  }

  /** Reports the counters with the SIM before and after each switch, so that its bytes are known. */
  #reportingSwitches(euicc: Euicc): Euicc {
    return {
      ...euicc,
      enable: (iccid) => {
        const inUse = () => euicc.profiles().find((each) => each.inUse)?.iccid;
        const before = inUse();
        if (before !== iccid) this.notifier.collectAll();
        euicc.enable(iccid);
        if (before !== inUse()) this.notifier.collectAll();
      },
    };
  }

  #createRemote(): RemoteAccess {
    return new RemoteAccess({
      ...this.#options,
      router: this.#view,
      activityLog: this.activityLog,
      home: () => this.link.address || homeAddressOf(this.#options),
      set: (objPath, param, value) => this.#set(objPath, param, value),
      restart: () => this.#lifecycle.restartSoon(),
    });
  }

  /** Set a parameter like a controller. @returns what is wrong with it */
  #set(objPath: string, param: string, value: string): string | undefined {
    const updateObjs = [{ objPath, paramSettings: [{ param, value, required: true }] }];
    const response = respondToRequest(this.#context(), { type: 'set', allowPartial: false, updateObjs });
    return response.type === 'error' ? response.errMsg : undefined;
  }

  #context(): RequestContext {
    return {
      model: this.#options.model,
      router: this.#view,
      rowStore: this.#rowStore,
      control: this.#control,
      running: this.running,
      changed: (transaction) => this.#changed(transaction),
    };
  }

  #changed(transaction: Transaction): void {
    this.esims?.settingsChanged();
    this.settingsTrial.follow();
    this.forwards.follow();
    this.notifier.follow();
    this.boot.make();
    this.ends.notify();
    this.notifier.notifyChanges(transaction);
  }
}

const NO_EUICC = { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: 'this router has no eUICC' } as const;
