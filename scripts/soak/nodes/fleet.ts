// A separate process: routers that record their connections, the steps they began, and the commands they carried out.
import {
  createSimulatedPlatform,
  type FleetHandle,
  modemNumbers,
  type RouterDescriptionInput,
  startFleet,
} from '@highline/testkit/router';
import { runQuestions } from '../../../bench/child.ts';

/** What a router itself saw. */
export interface RouterRecord {
  /** Epoch milliseconds of its connections; the last one may be open. */
  readonly connections: (readonly [from: number, to: number | null])[];
  /** Command keys of its updates, each once, by file name. */
  readonly steps: (readonly [key: string, file: string])[];
  /** How often it blinked. */
  blinks: number;
}

let fleet: FleetHandle | undefined;
const records = new Map<string, RouterRecord>();

/** A router that lost its server tries again soon, so that a round is short. */
const BACKOFF = { minMs: 500, maxMs: 4_000, rejectedMs: 4_000, serverRestartMs: 4_000 };

const responses = {
  /** Switch routers on over `rampMs`. Resolves when each has been connected. */
  async start(server: string, routers: readonly RouterDescriptionInput[], rampMs: number): Promise<void> {
    for (const { serial } of routers) records.set(serial, { connections: [], steps: [], blinks: 0 });
    fleet = startFleet({
      server,
      routers,
      rampMs,
      timing: { backoff: BACKOFF },
      store({ serial }, factory) {
        let state = factory;
        return {
          current: () => state,
          commit(next) {
            state = next;
            if (next.job === null) return;
            const { steps } = records.get(serial)!;
            const { commandKey, fileName } = next.job;
            if (!steps.some(([key]) => key === commandKey)) steps.push([commandKey, fileName]);
          },
        };
      },
      platform(router, scheduler) {
        const simulated = createSimulatedPlatform({
          seed: records.size,
          scheduler,
          modem: { ...modemNumbers(router), carrier: router.carrier, apn: router.apn },
        });
        const blink = () => void records.get(router.serial)!.blinks++;
        return { ...simulated, lamps: { blink, areBlinking: () => false } };
      },
    });
    for (const [serial, router] of fleet.routers) {
      const { connections } = records.get(serial)!;
      router.on('connected', () => connections.push([Date.now(), null]));
      const end = () => {
        const last = connections.at(-1);
        if (last?.[1] === null) connections[connections.length - 1] = [last[0], Date.now()];
      };
      router.on('disconnected', end);
      router.on('off', end);
    }
    await fleet.whenAllConnected();
  },
  records: () => records,
  /** Serial numbers of the routers that are connected now. */
  connected: () => [...fleet!.routers.values()].filter(({ condition }) => condition === 'connected').map(({ serial }) => serial),
};
export type StormFleetResponses = typeof responses;

runQuestions(responses);
