import { makeIccid } from '../identity.ts';
import type { RouterHandle } from '../router.ts';
import { startAgent } from '../start.ts';
import { PROFILES } from '../state/esims.ts';
import { type ChipProfile, factoryState, parseState, type RouterState } from '../state/state.ts';
import { createMemoryStore, type StateStore } from '../state/store.ts';
import { TestController } from './controller.ts';
import { Waiting } from './waiting.ts';
import { EsimCloud, SIM } from './esim-cloud.ts';
import { CRASH_ROUTER, CRASH_ROUTER_ID } from './crash-router.ts';

/** The scenario: all successful commands in turn; a profile that cannot connect; the deletion of the only one that connects. */
export type EsimCrashRunKind = 'all' | 'nowhere' | 'last';
/** A write of the router's state at which its power is cut. */
export type EsimCrashPoint = { readonly moment: 'before' | 'after'; readonly write: number };

export type EsimCrashRun = {
  /** Writes up to the cut, or in all. */
  readonly writes: number;
  readonly starts: number;
  /** How each command ended: all distinct reports. */
  readonly ends: Readonly<Record<string, readonly string[]>>;
  /** Final profiles on the chip besides the preloaded one, and the one in use. */
  readonly onChip: readonly string[];
  readonly inUse: string;
  readonly openRequests: number;
  /** Whether it was reachable at the end. */
  readonly isReached: boolean;
};

export const FACTORY_PROFILE = makeIccid(41);
export const SECOND = makeIccid(42);

const STEPS: Readonly<Record<EsimCrashRunKind, readonly string[]>> = {
  all: ['download', 'enable', 'delete'],
  nowhere: ['enable'],
  last: ['delete'],
};

/**
 * eSIM commands of one router, from the first to the last acknowledged end, with a power cut at one write in between, after which
 * it starts from its stored state. The cloud's part: it sends a request on every connection, and repeats commands without a
 * received end.
 */
export async function runEsimsWithCrash(kind: EsimCrashRunKind, cut?: EsimCrashPoint): Promise<EsimCrashRun> {
  const harness = new EsimCrashHarness(kind, await TestController.start());
  try {
    return await harness.run(cut);
  } finally {
    await harness.close();
  }
}

class EsimCrashHarness {
  /** Contents of the state file: nothing else survives a restart. */
  #disk: string | undefined;
  readonly #kind: EsimCrashRunKind;
  readonly #controller: TestController;
  readonly #cloud: EsimCloud;
  readonly #routers: RouterHandle[] = [];
  /** For a write or a start. */
  readonly #waiting = new Waiting();
  #starts = 0;
  #isOver = false;
  #writes = 0;

  constructor(kind: EsimCrashRunKind, controller: TestController) {
    this.#kind = kind;
    this.#controller = controller;
    this.#cloud = new EsimCloud(controller, CRASH_ROUTER_ID);
    if (kind !== 'all') this.#disk = JSON.stringify(stateWithSecond(kind));
  }

