import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startTestGateway, type StartParameters, type TestGateway } from './gateway.ts';
import { OtherClient } from './other-client.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from './routers.ts';

/** Initial state of a gateway test: an inventory, and two routers that never connected. */
export interface BeforeGateway {
  readonly fleet: RouterDatabase;
  readonly router: TestRouter;
  readonly other: TestRouter;
}

/**
 * One inventory for the tests of a file, each of which gets two new routers by `begin`; everything it starts is stopped after it.
 * @returns starts the gateway of a test
 */
export function openGateways(begin: (given: BeforeGateway) => void): (...parameters: StartParameters) => Promise<TestGateway> {
  let fleet: RouterDatabase;
  let running: TestGateway | undefined;
  beforeAll(async () => {
    fleet = await openRouterDatabase();
  });
  afterAll(() => fleet.close());
  beforeEach(async () => {
    const [router, other] = (await addTestRouters(fleet, 2)) as [TestRouter, TestRouter];
    begin({ fleet, router, other });
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  return async (settings, options) => {
    running = await startTestGateway(fleet, settings, options);
    return running;
  };
}

/** The same with a second, well-behaved router on each gateway, to check that the test's router does not affect others. */
export function openGatewaysWithOther(
  begin: (given: BeforeGateway) => void,
  meet: (otherClient: OtherClient) => void,
): (...parameters: StartParameters) => Promise<TestGateway> {
  let given: BeforeGateway;
  const start = openGateways((before) => {
    given = before;
    begin(before);
  });
  return async (...parameters) => {
    const gateway = await start(...parameters);
    meet(new OtherClient(given.fleet, gateway, given.other));
    await gateway.reconciled();
    return gateway;
  };
}
