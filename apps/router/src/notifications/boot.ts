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

/** Tells why the router started (TR-181 Boot!): once for each start, as soon as somebody can hear it. */
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
    // A late answer says nothing of what the next Boot! has to say.
    const delivered = () => {
      if (store.current().boot === boot) this.#keepDelivered();
    };
    // Before it is told: without retry it counts as delivered at once.
    this.#isMade = true;
    const sent = notifier.raise('Device.', 'Boot!', this.#paramsOf(boot), delivered);
    if (sent > 0) return;
    // A reset wiped the subscriptions too: it is told as soon as somebody has subscribed again.
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

  /** Only tidying: a failure is logged, since nobody waits for it. */
  #keepDelivered(): void {
    const { store, log } = this.#options;
    try {
      store.commit(afterBootDelivered(store.current()));
    } catch (error) {
      log('error', 'state.not-written', { reason: String(error) });
    }
  }
}

/** A JSON object of the parameters that the controller asked for (TR-181 BootParameter). */
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
