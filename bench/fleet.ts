// A separate process: the fleet simulator.
import { type FleetHandle, type RouterDescriptionInput, startFleet } from '@highline/testkit/router';
import { answerQuestions } from './child.ts';

let fleet: FleetHandle | undefined;

const answers = {
  /** Switch routers on one by one over `rampMs`. Resolves when each has been connected. */
  async start(server: string, routers: readonly RouterDescriptionInput[], rampMs: number): Promise<void> {
    fleet = startFleet({ server, routers, rampMs });
    await fleet.whenAllConnected();
  },
  connected: () => fleet?.connectedCount ?? 0,
};
export type FleetAnswers = typeof answers;

// No closing handshakes: the benchmark is done with the server.
answerQuestions(answers);
