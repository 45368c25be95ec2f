import type { Log } from '../log.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import type { RouterState } from '../state/state.ts';
import type { StateStore } from '../state/store.ts';

export type SettingsTrialOptions = {
  store: StateStore;
  scheduler: Scheduler;
  log: Log;
  /** Time limit to reach the cloud with new settings. */
  callHomeMs: number;
  /** From the answer to the request to the step that ends the connection. */
  graceMs: number;
  /** Delay before a step is retried that could not be written. */
  retryMs: number;
  /** The path to the cloud has changed: connect again. */
  reconnect(): void;
  /** Values have changed. */
  changed(): void;
};

/** Objects whose settings can cut the router off. */
const CUTTING = ['Device.Cellular.', 'Device.Firewall.', 'Device.Routing.', 'Device.IP.Interface.'] as const;
const canCut = (path: string) => CUTTING.some((each) => path.startsWith(each));

type Rows = RouterState['rows'];
const cuttingRows = (rows: Rows): Rows => Object.fromEntries(Object.entries(rows).filter(([path]) => canCut(path)));

/**
 * Settings that can cut the router off are on trial: it connects again with them and has to reach the cloud within a time limit, else they
 * are what they were before. The former ones are stored together with the new ones, so that a power cut changes nothing of this.
 */
export class SettingsTrial {
  readonly #options: SettingsTrialOptions;
  #cancel: Cancel | undefined;
  #isProving = false;

  constructor(options: SettingsTrialOptions) {
    this.#options = options;
  }

  /** Keep the former settings, before a transaction is stored. */
  prepare(before: Rows, after: Rows): void {
    const [former, next] = [cuttingRows(before), cuttingRows(after)];
    const { store } = this.#options;
    const { settingsTrial } = store.current();
    if (settingsTrial !== undefined || JSON.stringify(former) === JSON.stringify(next)) return;
    store.commit({ ...store.current(), settingsTrial: former });
  }

  /** The router has started: settings that never reached the cloud are on trial again. */
  start(): void {
    if (this.#options.store.current().settingsTrial !== undefined) this.#prove();
  }

  /** A transaction is stored. */
  follow(): void {
    if (this.#options.store.current().settingsTrial === undefined) return;
    this.#cancel?.();
    this.#isProving = false;
    // The answer to the request is sent over the old connection.
    this.#cancel = this.#options.scheduler.after(this.#options.graceMs, () => {
      this.#options.reconnect();
      this.#prove();
    });
  }

  /** The cloud was reached with the present settings. */
  calledHome(): void {
    if (!this.#isProving) return;
    this.stop();
    this.#write((state) => withoutTrial(state));
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isProving = false;
  }

  #prove(): void {
    this.#isProving = true;
    this.#cancel = this.#options.scheduler.after(this.#options.callHomeMs, () => {
      this.#isProving = false;
      this.#write(withFormerSettings, () => {
        this.#options.log('warn', 'settings.returned', { seconds: this.#options.callHomeMs / 1_000 });
        this.#options.changed();
        this.#options.reconnect();
      });
    });
  }

  /** @param done what follows, once it is written */
  #write(change: (state: RouterState) => RouterState, done: () => void = () => undefined): void {
    const { store, scheduler, log, retryMs } = this.#options;
    try {
      store.commit(change(store.current()));
    } catch (error) {
      log('error', 'state.not-written', { reason: String(error) });
      this.#cancel = scheduler.after(retryMs, () => this.#write(change, done));
      return;
    }
    done();
  }
}

function withFormerSettings(state: RouterState): RouterState {
  const others = Object.entries(state.rows).filter(([path]) => !canCut(path));
  return withoutTrial({ ...state, rows: { ...Object.fromEntries(others), ...state.settingsTrial } });
}

function withoutTrial({ settingsTrial: _trial, ...state }: RouterState): RouterState {
  return state;
}
