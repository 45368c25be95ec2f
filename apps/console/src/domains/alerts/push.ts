import type { Language } from '../../ui/language.ts';
import { findPushSubscription, isPushSupported } from '../../ui/push-subscription.ts';
import { addBrowser, fetchPushKey, type PushKey, removeBrowser } from './people.api.ts';

/** In which messages are written. */
interface Locale {
  readonly language: Language;
  readonly zone: string;
}

/** Whether this browser can show push messages, and whether it does. 'blocked': the user has forbidden it in the browser. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** Key of the queries of what this browser does. */
export const pushStates = ['push', 'state'];

/** Whether this browser shows alerts of the user; registered by another person, or with another key of the installation, it does not. */
export async function readPushState({ publicKey, endpoints }: Pick<PushKey, 'publicKey' | 'endpoints'>): Promise<PushState> {
  if (!isPushSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const known = await findPushSubscription();
  return known !== null && isOfKey(known, publicKey) && isOneOf(known, endpoints) ? 'on' : 'off';
}

/**
 * Register again if the key of the installation is another one than this browser registered with, for the same person.
 * @returns whether it was
 */
export async function renewPush(locale: Locale): Promise<boolean> {
  if (!isPushSupported() || Notification.permission !== 'granted') return false;
  const known = await findPushSubscription();
  if (known === null) return false;
  const key = await fetchPushKey();
  if (!isOneOf(known, key.endpoints) || isOfKey(known, key.publicKey)) return false;
  await switchPushOn(key, locale);
  return true;
}

/** The push service rejected this browser, or it cannot be reached. */
export class PushFault extends Error {}

/**
 * Show alerts of the user in this browser.
 * @returns the new state: 'blocked' when the user forbids it
 * @throws PushFault when the browser has no push service
 */
export async function switchPushOn(key: PushKey, locale: Locale): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState(key);
  const { publicKey } = key;
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const registration = await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  // Of a former key of the installation: push services accept messages of the key that it was made with.
  if (known !== null && !isOfKey(known, publicKey)) await end(known);
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
  const subscription = await findPushSubscription();
  if (subscription !== null) await end(subscription);
  return 'off';
}

async function end(subscription: PushSubscription): Promise<void> {
  await removeBrowser(subscription.endpoint);
  await subscription.unsubscribe();
}

/** Whether a subscription has one of these addresses. */
const isOneOf = ({ endpoint }: PushSubscription, endpoints: readonly string[]): boolean =>
  endpoints.includes(new URL(endpoint).href);

/** Whether a subscription was made with this key, as far as the browser says. */
function isOfKey({ options }: PushSubscription, publicKey: string): boolean {
  return options.applicationServerKey === null || textOf(options.applicationServerKey) === publicKey;
}

/** A key as base64url. */
function textOf(key: ArrayBuffer): string {
  const bytes = new Uint8Array(key);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
