import type { Log } from '../log.ts';
import { type RouterView, UspFault } from '../model/definition.ts';
import { type Model, instancesOf, locate } from '../model/model.ts';
import { BOOT_PARAMETERS } from '../model/objects/local-agent.ts';
import { findParams, valueOf } from '../model/read.ts';
import { afterBootDelivered } from '../state/lifecycle.ts';
import type { RouterState } from '../state/state.ts';
import type { StateStore } from '../state/store.ts';
import type { Notifier } from './notifier.ts';
import { readSetting } from './subscriptions.ts';

export type BootAnnouncementOptions = {
  model: Model;
  router: RouterView;
  store: StateStore;
  notifier: Pick<Notifier, 'raise'>;
  log: Log;
};

/** Sends why the router started (TR-181 Boot!): once per start, as soon as there is a subscription. */
export class BootAnnouncement {
  readonly #options: BootAnnouncementOptions;
  #isMade = false;

  constructor(options: BootAnnouncementOptions) {
    this.#options = options;
  }

  make(): void {
    if (this.#isMade) return;
    const { store, notifier } = this.#options;
    const { boot } = store.current();
    // A late response does not concern the next Boot!.
    const delivered = () => {
      if (store.current().boot === boot) this.#storeDelivered();
    };
    // Set before sending: without retry it counts as delivered at once.
    this.#isMade = true;
    const sent = notifier.raise('Device.', 'Boot!', this.#paramsOf(boot), delivered);
    if (sent > 0) return;
    // A reset deleted the subscriptions too: send it as soon as a new one exists.
    if (boot.cause.endsWith('FactoryReset')) this.#isMade = false;
    else delivered();
  }

  #paramsOf({ cause, commandKey, firmwareUpdated }: RouterState['boot']): Map<string, string> {
    return new Map([
      ['Cause', cause],
      ['CommandKey', commandKey],
      ['FirmwareUpdated', String(firmwareUpdated)],
      ['ParameterMap', parameterMap(this.#options.model, this.#options.router)],
    ]);
  }

  /** Housekeeping: a failure is logged, since no caller waits for it. */
  #storeDelivered(): void {
    const { store, log } = this.#options;
    try {
      store.commit(afterBootDelivered(store.current()));
    } catch (error) {
      log('error', 'state.not-written', { reason: String(error) });
    }
  }
}

/** A JSON object of the parameters requested by the controller (TR-181 BootParameter). */
function parameterMap(model: Model, router: RouterView): string {
  const rows = locate(model, router, BOOT_PARAMETERS).flatMap((table) => instancesOf(router, table));
  const enabled = rows.filter(({ path }) => readSetting(model, router, `${path}Enable`) === 'true');
  const entries = enabled.flatMap(({ path }) => read(model, router, readSetting(model, router, `${path}ParameterName`)));
  return JSON.stringify(Object.fromEntries(entries));
}

function read(model: Model, router: RouterView, name: string): [string, string][] {
  try {
    return findParams(model, router, name).map((found) => [found.path, valueOf(router, found)]);
  } catch (error) {
    if (error instanceof UspFault) return [];
    throw error;
  }
}
