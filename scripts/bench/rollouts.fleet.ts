// A separate process: routers whose power can be cut at random times.
import { type FleetHandle, type RouterDescriptionInput, startFleet } from '@highline/testkit/router';
import { answerQuestions } from './child.ts';

let fleet: FleetHandle | undefined;

const answers = {
  /** Switch routers on over `rampMs`; images must be signed by one of the keys (PEM). Resolves when each has been connected. */
  async start(
    server: string,
    routers: readonly RouterDescriptionInput[],
    rampMs: number,
    trustedKeys: readonly string[],
  ): Promise<void> {
    fleet = startFleet({ server, routers, rampMs, trustedKeys });
    await fleet.whenAllConnected();
  },
  /** From now on, each of these routers loses its power once, at a random time within `withinMs`, for `offMs`. */
  cut(serials: readonly string[], withinMs: number, offMs: number): void {
    for (const serial of serials) {
      const router = fleet!.routers.get(serial)!;
      setTimeout(() => router.powerCut(offMs), Math.random() * withinMs);
    }
  },
};
export type RolloutFleetAnswers = typeof answers;

// No closing handshakes: the benchmark is done with the server.
answerQuestions(answers);
