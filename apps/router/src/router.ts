import { routerEndpointId } from '@highline/usp';
import type { AgentOptions, AgentTiming } from './agent-options.ts';
import { Agent } from './agent.ts';
import { DEFAULT_BACKOFF } from './link/backoff.ts';
import { type Log, type LogFields, silentLog } from './log.ts';
import type { Model } from './model/model.ts';
import type { NetworkSwitch } from './model/network-switches.ts';
import { routerModel } from './model/tree.ts';
import { type NetworkPart, type PlatformOverrides, withOverrides } from './platform/alarms.ts';
import { withWriteFaults } from './platform/flash.ts';
import type { Cancel } from './platform/scheduler.ts';
import { afterFactoryReset } from './state/lifecycle.ts';
import { afterNetworkSwitch } from './state/rows.ts';
import { readConnection } from './updates/config-file.ts';

/** Components of a router, of which its agent gets most; see `startAgent` for the defaults. */
export type RouterParts = Omit<AgentOptions, keyof AgentTiming | 'endpointId' | 'addressOf' | 'model' | 'on'> & {
  /** Its credential; part of the address, never logged. Empty: its certificate is used. */
  secret: string;
  /** Base address of the cloud, ws:// or wss://, without /usp. */
  server: string;
  timing: RouterTiming;
  /** Data model; default: the complete tree. */
  model?: Model;
  /** Called when the router has stopped permanently. */
  release?: () => void;
};

/** All in milliseconds. */
export type RouterTiming = AgentTiming & {
  /** Duration of a start. */
  bootMs: number;
  /** Normal download time of a simulated eSIM profile; installing takes a third of it. */
  profileMs: number;
};

export const DEFAULT_TIMING: RouterTiming = {
  backoff: DEFAULT_BACKOFF,
  silenceMs: 60_000,
  valueChangePollMs: 15_000,
  graceMs: 300,
  bootMs: 4_000,
  callHomeMs: 120_000,
  retryMs: 2_000,
  profileMs: 12_000,
};

export type RouterEvent = 'connected' | 'disconnected' | 'booted' | 'off';
/** 'dark': switched on, without coverage. */
export type RouterCondition = 'off' | 'connecting' | 'connected' | 'dark' | 'stopped';

/** A router as used by tests, benchmarks and the command line. Durations are milliseconds. */
export type RouterHandle = {
  readonly serial: string;
  readonly endpointId: string;
  readonly condition: RouterCondition;
  readonly bootCount: number;
  /** Whole seconds since its last start; 0 while it is off. */
  readonly uptimeSeconds: number;
  /** Resolves at once when connected, else at the next connection. Never when stopped. */
  whenConnected(): Promise<void>;
  /** Call `listener` at each event until the returned function is called. */
  on(event: RouterEvent, listener: () => void): () => void;
  /** Lose power: the socket is gone without a close, and after `ms` the router starts again. */
  powerCut(ms: number): void;
  /** The engine is switched off for `ms`; the router switches itself off a little later, and starts again with the engine. */
  park(ms: number): void;
  /** Lose coverage: the connection becomes silent, half-open, and works again after `ms` if both ends still hold it. */
  lostCoverage(ms: number): void;
  /** For this time no network accepts the given profile, or the current one. Its other profiles can connect. */
  lostNetwork(ms: number, iccid?: string): void;
  /** For this time downloads cannot be written to flash. */
  badFlash(ms: number): void;
  /** Restart as if its button was pressed. */
  reboot(): void;
  /** Report this charge of the battery in percent; undefined = the true one again. */
  overrideBattery(percent: number | undefined): void;
  /** Report this temperature in degrees Celsius; undefined = the true one again. */
  overrideTemperature(degrees: number | undefined): void;
  /** A part of its networks stops working, or works again. */
  breakNetwork(part: NetworkPart, isBroken: boolean): void;
  /** Switch a setting of its networks on or off, as a person at the router does. */
  switchNetwork(setting: NetworkSwitch, isOn: boolean): void;
  /** Change the password at the router. */
  changePassword(): void;
  /** Long press of the reset button: settings are deleted, and it restarts. */
  factoryReset(): void;
  /** Delays every frame in both directions by `ms`; 0 ends it. Lasts over restarts. */
  slowLink(ms: number): void;
  /** Switch off permanently, with a closing handshake. */
  stop(): Promise<void>;
};

