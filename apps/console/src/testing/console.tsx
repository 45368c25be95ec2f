import { format } from 'node:util';
import { accounts, type Role, toApiRole, views } from '@highline/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import * as React from 'react';
import { expect, onTestFinished, vi } from 'vitest';
import { createClient } from '../api/query-client.ts';
import { createConsoleRouter } from '../app/router.ts';
import { startTexts } from '../app/first-texts.ts';
import { watchSession } from '../session/sign-out.ts';
import { DialogHost } from '../ui/DialogHost.tsx';
import { openDialogs } from '../ui/dialogs.ts';
import { limitByCharacters } from '../ui/form/character-limits.ts';
import type { Language } from '../ui/language.ts';
import { loadZone } from '../ui/time/zone.ts';
import { ToastHost } from '../ui/ToastHost.tsx';
import { shownToasts } from '../ui/toasts.ts';
import { createFakeServer, example } from './fake-server.ts';
import { completePlatform } from './platform.ts';
import { shownTexts } from './shown-texts.ts';

export { example, Failed, rowsOf } from './fake-server.ts';

declare global {
  interface Window {
    happyDOM?: { setViewport(viewport: { width: number; height: number }): void };
  }
}

type SignedIn = ReturnType<typeof example<typeof accounts.introspect>>['result'];

export interface ConsoleOptions {
  /** Who is signed in; an admin by default. */
  readonly role?: Role;
  /** False: no one is signed in. */
  readonly signedIn?: boolean;
  /** What else is true of that person: a limit, an own role, a visit. */
  readonly session?: Partial<SignedIn>;
  /** Permissions of the account, as the server names them. */
  readonly permissions?: readonly string[];
  readonly language?: Language;
  readonly zone?: string;
  /** The time, which stands still unless `timers` are fake. */
  readonly now?: string;
  /** Of the window, px: the console reads it, although the environment has no layout. */
  readonly width?: number;
  /** Timers pass only by `advance`, and with the time that the test takes. */
  readonly timers?: 'real' | 'fake';
}

/** React keeps where each element was made, for its messages: a fifth of the time of a test. */
function withoutOwnerStacks(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
    string,
    object
  >;
  if (internals !== undefined)
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.MAX_SAFE_INTEGER, set: (_count) => {} });
}
limitByCharacters(document);
withoutOwnerStacks();

/** Who is signed in, as the server answers it. */
function sessionOf({ role = 'admin', permissions, session }: ConsoleOptions): { readonly result: SignedIn } {
  const { result } = example(accounts.introspect);
  return {
    result: {
      ...result,
      name: 'Ana Ruiz',
      email: 'ana@lakeshore.example',
      role: toApiRole(role),
      demo: false,
      limitedTo: null,
      ownRole: null,
      visit: null,
      support: null,
      org: role === 'main' ? null : { id: 'lakeshore', name: 'Lakeshore Transit' },
      vendorName: 'Highline Cellular',
      scopes: permissions === undefined ? result.scopes : [{ service: result.scopes[0]!.service, permissions: [...permissions] }],
      ...session,
    },
  };
}

