import { accounts } from '@highline/contract';
import { call } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { readCookie, writeCookie } from '../../ui/cookies.ts';

/** Makes the next load erase `id` and `vap` (AUTH-05). The server erases them: script cannot touch `vap`. */
const LOGOUT_FLAG = 'logout';
const FLAG_SECONDS = 600;

/** The page of an account without roles (AUTH-04). */
export const INVALID_ACCOUNT = '/error_acc_invalid.html';

/** False when nobody is signed in here; true says only that somebody was. */
export function hasSession(): boolean {
  return readCookie('id') !== undefined;
}

let leaving = false;

/** Only a path of our own may be gone back to: an address from outside must not lead a person elsewhere after signing in. */
export function safeReturn(raw: unknown): string {
  if (typeof raw !== 'string' || !/^\/(?![/\\])[^\s\\]*$/u.test(raw)) return '/';
  return /^\/(login|logout)\b/u.test(raw) ? '/' : raw;
}

/** The sign-in page, to come back here afterwards. */
export function signInAddress(here: string, ended: boolean): string {
  const query = new URLSearchParams();
  if (safeReturn(here) !== '/') query.set('next', here);
  if (ended) query.set('ended', '1');
  const text = query.toString();
  return text === '' ? '/login' : `/login?${text}`;
}

/** The session is over on the server: go and sign in again; what was typed waits in its draft (AUTH-06, UX). */
export function leaveForSignIn(error: ApiError): void {
  if (leaving || location.pathname === '/login' || location.pathname === '/logout') return;
  leaving = true;
  writeCookie(LOGOUT_FLAG, '1', FLAG_SECONDS);
  // A visitor who never had a session need not be told that it ended.
  location.replace(signInAddress(location.pathname + location.search, error.key !== 'session.missing'));
}

/** End this session and go to the sign-in page (AUTH-05). Without a network the flag still ends it here. */
export async function logOut(): Promise<void> {
  leaving = true;
  writeCookie(LOGOUT_FLAG, '1', FLAG_SECONDS);
  await call(accounts.signOut, {}).catch(() => undefined);
  location.replace('/login');
}

/** End every session of the account and say so at /logout (AUTH-08). @throws ApiError; then nothing has ended here */
export async function logOutEverywhere(end: () => Promise<void>): Promise<void> {
  // The live stream ends with the session: that must not lead this page elsewhere first.
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

/** A new session begins: the flag of the last one's end must not erase it. */
export function clearLogoutFlag(): void {
  writeCookie(LOGOUT_FLAG, '', 0);
}
