import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePublicKeys } from '@highline/image';
import { type RouterDescriptionInput, type RouterDescription, modemNumbers, routerDescription } from './description.ts';
import { injectOutages, injectParking, injectWanOutages } from './outages.ts';
import { injectPowerCuts } from './power-cuts.ts';
import type { ClientCertificate } from './link/link.ts';
import { type Log, silentLog } from './log.ts';
import type { Model } from './model/model.ts';
import { createHostKey } from './remote/host-key.ts';
import { createFileFlash } from './platform/flash.ts';
import type { Platform } from './platform/platform.ts';
import { createRandom, seedOf } from './platform/random.ts';
import { type Cancel, type Scheduler, createScheduler } from './platform/scheduler.ts';
import { createSimulatedPlatform } from './platform/simulated.ts';
import { DEFAULT_TIMING, Router, type RouterHandle, type RouterTiming } from './router.ts';
import { afterNetworkSwitch } from './state/rows.ts';
import { type ChipMemory, factoryState, type RouterState } from './state/state.ts';
import { createMemoryStore, openFileStore, type StateStore } from './state/store.ts';

/** Common options of agents and fleets. */
export type StartOptions = {
  /** Base address of the cloud, ws:// or wss://, without /usp. */
  server: string;
  /** Endpoint id of the cloud (default 'self::highline'). */
  controllerId?: string;
  /** Folder for the routers' state, one file each; without it state is lost with the process. */
  stateDir?: string;
  /** Milliseconds; defaults are the production values. */
  timing?: Partial<RouterTiming>;
  /** Log of a router; by default nothing is logged. The given log must hide the secret. */
  log?: Log;
  /** All randomness is derived from it and from each router's serial (default 1). */
  seed?: number;
  /** Shared time; default: real time with one timer for all. */
  scheduler?: Scheduler;
  /** Public keys as PEM; images must be signed by one of them. None = only their SHA-256 is checked. */
  trustedKeys?: readonly string[];
  /** Called before each write of a router's state, with its number since the process start: lets a test cut the power. */
  beforeWrite?: (serial: string, write: number) => void;
  /** The same, after the write and before anything that follows from it. */
  afterWrite?: (serial: string, write: number) => void;
  /** Program, with its arguments, as the shell of SSH sign-ins; default: the agent's own command line. */
  shell?: readonly string[];
  /** Interface of this machine that is the vehicle's network; default: a simulated one. */
  lan?: string;
  /** Another data model than the default. */
  model?: Model;
  /** Another store of a router's state than a file in `stateDir`. */
  store?: (router: RouterDescription, factory: RouterState) => StateStore;
  /** Another platform than the simulated one. */
  platform?: (router: RouterDescription, scheduler: Scheduler) => Platform;
};

export type AgentStartOptions = StartOptions & { router: RouterDescriptionInput };
export type FleetStartOptions = StartOptions & {
  routers: readonly RouterDescriptionInput[];
  /** The routers are switched on one by one over this time (default 0: at once). */
  rampMs?: number;
};