/** Each is past its end, also while the clock stands: one that ends now would be there until it goes on, and in the next test. */
function eraseCookies(): void {
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; Path=/; Max-Age=-1`;
}

/**
 * The console in a page of its own for this test: its router, queries, dialogs and toasts, signed in, in front of a fake server.
 * A fault of React, a call that is none of the contract, and a response that does not fit its schema fail the test.
 */
export function startConsole(options: ConsoleOptions = {}) {
  const {
    role = 'admin',
    signedIn = true,
    language = 'en-US',
    zone = 'America/Chicago',
    now = '2026-11-23T15:30:00Z',
    timers = 'real',
    width = 1440,
  } = options;
  const server = createFakeServer(role);
  server.respond(accounts.introspect, sessionOf(options));
  // The one of the example is the default of a list, and would change its address.
  server.respond(views.listViews, { result: [] });
  const left: string[] = [];
  const downloads: { readonly name: string; readonly content: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  const faults: string[] = [];

  if (timers === 'fake') vi.useFakeTimers({ now: Date.parse(now), shouldAdvanceTime: true });
  else vi.setSystemTime(Date.parse(now));
  const note = (...parts: readonly unknown[]) => {
    const text = format(...parts);
    // happy-dom does not know the element <search>.
    if (!text.includes('is unrecognized in this browser')) faults.push(text);
  };
  vi.spyOn(console, 'error').mockImplementation(note);
  vi.spyOn(console, 'warn').mockImplementation(note);
  const undo = completePlatform();
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('EventSource', server.EventSource);
  vi.spyOn(location, 'replace').mockImplementation((to) => void left.push(String(to)));
  vi.spyOn(location, 'assign').mockImplementation((to) => void left.push(String(to)));
  vi.spyOn(location, 'reload').mockImplementation(() => void left.push('reload'));
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    const address = `blob:${blobs.size}`;
    blobs.set(address, content as Blob);
    return address;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  const { click } = HTMLAnchorElement.prototype;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    const content = blobs.get(this.href);
    if (content === undefined) click.call(this);
    else downloads.push({ name: this.download, content });
  });
  window.happyDOM?.setViewport({ width, height: 900 });
  if (signedIn) document.cookie = 'id=account; Path=/';
  document.cookie = `timezone=${encodeURIComponent(zone)}; Path=/`;
  localStorage.setItem('highline.language', language);

  const client = createClient();
  // A failed call is repeated at once.
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 0 } });
  const router = createConsoleRouter(client);
  const user = userEvent.setup({
    delay: null,
    ...(timers === 'fake' && { advanceTimers: (ms) => void vi.advanceTimersByTime(ms) }),
  });

  onTestFinished(async () => {
    cleanup();
    client.clear();
    // What waits to be written into the address, or what the page still does, would come after the window is gone.
    router.history.flush();
    router.history.destroy();
    Object.assign(router.history, { push: () => {}, replace: () => {} });
    openDialogs.set([]);
    shownToasts.set([]);
    undo();
    localStorage.clear();
    sessionStorage.clear();
    eraseCookies();
    // Tests of the same worker share the language.
    await startTexts();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    expect([...server.faults, ...faults]).toEqual([]);
  });

  /** The queries pass their responses on in the next turn. */
  const turn = () => (timers === 'fake' ? vi.advanceTimersByTimeAsync(0) : new Promise((resolve) => void setTimeout(resolve)));
  const isLoaded = () =>
    server.isIdle() &&
    router.state.status === 'idle' &&
    (document.querySelector('h1')?.textContent ?? '') !== '' &&
    document.querySelector('[aria-busy="true"]') === null;

  // Thrown at each look: without a text, which would be made for each of them.
  const notLoaded = new Error('not loaded');
  const throwUnlessLoaded = () => {
    if (!isLoaded()) throw notLoaded;
  };

  /** Each call of the page has been answered, and the page shows it. */
  const loaded = async (): Promise<void> => {
    do {
      await waitFor(throwUnlessLoaded, { onTimeout: () => new Error(`The page does not load. It shows: ${shownTexts()}`) });
      await turn();
    } while (!isLoaded());
  };

  return {
    ...server,
    /** Keyboard and pointer. */
    user,
    /** Enter a text in place of what a field has, in one step; `user.type` presses each key. */
    async fill(field: HTMLElement, text: string): Promise<void> {
      await user.clear(field);
      if (text !== '') await user.paste(text);
    },
    /** Where the console sent the browser: addresses, or `reload`. */
    left,
    /** Files that the console saved. */
    downloads,
    loaded,
    /** Open the console at an address, once for a test. */
    async open(path: string): Promise<void> {
      history.pushState(null, '', path);
      loadZone();
      watchSession();
      await startTexts();
      render(
        <>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
            <DialogHost />
            <ToastHost />
          </QueryClientProvider>
        </>,
      );
      await loaded();
    },
    /** Go to another page, as a link does. */
    async visit(path: string): Promise<void> {
      await act(async () => router.history.push(path));
      await turn();
      await loaded();
    },
    /** The address of the page. */
    address: () => location.pathname + location.search,
    /** Let time pass, with fake timers. */
    async advance(ms: number): Promise<void> {
      await act(() => vi.advanceTimersByTimeAsync(ms));
    },
    /** The rows of the list on the page. */
    rows: () => screen.queryAllByRole('row').slice(1),
  };
}

/** The button with a name; there is exactly one. */
export const button = (name: string | RegExp) => screen.getByRole('button', { name });

/** The row of a table that has a text; there is exactly one. */
export const row = (text: string) => screen.getByRole('row', { name: new RegExp(text, 'u') });

/** Whether a button, which can be reached either way, says that it does nothing now. */
export const isDisabled = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
