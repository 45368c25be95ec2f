import type { AgentOptions } from './agent-options.ts';
import type { Link } from './link/link.ts';
import { AgentParts, type Running, homeAddressOf, runningIn } from './agent-parts.ts';
import type { Cancel } from './platform/scheduler.ts';
import { afterBoot } from './state/lifecycle.ts';
import { slotOf } from './state/updates.ts';

/**
 * The software of a router from one start to the next: answers the controller and notifies it. Everything that outlives a restart
 * is in the store; everything else begins anew with a new Agent.
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

  /** Starts as after switching on. @throws Error when the state cannot be written: a router without memory must not pretend */
  start(): void {
    const { store, platform } = this.#options;
    const { activityLog, notifier, esims, updater } = this.#parts;
    platform.power.started();
    store.commit(afterBoot(store.current(), platform.clock.now()));
    const state = store.current();
    this.#runs = runningIn(state);
    activityLog.add('system', `started with firmware ${this.#runs.firmware}`);
    const { fault } = slotOf(state, state.flash.active);
    if (fault === 'crashes') return this.#restartSoon();
    notifier.follow();
    esims?.start();
    if (fault !== 'never-connects') this.link.start(this.#address());
    if (!this.#isRegistered) updater.onCoverageLost();
    updater.start();
  }

  /** Something that is watched may have changed: whoever subscribed to it need not wait for the next look. */
  look(): void {
    this.#parts.notifier.notifyValues();
  }

  /** Networks take the profile in use, or do not any more. */
  networkChanged(): void {
    this.#parts.esims?.networkChanged();
    this.look();
  }

  /** Somebody at the router changed its password. @throws Error when that cannot be written */
  changePassword(): void {
    this.#parts.storePasswordChange(false);
  }

  /** The network is gone, and comes back. */
  onCoverageLost(): void {
    const { link, updater, esims, remote } = this.#parts;
    this.#hasNoCoverage = true;
    link.onCoverageLost();
    updater.onCoverageLost();
    esims?.onCoverageLost();
    remote.onCoverageLost();
  }

  onCoverageRestored(): void {
    const { link, updater, esims, remote } = this.#parts;
    this.#hasNoCoverage = false;
    link.onCoverageRestored();
    if (this.#isRegistered) updater.onCoverageRestored();
    esims?.onCoverageRestored();
    remote.onCoverageRestored();
  }

  /** Ends: gracefully with a closing handshake, or at once as a power cut does. Nothing happens afterwards. */
  async halt(graceful: boolean): Promise<void> {
    const { running, updater, esims, remote, notifier } = this.#parts;
    running.stop();
    updater.stop();
    esims?.stop();
    // Without a handshake: nobody may be there to wait for the cloud's part of it.
    remote.end('the router stopped', false);
    notifier.close();
    this.#cancelRestart?.();
    await this.link.stop(graceful);
  }

  get #isRegistered(): boolean {
    return this.#options.platform.modem.signal().registered;
  }

  /** Where to connect now: nowhere as long as no network takes the SIM. */
  #address(): string | undefined {
    return this.#isRegistered && this.#parts.hasData ? homeAddressOf(this.#options) : undefined;
  }

  #connected(): void {
    const { uspSession, activityLog, notifier, boot, running, ends } = this.#parts;
    uspSession.open();
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
    const { updater } = this.#parts;
    if (!this.#isRegistered) updater.onCoverageLost();
    else if (!this.#hasNoCoverage) updater.onCoverageRestored();
  }

  /** Another network is another way, and after another config file its cloud may be another: what went over the one before is cut. */
  #reconnect(): void {
    this.#parts.remote.end('the router connects anew');
    this.link.redirect(this.#address());
  }

  #restartSoon(): void {
    const { scheduler, graceMs, on } = this.#options;
    this.#cancelRestart?.();
    this.#cancelRestart = scheduler.after(graceMs, () => on.restart());
  }
}
