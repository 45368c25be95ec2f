import type { Language } from '../../ui/language.ts';
import { addBrowser, fetchPushKey, removeBrowser } from './people.api.ts';

/** In which messages are written. */
interface Locale {
  readonly language: Language;
  readonly zone: string;
}

/** Whether this browser can show push messages, and whether it does. 'blocked': the user has forbidden it in the browser. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** Key of the queries of what this browser does. */
export const pushStates = ['push', 'state'];

/** Whether this browser has push messages. */
export const isPushSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscriptionOf(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration === undefined ? null : registration.pushManager.getSubscription();
}

/** @param publicKey of the installation: with another one the browser gets no messages */
export async function readPushState(publicKey: string): Promise<PushState> {
  if (!isPushSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const known = await subscriptionOf();
  return known !== null && isOfKey(known, publicKey) ? 'on' : 'off';
}

/**
 * Register again if the key of the installation is another one than this browser registered with, for the same person.
 * @returns whether it was
 */
export async function renewPush(locale: Locale): Promise<boolean> {
  if (!isPushSupported() || Notification.permission !== 'granted') return false;
  const known = await subscriptionOf();
  if (known === null) return false;
  const { publicKey, browsers } = await fetchPushKey();
  if (browsers === 0 || isOfKey(known, publicKey)) return false;
  await switchPushOn(publicKey, locale);
  return true;
}

/** The push service rejected this browser, or it cannot be reached. */
export class PushFault extends Error {}

/**
 * Show alerts of the user in this browser.
 * @returns the new state: 'blocked' when the user forbids it
 * @throws PushFault when the browser has no push service
 */
export async function switchPushOn(publicKey: string, locale: Locale): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState(publicKey);
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
  const subscription = await subscriptionOf();
  if (subscription !== null) await end(subscription);
  return 'off';
}

async function end(subscription: PushSubscription): Promise<void> {
  await removeBrowser(subscription.endpoint);
  await subscription.unsubscribe();
}

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
