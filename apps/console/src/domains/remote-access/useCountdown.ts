import { useEffect, useState } from 'react';
import { secondsLeft, untilNextTick } from './remote-access.ts';

/**
 * Whole seconds until a deadline (ms by this browser's clock), updated every second. Computed from the clock every time, so that
 * it is right after the tab was suspended.
 */
export function useCountdown(deadline: number): number {
  const [now, setNow] = useState(Date.now);
  const left = secondsLeft(deadline, now);
  const over = left === 0;
  useEffect(() => {
    if (over) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), untilNextTick(deadline, now));
    return () => clearTimeout(timer);
  }, [deadline, now, over]);
  return left;
}
