import type { Language } from '../../ui/language.ts';
import { addBrowser, removeBrowser } from './people.api.ts';

/** Whether this browser can show push messages, and whether it does. 'blocked': the user has forbidden it in the browser. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscriptionOf(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration === undefined ? null : registration.pushManager.getSubscription();
}

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return (await subscriptionOf()) === null ? 'off' : 'on';
}

/** The push service rejected this browser, or it cannot be reached. */
export class PushFault extends Error {}

/**
 * Show alerts of the user in this browser.
 * @returns the new state: 'blocked' when the user forbids it
 * @throws PushFault when the browser has no push service
 */
export async function switchPushOn(
  publicKey: string,
  locale: { readonly language: Language; readonly zone: string },
): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState();
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const registration = await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  // Of a former key of the installation: push services accept messages of the key that it was made with.
  if (known !== null && keyOf(known) !== publicKey) await known.unsubscribe();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch((error: unknown) => {
      throw new PushFault(error instanceof Error ? error.message : String(error));
    });
  const { endpoint, keys } = subscription.toJSON();
  await addBrowser({ endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '', ...locale });
  return 'on';
}

/** Show alerts in this browser no more. */
export async function switchPushOff(): Promise<PushState> {
  const subscription = await subscriptionOf();
  if (subscription !== null) {
    await removeBrowser(subscription.endpoint);
    await subscription.unsubscribe();
  }
  return readPushState();
}

/** The key of the installation that a subscription was made with, base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
