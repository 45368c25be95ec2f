import { WebSocket } from 'ws';
import { minimalAgent } from './agent-models.ts';
import type { TestAgent } from './agent.ts';
import { until } from './call.ts';
import type { TestGateway } from './gateway.ts';
import type { RouterDatabase, TestRouter } from './routers.ts';

/** A well-behaved router on the same gateway, which shows whether another one affects it. */
export class OtherClient {
  readonly router: TestRouter;
  readonly #fleet: RouterDatabase;
  readonly #gateway: TestGateway;
  readonly #agent: TestAgent;
  #count = 0;

  constructor(fleet: RouterDatabase, gateway: TestGateway, router: TestRouter) {
    this.#fleet = fleet;
    this.#gateway = gateway;
    this.router = router;
    this.#agent = gateway.agent(router, minimalAgent);
  }

  /** Resolves when only this router is connected: the given one was rejected, or has disconnected. */
  async isAlone(without: TestRouter): Promise<void> {
    await until(() => this.#gateway.gateway.stats().connected === 1);
    await this.#gateway.presence.flush();
    const { presence } = await this.#fleet.deviceOf(without);
    if (presence !== 'offline') throw new Error(`The other router is ${presence}.`);
  }

  /** Effects of other routers: none, as long as the same connection is open, answers requests, and receives notifications. */
  async complaints(): Promise<string[]> {
    const complaints: string[] = [];
    if (this.#agent.socket.readyState !== WebSocket.OPEN) return ['the connection is closed'];
    const name = 'Device.DeviceInfo.ModelName';
    const response = await this.#gateway.gateway.deviceLink.readValues(this.router.id, [name]);
    if (response.get(name) !== minimalAgent.model.get(name)) complaints.push('the answer is wrong');
    const id = `other-client-${this.#count++}`;
    this.#agent.push(id, [{ 'Device.Cellular.Interface.1.RSSI': -60 }]);
    await this.#agent.whenResponded(id);
    await this.#gateway.presence.flush();
    const history = await this.#fleet.historyOf(this.router);
    if (history.join() !== 'online: connected') complaints.push(`the history is ${history.join()}`);
    return complaints;
  }
}
