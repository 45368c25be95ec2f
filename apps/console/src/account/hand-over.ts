import { accounts, identityProviders } from '@highline/contract';
import { call } from '../api/client.ts';

/** The response of a sign-in. */
export interface Credentials {
  readonly id: string;
  readonly vap: string;
}

/** The console around this page; undefined when the page is the top window. */
function consoleWindow(): Window | undefined {
  return window.parent === window ? undefined : window.parent;
}

/**
 * Hand a new session to the console around this page, and to no other origin: the console is served from ours (AUTH-03).
 * Standing alone, this page keeps the session itself and opens the console.
 */
export async function handOver({ id, vap }: Credentials): Promise<void> {
  const parent = consoleWindow();
  if (parent !== undefined) {
    parent.postMessage({ type: 'login', id, vap }, location.origin);
    return;
  }
  await call(accounts.openSession, { body: { id, vap } });
  location.replace('/');
}

/** Leave for the identity provider of an address, with the whole window: providers do not allow frames. It leads back to the same page of the console. */
export async function openProvider(email: string): Promise<void> {
  const top = consoleWindow() ?? window;
  const next = new URLSearchParams(top.location.search).get('next');
  const { result } = await call(identityProviders.beginProviderSignIn, { body: { email, ...(next !== null && { next }) } });
  top.location.assign(result.url);
}

/** Notify the console that this account has no roles (AUTH-04). */
export function handOverInvalid(): void {
  const parent = consoleWindow();
  if (parent !== undefined) parent.postMessage({ type: 'invalid-account' }, location.origin);
  else location.replace('/error_acc_invalid.html');
}
