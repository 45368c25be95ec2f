import type { AgentOptions } from './agent-options.ts';
import type { Link } from './link/link.ts';
import { AgentParts, type Running, type Uplink, runningIn } from './agent-parts.ts';
import type { Cancel } from './platform/scheduler.ts';
import { afterBoot, afterFactoryReset } from './state/lifecycle.ts';
import type { RouterState } from './state/state.ts';
import { slotOf } from './state/updates.ts';

/**
 * The software of a router from one start to the next: answers the controller and notifies it. Everything that outlives a restart
 * is in the store; everything else is created with a new Agent.
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #parts: AgentParts;
  #cancelRestart: Cancel | undefined;
  #runs: Running;
  #hasNoCoverage = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#runs = runningIn(options.store.current());
    this.#parts = new AgentParts(options, {
      runs: () => this.#runs,
      connected: () => this.#connected(),
      disconnected: () => this.#disconnected(),
      configChanged: () => this.#reconnect(),
      simChanged: () => this.#simChanged(),
      restartSoon: () => this.#restartSoon(),
      reconnectSoon: () => void this.#options.scheduler.after(this.#options.graceMs, () => this.#reconnect()),
    });
  }

  get link(): Link {
    return this.#parts.link;
  }

  get isConnected(): boolean {
    return this.link.isUp;
  }

  /** Whole seconds. */
  get uptimeSeconds(): number {
    return this.#parts.uptimeSeconds;
  }

  /**
   * Start as after power on. @throws Error when the state cannot be written: a router without storage must not appear to work
   */
  start(): void {
    const { activityLog, notifier, esims, updater, settingsTrial, forwards } = this.#parts;
    this.#options.platform.power.started();
    const state = this.#storeBoot();
    this.#runs = runningIn(state);
    activityLog.add('system', `started with firmware ${this.#runs.firmware}`);
    const { fault } = slotOf(state, state.flash.active);
    if (fault === 'crashes') return this.#restartSoon();
    this.#followNetwork();
    notifier.follow();
    esims?.start();
    settingsTrial.start();
    forwards.follow();
    if (fault !== 'never-connects') this.link.start(() => this.#parts.chooseAddress());
    updater.start();
  }

  /** @throws Error when the state cannot be written */
  #storeBoot(): RouterState {
    const booted = afterBoot(this.#options.store.current(), this.#options.platform.clock.now());
    this.#parts.storeFirst(booted);
    return booted;
  }

  /** A watched value may have changed: check subscriptions now instead of at the next poll. */
  checkValues(): void {
    this.#parts.notifier.notifyValues();
  }

  /** The network registration of the current profile has changed, or whether the WAN port carries data. */
  networkChanged(changed: Uplink): void {
    const { esims } = this.#parts;
    if (!this.#parts.keepsConnection(changed)) {
      if (esims === undefined) this.#simChanged();
      else esims.networkChanged();
    }
    this.checkValues();
  }

  /** The password was changed at the router. @throws Error when that cannot be written */
  changePassword(): void {
    this.#parts.storePasswordChange(false);
  }

  /** The reset button was pressed; a restart has to follow. @throws Error when that cannot be written: nothing has changed then */
  factoryReset(): void {
    this.#parts.storeFirst(afterFactoryReset(this.#options.store.current(), '', 'LocalFactoryReset'));
  }

  /** The network is gone, until `onCoverageRestored`. */
  onCoverageLost(): void {
    const { link, remote } = this.#parts;
    this.#hasNoCoverage = true;
    link.onCoverageLost();
    this.#followNetwork();
    remote.onCoverageLost();
  }

  onCoverageRestored(): void {
    const { link, remote } = this.#parts;
    this.#hasNoCoverage = false;
    link.onCoverageRestored();
    this.#followNetwork();
    remote.onCoverageRestored();
  }

  /** Stop: gracefully with a closing handshake, or at once like a power cut. Nothing happens afterwards. */
  async halt(graceful: boolean): Promise<void> {
    const { running, updater, esims, remote, notifier, settingsTrial, forwards } = this.#parts;
    running.stop();
    settingsTrial.stop();
    forwards.stop();
    this.#parts.stopDiagnostics();
    updater.stop();
    esims?.stop();
    // Without a handshake: the other side may be gone already.
    remote.end('the router stopped', false);
    notifier.close();
    this.#cancelRestart?.();
    await this.link.stop(graceful);
  }

  #connected(): void {
    const { uspSession, activityLog, notifier, boot, running, ends, updater, esims } = this.#parts;
    uspSession.open();
    // Not every modem says that it is registered.
    if (!this.#hasNoCoverage) for (const each of [updater, esims]) each?.onCoverageRestored();
    activityLog.add('link', 'connected to the cloud');
    this.#options.on.connected();
    notifier.resend();
    boot.make();
    running.reportInterrupted();
    ends.notify();
    notifier.flush();
  }

  #disconnected(): void {
    this.#parts.activityLog.add('link', 'lost the connection to the cloud');
    this.#options.on.disconnected();
  }

  #simChanged(): void {
    this.#reconnect();
    this.#followNetwork();
  }

  /** Downloads wait while there is no network. */
  #followNetwork(): void {
    const { updater, esims, hasNetwork } = this.#parts;
    for (const each of [updater, esims])
      if (hasNetwork && !this.#hasNoCoverage) each?.onCoverageRestored();
      else each?.onCoverageLost();
  }

  /** A new network means a new path, and a new config file may mean another cloud: cut the old connection. */
  #reconnect(): void {
    this.#parts.remote.end('the router reconnects');
    this.link.reconnect();
  }

  #restartSoon(): void {
    const { scheduler, graceMs, on } = this.#options;
    this.#cancelRestart?.();
    // The counters begin again with the restart: report them while they are there.
    this.#parts.notifier.collectAll();
    this.#cancelRestart = scheduler.after(graceMs, () => on.restart());
  }
}
