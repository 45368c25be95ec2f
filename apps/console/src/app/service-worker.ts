/**
 * Registers `public/service-worker.js`, with which browsers install the console as an app (SAY-09). Without HTTPS there is none, and
 * nothing else depends on it.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await whenIdle();
    await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  } catch {
    // Blocked by the browser, or the server is restarting: the next page tries again.
  }
}

/** The browser starts a thread for it and loads its file, which would take from the first screen. Safari has no such callback. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    const idle: typeof requestIdleCallback | undefined = globalThis.requestIdleCallback;
    if (idle === undefined) setTimeout(resolve);
    else idle(() => resolve());
  });
