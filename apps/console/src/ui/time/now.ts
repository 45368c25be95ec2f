import { useEffect, useSyncExternalStore } from 'react';
import { createStore, useStore } from '../store.ts';

// One clock for the whole page: a timer per row would be a thousand timers.
const seconds = createStore(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function watch(): () => void {
  watchers += 1;
  if (timer === undefined) {
    // It stood still while nothing on the page used it.
    seconds.set(Date.now());
    timer = setInterval(() => seconds.set(Date.now()), 1000);
  }
  return () => {
    watchers -= 1;
    if (watchers === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current time, updated every second while something on the page uses it. */
export function useNow(): Date {
  useEffect(watch, []);
  return new Date(useStore(seconds));
}

/** True once an instant in ms has passed; null never does. Re-renders only when that changes, not every second. */
export function useHasPassed(instant: number | null): boolean {
  useEffect(watch, []);
  return useSyncExternalStore(seconds.subscribe, () => instant !== null && instant <= seconds.get());
}