export type FleetHandle = {
  /** By serial number, in the order given. */
  readonly routers: ReadonlyMap<string, RouterHandle>;
  readonly connectedCount: number;
  /** Resolves when each router has been connected at least once. */
  whenAllConnected(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Start one router in this process.
 * @throws ZodError when its description is wrong; Error when its state cannot be written
 */
export function startAgent(options: AgentStartOptions): RouterHandle {
  const own = options.scheduler ? undefined : createScheduler();
  const router = createRouter(routerDescription.parse(options.router), options, options.scheduler ?? own!, () => own?.close());
  router.powerOn();
  return router;
}

/**
 * Start many routers in this process; it is designed for more than five thousand.
 * @throws ZodError when a description is wrong; Error when a state cannot be written
 */
export function startFleet(options: FleetStartOptions): FleetHandle {
  const own = options.scheduler ? undefined : createScheduler();
  const scheduler = options.scheduler ?? own!;
  const descriptions = options.routers.map((router) => routerDescription.parse(router));
  const routers = new Map(descriptions.map((each) => [each.serial, createRouter(each, options, scheduler)]));
  const cancels = switchOn(routers, scheduler, options.rampMs ?? 0);
  for (const each of descriptions) {
    const router = routers.get(each.serial);
    if (each.outages && router) cancels.push(injectOutages(router, scheduler, each.outages));
    if (each.parking && router) cancels.push(injectParking(router, scheduler, each.parking));
    if (each.wanOutages && router) cancels.push(injectWanOutages(router, scheduler, each.wanOutages));
    if (each.flaky && router)
      cancels.push(injectPowerCuts(router, scheduler, each.flaky, createRandom(seedOf(`flaky ${each.serial}`))));
  }
  return {
    routers,
    get connectedCount() {
      let count = 0;
      for (const router of routers.values()) if (router.condition === 'connected') count++;
      return count;
    },
    async whenAllConnected() {
      await Promise.all(Array.from(routers.values(), (router) => router.whenConnected()));
    },
    async stop() {
      for (const cancel of cancels) cancel();
      await Promise.all(Array.from(routers.values(), (router) => router.stop()));
      own?.close();
    },
  };
}

function switchOn(routers: ReadonlyMap<string, Router>, scheduler: Scheduler, rampMs: number): Cancel[] {
  const step = rampMs / Math.max(1, routers.size);
  return Array.from(routers.values(), (router, at) => {
    if (step > 0) return scheduler.after(at * step, () => router.powerOn());
    router.powerOn();
    return () => undefined;
  });
}

/** Read for every connection, so that a renewed certificate needs no restart. */
function certificateOf({ clientCert, clientKey }: RouterDescription): (() => ClientCertificate) | undefined {
  if (clientCert === undefined || clientKey === undefined) return undefined;
  return () => ({ cert: readFileSync(clientCert, 'utf8'), key: readFileSync(clientKey, 'utf8') });
}

function createRouter(router: RouterDescription, options: StartOptions, scheduler: Scheduler, release?: () => void): Router {
  const seed = seedOf(`${options.seed ?? 1} ${router.serial}`);
  const log = options.log ?? silentLog;
  const store = watched(createStore(router, options, log), router.serial, options);
  return new Router({
    identity: {
      serial: router.serial,
      mac: router.mac,
      model: router.model,
      hardwareVersion: router.hardwareVersion,
      friendlyName: router.vehicle,
    },
    secret: router.secret,
    certificate: certificateOf(router),
    server: options.server,
    controllerId: options.controllerId ?? 'self::highline',
    platform: options.platform?.(router, scheduler) ?? simulate(router, seed, scheduler, store, options),
    hostKey: createHostKey(options.stateDir === undefined ? undefined : `${baseOf(router, options.stateDir)}.host-key`, log),
    store,
    trustedKeys: (options.trustedKeys ?? []).flatMap((pem) => parsePublicKeys(pem)),
    scheduler,
    random: createRandom(seed),
    timing: { ...DEFAULT_TIMING, ...pollOf(router), ...options.timing },
    log,
    ...(options.model ? { model: options.model } : {}),
    ...(release ? { release } : {}),
  });
}

/** A position that changes more often is also looked at more often. */
function pollOf({ fixSeconds }: RouterDescription): Partial<RouterTiming> {
  const ms = (fixSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
  return ms < DEFAULT_TIMING.valueChangePollMs ? { valueChangePollMs: ms } : {};
}

function createStore(router: RouterDescription, { store, stateDir }: StartOptions, log: Log): StateStore {
  const config = router.config === undefined ? null : { name: router.config, version: '1', description: '' };
  const delivered = factoryState({ firmware: router.firmware, config });
  const factory = router.radiosOff === true ? afterNetworkSwitch(delivered, 'radios', false) : delivered;
  if (store !== undefined) return store(router, factory);
  return stateDir === undefined ? createMemoryStore(factory) : openFileStore(`${baseOf(router, stateDir)}.json`, factory, log);
}

/** Files of a router begin with its serial number. */
function baseOf(router: RouterDescription, stateDir: string): string {
  return join(stateDir, encodeURIComponent(router.serial));
}

function watched(store: StateStore, serial: string, { beforeWrite, afterWrite }: StartOptions): StateStore {
  if (beforeWrite === undefined && afterWrite === undefined) return store;
  let writes = 0;
  return {
    current: () => store.current(),
    commit(next) {
      writes += 1;
      const write = writes;
      beforeWrite?.(serial, write);
      store.commit(next);
      afterWrite?.(serial, write);
    },
  };
}

function simulate(
  router: RouterDescription,
  seed: number,
  scheduler: Scheduler,
  store: StateStore,
  { stateDir, timing, shell, lan }: StartOptions,
): Platform {
  // Storage that a real chip would have itself, kept with the agent's state here.
  const memory = {
    read: () => store.current().chip,
    write: (chip: ChipMemory) => store.commit({ ...store.current(), chip }),
  };
  return createSimulatedPlatform({
    ...(stateDir === undefined ? {} : { flash: createFileFlash(baseOf(router, stateDir)) }),
    euicc: { memory, downloadMs: timing?.profileMs ?? DEFAULT_TIMING.profileMs },
    seed,
    scheduler,
    modem: { ...modemNumbers(router), carrier: router.carrier, apn: router.apn },
    clockSkewMs: router.clockSkewSeconds * 1000,
    ...(shell === undefined ? {} : { shell: { kind: 'program' as const, program: shell } }),
    ...(lan === undefined ? {} : { lan }),
    ...(router.home ? { home: router.home } : {}),
    ...(router.route === undefined ? {} : { route: router.route }),
    ...(router.wan === undefined ? {} : { wan: router.wan }),
    ...(router.forwardsOn === undefined ? {} : { forwardsOn: router.forwardsOn }),
    ...(router.gnssOff === undefined ? {} : { gnssOff: router.gnssOff }),
    ...(router.fixSeconds === undefined ? {} : { fixSeconds: router.fixSeconds }),
  });
}
