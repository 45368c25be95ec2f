import type { Cancel, Scheduler } from './platform/scheduler.ts';
import type { RouterHandle } from './router.ts';

/** When a carrier is away, in seconds after the start. */
export type Outages = { firstSeconds: number; everySeconds: number; seconds: number };

/** Take a router's coverage away at the same times as that of all others with these outages, until the returned function is called. */
export function injectOutages(router: Pick<RouterHandle, 'lostCoverage'>, scheduler: Scheduler, outages: Outages): Cancel {
  return atEach(scheduler, outages, () => router.lostCoverage(outages.seconds * 1_000));
}

/** The same for what is plugged into its WAN port: another uplink carries the traffic meanwhile. */
export function injectWanOutages(router: Pick<RouterHandle, 'breakNetwork'>, scheduler: Scheduler, outages: Outages): Cancel {
  let cancelRepair: Cancel = () => undefined;
  const cancel = atEach(scheduler, outages, () => {
    router.breakNetwork('wan', true);
    cancelRepair = scheduler.after(outages.seconds * 1_000, () => router.breakNetwork('wan', false));
  });
  return () => {
    cancel();
    cancelRepair();
  };
}

/** Its vehicle is parked then, with the engine and, a little later, the router off. */
export function injectParking(router: Pick<RouterHandle, 'park'>, scheduler: Scheduler, parking: Outages): Cancel {
  return atEach(scheduler, parking, () => router.park(parking.seconds * 1_000));
}

function atEach(scheduler: Scheduler, { firstSeconds, everySeconds }: Outages, begin: () => void): Cancel {
  let cancel: Cancel;
  const plan = (wait: number) => {
    cancel = scheduler.after(wait * 1_000, () => {
      begin();
      plan(everySeconds);
    });
  };
  plan(firstSeconds);
  return () => cancel();
}
