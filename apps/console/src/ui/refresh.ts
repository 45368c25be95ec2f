import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

// A counter, because several parts of a page may pause the lists at once.
const pauses = createStore(0);

/** Keep lists from refreshing by themselves while `active`: delete mode, a form being filled (SHR-03). */
export function usePauseRefresh(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    pauses.set(pauses.get() + 1);
    return () => pauses.set(pauses.get() - 1);
  }, [active]);
}

/** True while refreshing is paused: something on the page pauses it, or the page is hidden. */
export function refreshPaused(): boolean {
  return pauses.get() > 0 || document.visibilityState === 'hidden';
}

/** Listen for the start or end of a pause, and for the page becoming visible. */
export function onRefreshChange(listener: () => void): () => void {
  const unsubscribe = pauses.subscribe(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Follow whether something on the page pauses refreshing. */
export function useRefreshPaused(): boolean {
  return useStore(pauses) > 0;
}
