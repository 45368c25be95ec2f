import type { Cancel, Scheduler } from './platform/scheduler.ts';
import type { RouterHandle } from './router.ts';

/** When a carrier is away, in seconds after the start. */
export type Outages = { firstSeconds: number; everySeconds: number; seconds: number };

/** Take a router's coverage away at the same times as that of all others with these outages, until the returned function is called. */
export function injectOutages(
  router: Pick<RouterHandle, 'lostCoverage'>,
  scheduler: Scheduler,
  { firstSeconds, everySeconds, seconds }: Outages,
): Cancel {
  let cancel: Cancel;
  const plan = (wait: number) => {
    cancel = scheduler.after(wait * 1_000, () => {
      router.lostCoverage(seconds * 1_000);
      plan(everySeconds);
    });
  };
  plan(firstSeconds);
  return () => cancel();
}
