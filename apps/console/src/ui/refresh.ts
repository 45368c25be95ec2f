import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

// A number, because several parts of a page may want the lists to stand still at once.
const pauses = createStore(0);

/** Keep lists from refreshing by themselves while `active`: delete mode, a form being filled (SHR-03). */
export function usePauseRefresh(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    pauses.set(pauses.get() + 1);
    return () => pauses.set(pauses.get() - 1);
  }, [active]);
}

/** True while refreshing stands still: something on the page holds it, or nobody sees the page. */
export function refreshPaused(): boolean {
  return pauses.get() > 0 || document.visibilityState === 'hidden';
}

/** Hear when a hold begins or ends, or the page is shown again. */
export function onRefreshChange(listener: () => void): () => void {
  const unsubscribe = pauses.subscribe(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Follow whether something on the page holds refreshing. */
export function useRefreshPaused(): boolean {
  return useStore(pauses) > 0;
}
