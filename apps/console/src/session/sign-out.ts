import { accounts } from '@highline/contract';
import { call, onSessionLost } from '../api/client.ts';
import type { ApiError } from '../api/errors.ts';
import { readCookie, writeCookie } from '../ui/cookies.ts';
import { hasKeptInput } from '../ui/form/drafts.ts';
import { readStored, writeStored } from '../ui/storage.ts';
import { findPushSubscription } from '../ui/push-subscription.ts';

/** Makes the next load erase `id` and `vap` (AUTH-05). The server erases them: script cannot touch `vap`. */
const LOGOUT_FLAG = 'logout';
const FLAG_SECONDS = 600;

/** When this tab was last loaded again because of a proxy, in ms. */
const LOADED_AGAIN = 'highline.loaded-again';
const LOADED_AGAIN_MS = 600_000;

/** The page of an account without roles (AUTH-04). */
export const INVALID_ACCOUNT = '/error_acc_invalid.html';

/** False when there is no session in this browser; true means only that there was one. */
export function hasSession(): boolean {
  return readCookie('id') !== undefined;
}

/** @returns what is false once another tab of this browser has signed out, or in as someone else */
export function createSignInCheck(): () => boolean {
  const account = readCookie('id');
  return () => readCookie('id') === account;
}

let leaving = false;

/** Only one of our own paths is a valid return target: an address from outside must not redirect after sign-in. */
export function safeReturn(raw: unknown): string {
  if (typeof raw !== 'string' || !/^\/(?![/\\])[^\s\\]*$/u.test(raw)) return '/';
  return /^\/(login|logout)\b/u.test(raw) ? '/' : raw;
}

/** The address of the sign-in page, with the current page as return target. @param kept whether input of the page is kept in a draft */
export function signInAddress(here: string, ended: boolean, kept = false): string {
  const query = new URLSearchParams();
  if (safeReturn(here) !== '/') query.set('next', here);
  if (ended) query.set('ended', kept ? 'kept' : '1');
  const text = query.toString();
  return text === '' ? '/login' : `/login?${text}`;
}

/** Whether a load of the page may help, which then must be begun; never one after another. */
function mayLoadAgain(): boolean {
  const last = readStored(LOADED_AGAIN, sessionStorage);
  const now = Date.now();
  if (typeof last === 'number' && now - last < LOADED_AGAIN_MS) return false;
  writeStored(LOADED_AGAIN, now, sessionStorage);
  return readStored(LOADED_AGAIN, sessionStorage) === now;
}

/** The session ended on the server: go to the sign-in page. Unsaved input of a form with a draft is kept (AUTH-06, UX). */
function leaveForSignIn(error: ApiError): void {
  if (leaving || location.pathname === '/login' || location.pathname === '/logout') return;
  leaving = true;
  // A proxy with a sign-in of its own leads there when a page is loaded. Our session may be good, and stays.
  if (error.isOfProxy && mayLoadAgain()) return location.reload();
  if (!error.isOfProxy) writeCookie(LOGOUT_FLAG, '1', FLAG_SECONDS);
  // A visitor without an earlier session is not notified that one ended.
  location.replace(signInAddress(location.pathname + location.search, error.key !== 'session.missing', hasKeptInput()));
}

/** Follow the end of the session, on a page that has just been loaded. */
export function watchSession(): void {
  leaving = false;
  onSessionLost(leaveForSignIn);
}

/** The live stream ended with its session: load the page again, which leads to where this account may be, unless this page is leaving. */
export function reloadAfterEnd(): void {
  if (!leaving) location.reload();
}

/** End this session, and the user's push messages in this browser, and go to the sign-in page (AUTH-05). Without a network the flag still ends it here. */
export async function logOut(): Promise<void> {
  leaving = true;
  writeCookie(LOGOUT_FLAG, '1', FLAG_SECONDS);
  const subscription = await findPushSubscription().catch(() => null);
  await call(accounts.signOut, { body: subscription === null ? {} : { browser: subscription.endpoint } }).catch(() => undefined);
  location.replace('/login');
}

/** End every session of the account and confirm it at /logout (AUTH-08). @throws ApiError; then nothing has ended here */
export async function logOutEverywhere(end: () => Promise<void>): Promise<void> {
  // The live stream ends with the session; that must not redirect this page first.
  leaving = true;
  try {
    await end();
  } catch (error) {
    leaving = false;
    throw error;
  }
  writeCookie(LOGOUT_FLAG, '1', FLAG_SECONDS);
  location.replace('/logout?everywhere=1');
}

/** A new session begins: the logout flag of the previous one must not erase it. */
export function clearLogoutFlag(): void {
  writeCookie(LOGOUT_FLAG, '', 0);
}
