import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { injectOutages } from './outages.ts';
import { injectPowerCuts } from './power-cuts.ts';
import { makeMac } from './identity.ts';
import { type Scheduler, createManualScheduler } from './platform/scheduler.ts';
import { createSimulatedPlatform } from './platform/simulated.ts';
import { modemNumbers } from './description.ts';
import { createRandom } from './platform/random.ts';
import type { RouterHandle } from './router.ts';
import { type FleetHandle, startAgent, startFleet } from './start.ts';
import { TestController } from './testing/controller.ts';

const TIMING = { backoff: { minMs: 5, maxMs: 40, rejectedMs: 30, serverRestartMs: 20 }, graceMs: 5, bootMs: 5 };
const describeRouter = (n: number) => ({ serial: `HL-${n}`, mac: makeMac(n), secret: `secret-${n}`, model: 'HL-500' });

let controller: TestController;
let running: { stop(): Promise<void> }[];

beforeEach(async () => {
  controller = await TestController.start();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await controller.stop();
});

function fleetOf(count: number): FleetHandle {
  const routers = Array.from({ length: count }, (_, n) => describeRouter(n));
  const fleet = startFleet({ server: controller.url, routers, timing: TIMING });
  running.push(fleet);
  return fleet;
}

describe('a fleet', () => {
  it('is many routers in one process, each with its own identity', async () => {
    const fleet = fleetOf(50);
    await fleet.whenAllConnected();
    await controller.until(() => controller.connects.length === 50);
    expect(new Set(controller.connects).size).toBe(50);
    expect(fleet.connectedCount).toBe(50);
    const body = await controller.request('os::00B2D0-HL-7', {
      type: 'get',
      paramPaths: ['Device.DeviceInfo.SerialNumber'],
      maxDepth: 0,
    });
    expect(body.reqPathResults[0]?.resolvedPathResults[0]?.resultParams.get('SerialNumber')).toBe('HL-7');
  });

  it('DEV-08-partial one that loses power does not affect the others', async () => {
    const fleet = fleetOf(5);
    await fleet.whenAllConnected();
    await controller.until(() => controller.connects.length === 5);
    fleet.routers.get('HL-3')?.powerCut(10);
    await controller.until(() => controller.connects.length === 6);
    expect(controller.connects.at(-1)).toBe('os::00B2D0-HL-3');
    expect(Array.from(fleet.routers.values(), ({ bootCount }) => bootCount)).toEqual([1, 1, 1, 2, 1]);
  });

  it('stops as a whole', async () => {
    const fleet = fleetOf(5);
    await fleet.whenAllConnected();
    await fleet.stop();
    await controller.until(() => controller.openCount === 0);
    expect(fleet.connectedCount).toBe(0);
  });

  it('a wrong description is named', () => {
    const wrong = { ...describeRouter(1), mac: 'nonsense', serial: 'x'.repeat(44) };
    expect(() => startFleet({ server: controller.url, routers: [wrong] })).toThrow(/expected 12 hex digits/);
  });
});

describe('an agent with a state folder', () => {
  it('keeps subscriptions across processes, and sends Boot! to the controller that made them', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'router-'));
    const start = () => {
      const router = startAgent({ server: controller.url, router: describeRouter(1), stateDir, timing: TIMING });
      running.push(router);
      return router;
    };
    const first = start();
    await controller.until(() => controller.connects.length === 1);
    await controller.subscribe(first.endpointId, 'boot', 'Event', 'Device.Boot!');
    await first.stop();
    const second: RouterHandle = start();
    await controller.until(() => controller.of('boot').length === 1);
    expect(second.bootCount).toBe(2);
    expect(readdirSync(stateDir)).toEqual(['HL-1.json', 'HL-1.json.old']);
    await second.stop();
    rmSync(stateDir, { recursive: true });
  });
});

describe('an agent that cannot start', () => {
  it('DEV-08-partial leaves nothing running: another start may follow at once', () => {
    const scheduler = createManualScheduler();
    const ran: number[] = [];
    const after: Scheduler['after'] = (ms, task) =>
      scheduler.after(ms, () => {
        ran.push(ms);
        task();
      });
    const start = () =>
      startAgent({
        server: controller.url,
        router: describeRouter(1),
        scheduler: { ...scheduler, after },
        platform: (description) => {
          const modem = { ...modemNumbers(description), carrier: 'Testnet', apn: '' };
          const platform = createSimulatedPlatform({ seed: 1, scheduler, modem });
          const profiles = () => {
            throw new Error('the eUICC does not respond');
          };
          return { ...platform, euicc: { ...platform.euicc!, profiles } };
        },
      });
    expect(start).toThrow('the eUICC does not respond');
    scheduler.advance(24 * 60 * 60_000);
    expect(ran).toEqual([]);
  });
});

describe('a flaky router', () => {
  it('loses power repeatedly, at random times around its interval', () => {
    const scheduler = createManualScheduler();
    const cuts: { at: number; ms: number }[] = [];
    const start = scheduler.now();
    const router = { powerCut: (ms: number) => cuts.push({ at: scheduler.now() - start, ms }) } as unknown as RouterHandle;
    const cancel = injectPowerCuts(router, scheduler, { offEverySeconds: 100, offSeconds: 20 }, createRandom(3));
    scheduler.advance(3_600_000);
    expect(cuts.length).toBeGreaterThan(24);
    expect(cuts.length).toBeLessThan(50);
    expect(cuts.every(({ ms }) => ms === 20_000)).toBe(true);
    const gaps = cuts.slice(1).map(({ at }, index) => at - cuts[index]!.at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50_000);
    expect(new Set(gaps).size).toBeGreaterThan(10);
    cancel();
    const before = cuts.length;
    scheduler.advance(3_600_000);
    expect(cuts.length).toBe(before);
  });
});

describe('a carrier that is away', () => {
  it('ALR-06-partial takes the coverage of all its routers at the same moments, and brings it back', () => {
    const scheduler = createManualScheduler();
    const start = scheduler.now();
    const lost: { router: number; at: number; ms: number }[] = [];
    const cancels = [1, 2, 3].map((router) =>
      injectOutages({ lostCoverage: (ms) => lost.push({ router, at: scheduler.now() - start, ms }) }, scheduler, {
        firstSeconds: 300,
        everySeconds: 7_200,
        seconds: 240,
      }),
    );
    scheduler.advance(8_000_000);
    const together = (at: number) => [1, 2, 3].map((router) => ({ router, at, ms: 240_000 }));
    expect(lost).toEqual([...together(300_000), ...together(7_500_000)]);
    for (const cancel of cancels) cancel();
    scheduler.advance(20_000_000);
    expect(lost).toHaveLength(6);
  });

  it('keeps the others connected', async () => {
    const outages = { firstSeconds: 0.05, everySeconds: 600, seconds: 0.5 };
    const routers = [0, 1, 2].map((n) => ({ ...describeRouter(n), ...(n === 0 ? {} : { outages }) }));
    const fleet = startFleet({ server: controller.url, routers, timing: TIMING });
    running.push(fleet);
    const conditions = () => Array.from(fleet.routers.values(), ({ condition }) => condition);
    await expect.poll(conditions, { interval: 5 }).toEqual(['connected', 'dark', 'dark']);
    await expect.poll(() => fleet.connectedCount, { interval: 5 }).toBe(3);
  });
});
