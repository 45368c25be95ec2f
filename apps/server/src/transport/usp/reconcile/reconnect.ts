import type { Responses } from '../responses.ts';
import type { Session } from '../session.ts';
import { wish } from './settings-of.ts';
import { setObjects } from './writes.ts';

/**
 * How an agent reconnects and keeps its connection alive (TR-181 Controller.{i}.MTP.{i}.WebSocket.): seconds before the first
 * retry, thousandths by which the delay grows up to ten times, seconds between its pings. With the standard's defaults (5, 2000)
 * a router may stay away for up to 85 minutes after a long outage; with these, 5.
 */
const DESIRED: ReadonlyMap<string, string> = new Map([
  ['SessionRetryMinimumWaitInterval', '5'],
  ['SessionRetryIntervalMultiplier', '1500'],
  ['KeepAliveInterval', '30'],
]);

const MOST = 50_000;

/** Configures how agents reconnect, only on our own row and only where the agent has the parameters. */
export class ReconnectSettings {
  /**
   * Routers configured since their last reset: some reconnect after such a change, and one that rejects the values must not do so
   * forever.
   */
  readonly #requested = new Set<string>();

  /** The router was reset to factory state, and has its own values again. */
  forget(routerId: string): void {
    this.#requested.delete(routerId);
  }

  /**
   * @param controller path of our row in Device.LocalAgent.Controller., if it was found
   * @throws NoResponse
   */
  async apply(session: Session, responses: Responses, controller: string | undefined): Promise<void> {
    const { routerId } = session.router;
    if (controller === undefined || this.#requested.has(routerId)) return;
    const changes = responses.instances(`${controller}MTP.`).flatMap((instance) => {
      const objPath = `${controller}MTP.${instance}.WebSocket.`;
      const paramSettings = Array.from(DESIRED).flatMap(([name, value]) => {
        const current = responses.get(objPath + name);
        return current === undefined || current === value ? [] : [wish(name, value)];
      });
      return paramSettings.length === 0 ? [] : [{ objPath, paramSettings }];
    });
    if (changes.length === 0) return;
    if (this.#requested.size >= MOST) this.#requested.clear();
    this.#requested.add(routerId);
    await setObjects(session, changes);
  }
}
