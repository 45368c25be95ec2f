import { createStore, useStore } from '../ui/store.ts';

/** Nothing was received for this long: ask the server. Heartbeats come every 5 s, so one of them is missing. */
const SILENCE_MS = 7_000;
/** Without a response for this long the connection counts as lost. Together with the silence and one tick: 11 s. */
const PROBE_MS = 3_000;
const TICK_MS = 1_000;

let lastContact = Date.now();
const lostSince = createStore<number | null>(null);

/** The server answered or sent something. */
export function noteContact(): void {
  lastContact = Date.now();
  lostSince.set(null);
}

/** When the server was last reached, ms, while it cannot be reached; null while it can (ATT-05). */
export function useLostSince(): number | null {
  return useStore(lostSince);
}

/** Listen for the loss and the return of the connection. */
export function onConnectionChange(listener: (isLost: boolean) => void): () => void {
  return lostSince.subscribe(() => listener(lostSince.get() !== null));
}

/** Whether the server answers within three seconds. */
async function responds(probe: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), PROBE_MS);
  try {
    await probe(deadline.signal);
    return true;
  } catch {
    // A rejected call is a response too, and has been noted as contact.
    return Date.now() - lastContact < PROBE_MS;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Watch whether the server can be reached, while the page is visible: in silence it sends a probe, and without a response the
 * connection counts as lost until something is received.
 *
 * @param probe asks the server; rejects when the signal aborts
 * @param onResponse the server answered although nothing else was received
 * @returns stops watching
 */
export function watchConnection(probe: (signal: AbortSignal) => Promise<unknown>, onResponse: () => void): () => void {
  let visibleSince = Date.now();
  let isAsking = false;

  const check = async (): Promise<void> => {
    if (document.visibilityState === 'hidden' || isAsking) return;
    if (Date.now() - Math.max(lastContact, visibleSince) < SILENCE_MS && lostSince.get() === null) return;
    isAsking = true;
    const before = lastContact;
    const isThere = await responds(probe);
    isAsking = false;
    if (isThere) {
      noteContact();
      onResponse();
      // Anything received meanwhile shows that the server is there, only slow.
    } else if (lastContact === before) lostSince.set(before);
  };

  const onVisibility = () => {
    if (document.visibilityState === 'visible') visibleSince = Date.now();
  };
  const timer = setInterval(() => void check(), TICK_MS);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
    lostSince.set(null);
  };
}