  async run(cut: EsimCrashPoint | undefined): Promise<EsimCrashRun> {
    this.#start(cut);
    await this.#drive();
    await this.#waiting.until(() => cut === undefined || this.#starts > 1);
    const isReached = await this.#find();
    const { chip, rows } = this.#stored();
    return {
      writes: this.#writes,
      starts: this.#starts,
      ends: Object.fromEntries(STEPS[this.#kind].map((key) => [key, this.#ends(key)])),
      onChip: chip.profiles.map(({ iccid }) => iccid),
      inUse: chip.enabled,
      openRequests: Object.keys(rows).filter((path) => path.startsWith('Device.LocalAgent.Request.')).length,
      isReached,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#routers.map((router) => router.stop()));
    await this.#controller.stop();
  }

  /** One run of the router; at the cut its power fails, nothing more is written, and the next run begins. */
  #start(cut: EsimCrashPoint | undefined): void {
    let isDead = false;
    const life: { router?: RouterHandle } = {};
    const die = (moment: EsimCrashPoint['moment'], write: number) => {
      if (isDead) throw new Error('no power');
      if (moment !== cut?.moment || write !== cut.write) return;
      isDead = true;
      life.router?.powerCut(3_600_000);
      setImmediate(() => this.#start(undefined));
      throw new Error('power cut');
    };
    this.#starts++;
    try {
      life.router = startAgent({
        server: this.#controller.url,
        store: (_router, factory) => this.#openStore(factory),
        router: { ...CRASH_ROUTER, iccid: FACTORY_PROFILE },
        timing: TIMING[this.#kind],
        beforeWrite: (_serial, write) => {
          // Writes during the final check are not part of the test: no power cut there.
          if (this.#isOver) return;
          die('before', write);
          if (cut !== undefined || this.#starts === 1) this.#writes = write;
        },
        afterWrite: (_serial, write) => {
          if (!this.#isOver) die('after', write);
          this.#waiting.resume();
        },
      });
      this.#routers.push(life.router);
      if (this.#kind === 'last') life.router.lostNetwork(3_600_000, FACTORY_PROFILE);
    } catch (error) {
      if (!isDead) throw error;
    }
    this.#waiting.resume();
  }

  /** Each connection is set up and queried; a connection that breaks is followed by the next. */
  async #drive(): Promise<void> {
    for (let seen = 0, isDone = false; !isDone;) {
      await this.#controller.until(() => this.#controller.connects.length > seen);
      seen = this.#controller.connects.length;
      const next = this.#controller.until(() => this.#controller.connects.length > seen).then(() => false);
      isDone = await Promise.race([this.#attend(), next, ...this.#farewell()]);
    }
  }

  /** If the last end disconnects the router, this may happen before it has answered anything. */
  #farewell(): Promise<boolean>[] {
    if (this.#kind !== 'last') return [];
    return [this.#controller.until(() => this.#ends('delete').length > 0).then(() => true)];
  }

  async #attend(): Promise<boolean> {
    const subscribed = await this.#cloud.read('Device.LocalAgent.Subscription.');
    if (Object.keys(subscribed).length === 0)
      await this.#controller.subscribe(CRASH_ROUTER_ID, 'ends', 'OperationComplete', 'Device.');
    for (const step of STEPS[this.#kind]) {
      if (this.#ends(step).length === 0) await this.#sendCommand(step);
      await this.#controller.until(() => this.#ends(step).length > 0);
    }
    // Answered after the last end was acknowledged; if that disconnects the router, there is no response.
    if (this.#kind !== 'last') await this.#cloud.read(SIM);
    return true;
  }

  #sendCommand(step: string): Promise<unknown> {
    if (step === 'download') return this.#cloud.download(step, 'A1', { ICCID: SECOND });
    return step === 'enable' ? this.#cloud.enable(step, 2) : this.#cloud.delete(step, 2);
  }

  /** Whether it is reachable. It must be disconnected until a network accepts the preloaded profile again. */
  async #find(): Promise<boolean> {
    if (this.#kind === 'last') {
      await this.#waiting.until(() => this.#stored().esims.farewell === null);
      this.#isOver = true;
      const seen = this.#controller.connects.length;
      this.#routers.at(-1)?.lostNetwork(0, FACTORY_PROFILE);
      await this.#controller.until(() => this.#controller.connects.length > seen);
    }
    return Object.keys(await this.#cloud.read(SIM)).length > 0;
  }

  #openStore(factory: RouterState): StateStore {
    const store = createMemoryStore(this.#disk === undefined ? factory : this.#stored());
    return {
      current: () => store.current(),
      commit: (next) => {
        this.#disk = JSON.stringify(next);
        store.commit(next);
      },
    };
  }

  #stored(): RouterState {
    return parseState(this.#disk ?? '');
  }

  #ends(key: string): string[] {
    return Array.from(new Set(this.#cloud.ends(key).map((end) => (typeof end === 'string' ? end : 'done'))));
  }
}

const FAST = {
  backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 },
  valueChangePollMs: 1_000,
  graceMs: 2,
  bootMs: 2,
  retryMs: 2,
  profileMs: 4,
};
/** A working profile gets as much time as a busy machine needs; a bad one never connects, however long the wait. */
const TIMING = {
  all: { ...FAST, callHomeMs: 600_000 },
  nowhere: { ...FAST, callHomeMs: 100 },
  last: { ...FAST, callHomeMs: 100 },
};

/** A router with two profiles: the second is in use and connects, or is not in use and does not. */
function stateWithSecond(kind: 'nowhere' | 'last'): RouterState {
  const numbers = { iccid: SECOND, imsi: '999700000000042', msisdn: '12015550142', carrier: 'Testnet' };
  const second: ChipProfile = { ...numbers, connects: kind === 'last' };
  return {
    ...factoryState({ firmware: CRASH_ROUTER.firmware, config: null }),
    chip: { enabled: kind === 'last' ? SECOND : '', profiles: [second] },
    rows: { [`${PROFILES}2.`]: { ICCID: SECOND, X_HIGHLINE_Priority: '2' } },
    nextInstance: { [PROFILES]: 3 },
  };
}
