import type { Cancel, Scheduler } from './platform/scheduler.ts';
import type { RouterHandle } from './router.ts';

/** Cut a router's power repeatedly, at random times around the given interval, until the returned function is called. */
export function injectPowerCuts(
  router: RouterHandle,
  scheduler: Scheduler,
  { offEverySeconds, offSeconds }: { offEverySeconds: number; offSeconds: number },
  random: () => number,
): Cancel {
  let cancel: Cancel;
  const plan = () => {
    // From half to one and a half times the interval, and never before it is on again.
    const wait = Math.max(offEverySeconds * (0.5 + random()), offSeconds + 1);
    cancel = scheduler.after(wait * 1000, () => {
      router.powerCut(offSeconds * 1000);
      plan();
    });
  };
  plan();
  return () => cancel();
}