/** A parked router stays on this long, as a shut-down timer has it. */
const PARKED_ON_MS = 30_000;

/** The hardware: power, coverage and storage around the agent, which is created at every start. */
export class Router implements RouterHandle {
  readonly serial: string;
  readonly endpointId: string;
  readonly #parts: RouterParts;
  readonly #log: Log;
  #listeners: Map<RouterEvent, Set<() => void>> | undefined;
  #agent: Agent | undefined;
  #stopped = false;
  #latencyMs = 0;
  #hasNoCoverage = false;
  #flashIsBad = false;
  readonly #overrides: PlatformOverrides & { unregistered: Map<string, Cancel> } = { unregistered: new Map() };
  #cancelPower: Cancel | undefined;
  #cancelCoverage: Cancel | undefined;
  #cancelParking: Cancel | undefined;
  #cancelBadFlash: Cancel | undefined;

  constructor(parts: RouterParts) {
    const { identity, log, platform } = parts;
    const flash = withWriteFaults(platform.flash, () => this.#flashIsBad);
    this.#parts = { ...parts, platform: withOverrides({ ...platform, flash }, this.#overrides) };
    this.serial = identity.serial;
    this.endpointId = routerEndpointId(identity.mac.slice(0, 6), identity.serial);
    // Keep the silent log as it is: a load-test fleet should not even build log lines.
    this.#log = log === silentLog ? log : (level, event, fields) => log(level, event, { serial: identity.serial, ...fields });
  }

  get condition(): RouterCondition {
    if (this.#stopped) return 'stopped';
    if (!this.#agent) return 'off';
    if (this.#hasNoCoverage) return 'dark';
    return this.#agent.isConnected ? 'connected' : 'connecting';
  }

  get bootCount(): number {
    return this.#parts.store.current().bootCount;
  }

  get uptimeSeconds(): number {
    return this.#agent?.uptimeSeconds ?? 0;
  }

  /** Switch on. @throws Error when its state cannot be written */
  powerOn(): void {
    if (this.#agent || this.#stopped) return;
    const { secret, server, timing, model, release: _release, ...shared } = this.#parts;
    const agent = new Agent({
      ...shared,
      ...timing,
      endpointId: this.endpointId,
      addressOf: (text) => addressOf(text, server, secret, this.endpointId),
      model: model ?? routerModel(shared.platform.euicc !== undefined),
      log: this.#log,
      on: {
        connected: () => this.#emit('connected'),
        disconnected: () => this.#emit('disconnected'),
        restart: () => this.#powerCycle(timing.bootMs),
      },
    });
    this.#agent = agent;
    agent.link.setLatency(this.#latencyMs);
    if (this.#hasNoCoverage) agent.onCoverageLost();
    try {
      agent.start();
    } catch (error) {
      // What it has begun already must not go on: another start follows.
      this.#agent = undefined;
      void agent.halt(false);
      throw error;
    }
    this.#emit('booted', { bootCount: this.bootCount });
  }

  on(event: RouterEvent, listener: () => void): () => void {
    this.#listeners ??= new Map();
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  async whenConnected(): Promise<void> {
    if (this.condition === 'connected') return;
    await new Promise<void>((resolve) => {
      const unsubscribe = this.on('connected', () => {
        unsubscribe();
        resolve();
      });
    });
  }

  powerCut(ms: number): void {
    this.#powerCycle(ms + this.#parts.timing.bootMs);
  }

  park(ms: number): void {
    const { scheduler } = this.#parts;
    const goesOn = Math.min(PARKED_ON_MS, ms / 2);
    this.#park(true);
    this.#cancelParking?.();
    this.#cancelParking = scheduler.after(goesOn, () => {
      this.powerCut(ms - goesOn);
      this.#cancelParking = scheduler.after(ms - goesOn, () => this.#park(false));
    });
  }

  #park(isParked: boolean): void {
    this.#overrides.isParked = isParked;
    this.#agent?.checkValues();
  }

  reboot(): void {
    this.#powerCycle(this.#parts.timing.bootMs);
  }

  lostCoverage(ms: number): void {
    if (this.#stopped) return;
    this.#hasNoCoverage = true;
    this.#agent?.onCoverageLost();
    this.#cancelCoverage?.();
    this.#cancelCoverage = this.#parts.scheduler.after(ms, () => {
      this.#hasNoCoverage = false;
      this.#agent?.onCoverageRestored();
    });
  }

  lostNetwork(ms: number, iccid = this.#parts.platform.modem.identity().iccid): void {
    const { unregistered } = this.#overrides;
    const networkChanged = () => {
      if (this.#parts.platform.modem.identity().iccid === iccid) this.#agent?.networkChanged('modem');
    };
    unregistered.get(iccid)?.();
    const back = () => {
      unregistered.delete(iccid);
      networkChanged();
    };
    unregistered.set(iccid, this.#parts.scheduler.after(ms, back));
    networkChanged();
  }

  badFlash(ms: number): void {
    this.#flashIsBad = true;
    this.#cancelBadFlash?.();
    this.#cancelBadFlash = this.#parts.scheduler.after(ms, () => {
      this.#flashIsBad = false;
    });
  }

  overrideBattery(percent: number | undefined): void {
    this.#overrides.batteryPercent = percent;
    this.#agent?.checkValues();
  }

  overrideTemperature(degrees: number | undefined): void {
    this.#overrides.temperature = degrees;
    this.#agent?.checkValues();
  }

  breakNetwork(part: NetworkPart, isBroken: boolean): void {
    const others = [...(this.#overrides.broken ?? [])].filter((each) => each !== part);
    this.#overrides.broken = new Set(isBroken ? [...others, part] : others);
    if (part === 'wan') this.#agent?.networkChanged('wan');
    else this.#agent?.checkValues();
  }

  switchNetwork(setting: NetworkSwitch, isOn: boolean): void {
    const { store } = this.#parts;
    store.commit(afterNetworkSwitch(store.current(), setting, isOn));
    this.#agent?.checkValues();
  }

  changePassword(): void {
    this.#agent?.changePassword();
  }

  factoryReset(): void {
    const { store } = this.#parts;
    if (this.#agent) this.#agent.factoryReset();
    else store.commit(afterFactoryReset(store.current(), '', 'LocalFactoryReset'));
    this.reboot();
  }

  slowLink(ms: number): void {
    this.#latencyMs = ms;
    this.#agent?.link.setLatency(ms);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelPower?.();
    this.#cancelCoverage?.();
    this.#cancelParking?.();
    this.#cancelBadFlash?.();
    for (const cancel of this.#overrides.unregistered.values()) cancel();
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.halt(true);
    this.#parts.release?.();
  }

  #powerCycle(offMs: number): void {
    if (this.#stopped) return;
    const agent = this.#agent;
    this.#agent = undefined;
    void agent?.halt(false);
    if (agent) this.#emit('off');
    this.#cancelPower?.();
    this.#powerOnAfter(offMs);
  }

  #powerOnAfter(ms: number): void {
    this.#cancelPower = this.#parts.scheduler.after(ms, () => {
      try {
        this.powerOn();
      } catch (error) {
        // E.g. a full disk. Other routers in this process continue; this one retries like a router in a boot loop.
        this.#log('error', 'router.cannot-start', { reason: String(error) });
        this.#powerOnAfter(Math.max(1_000, this.#parts.timing.bootMs));
      }
    });
  }

  #emit(event: RouterEvent, fields?: LogFields): void {
    this.#log('info', `router.${event}`, fields);
    for (const listener of this.#listeners?.get(event) ?? []) listener();
  }
}

/** The address to connect to according to the active config file; undefined: none. */
function addressOf(configText: string, server: string, secret: string, endpointId: string): string | undefined {
  const connection = readConnection(configText);
  return connection.isOffline ? undefined : uspAddress(connection.server ?? server, secret, endpointId);
}

function withoutFinalSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}

/** The address for calling home: the secret is part of the path, since agents in the field cannot send HTTP authentication. */
function uspAddress(server: string, secret: string, endpointId: string): string {
  const path = secret === '' ? '/usp' : `/usp/${encodeURIComponent(secret)}`;
  return `${withoutFinalSlashes(server)}${path}?eid=${encodeURIComponent(endpointId)}`;
}
