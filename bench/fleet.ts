// A separate process: the fleet simulator, whose routers' power can be cut at random times.
import { type FleetHandle, type RouterDescriptionInput, startFleet } from '@highline/testkit/router';
import { runQuestions } from './child.ts';
import { acknowledgedReports, noteAcknowledged } from './tap.ts';

/** One for each server. */
const fleets: FleetHandle[] = [];

const responses = {
  /** From now on, note which reports are acknowledged. */
  note: noteAcknowledged,
  /** How many were so far. */
  count: () => acknowledgedReports().reduce((sum, { seconds }) => sum + seconds.length, 0),
  acknowledged: acknowledgedReports,
  /**
   * Switch routers on over `rampMs`, more with each call; images must be signed by one of the keys (PEM). Resolves when each has been
   * connected.
   */
  async start(
    server: string,
    routers: readonly RouterDescriptionInput[],
    rampMs: number,
    trustedKeys: readonly string[] = [],
  ): Promise<void> {
    const fleet = startFleet({ server, routers, rampMs, trustedKeys });
    fleets.push(fleet);
    await fleet.whenAllConnected();
  },
  /** From now on, each of these routers loses its power once, at a random time within `withinMs`, for `offMs`. */
  cut(serials: readonly string[], withinMs: number, offMs: number): void {
    for (const serial of serials) {
      const router = fleets.find(({ routers }) => routers.has(serial))?.routers.get(serial);
      setTimeout(() => router?.powerCut(offMs), Math.random() * withinMs);
    }
  },
};
export type FleetResponses = typeof responses;

// No closing handshakes: the benchmark is done with the server.
runQuestions(responses);
