import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { rejectSocket } from '../upgrades/index.ts';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import type { TunnelClient } from '../../platform/ports/tunnels.ts';
import type { Channels } from './channels.ts';
import { cookiesNamed, SetCookies, VISITOR_COOKIE } from './headers.ts';
import { sendPlainPage } from './plain-page.ts';
import { forward, forwardUpgrade } from './web-forward.ts';

/** The web page of one router, under its own host name. */
export interface WebPage {
  /** Whether a browser used it, which may return. */
  readonly hasVisitor: boolean;
  /** Accept no new browsers; a returning one is recognized by its cookie. */
  shut(): void;
  close(): void;
}

export interface WebPages {
  /** @param name an unguessable host label @param options.client left out: the router's own page, which has a sign-in */
  open(
    name: string,
    channels: Pick<Channels, 'open'>,
    options: { readonly isSecure: boolean; readonly client: TunnelClient | undefined },
  ): WebPage;
  /** Takes an upgrade to a web page; false = it is for another host. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

interface Page {
  readonly channels: Pick<Channels, 'open'>;
  readonly client: TunnelClient | undefined;
  readonly isSecure: boolean;
  /** Cookie value of browsers that used the page before it was shut. */
  readonly pass: string;
  readonly known: SetCookies;
  isShut: boolean;
  hasVisitor: boolean;
}

/**
 * Web pages of routers, each under its own host name: `<name>.<domain>`. Requests to a name under the domain are handled before
 * the console and the calls, so that a router's page shares no origin with them, and no name of the domain ever shows the
 * console.
 */
export function createWebPages(
  server: Server | SecureServer,
  { domain, log }: { readonly domain: string; readonly log: Log },
): WebPages {
  const open = new Map<string, Page>();
  const suffix = `.${domain.toLowerCase()}`;

  /** The label before the domain; undefined for another host. */
  const nameOf = ({ headers }: IncomingMessage): string | undefined => {
    const host = (headers.host ?? '').toLowerCase().replace(/:\d*$/u, '').replace(/\.$/u, '');
    return host.endsWith(suffix) ? host.slice(0, -suffix.length) : undefined;
  };

  const mayEnter = (page: Page, request: IncomingMessage): boolean => {
    if (!page.isShut) return true;
    return cookiesNamed(request, VISITOR_COOKIE).some((shown) => isSame(shown, page.pass));
  };

  const serve = (name: string, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const page = open.get(name);
    if (page === undefined) sendPlainPage(request, response, 'ended');
    else if (!mayEnter(page, request)) sendPlainPage(request, response, page.client === undefined ? 'expired' : 'taken');
    else if (!isSameOrigin(request)) sendPlainPage(request, response, 'rejected');
    else {
      page.hasVisitor = true;
      // A client may have no sign-in: its page belongs to the first browser that it answered.
      const answered = () => void (page.isShut ||= page.client !== undefined);
      return forward(request, response, { ...page, answered, log });
    }
    return undefined;
  };

  // First in line of all request handlers: requests to a router's page must reach no other.
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  const respond = (request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const name = nameOf(request);
    if (name !== undefined) return serve(name, request, response);
    for (const other of others) other.call(server, request, response);
    return undefined;
  };
  server.on(
    'request',
    guard(log, (_request, response) => response.destroy(), respond),
  );

  return {
    open(name, channels, { isSecure, client }) {
      const pass = randomBytes(24).toString('base64url');
      const page: Page = { channels, client, isSecure, pass, known: new SetCookies(), isShut: false, hasVisitor: false };
      open.set(name, page);
      return {
        get hasVisitor() {
          return page.hasVisitor;
        },
        shut: () => void (page.isShut = true),
        close: () => void open.delete(name),
      };
    },
    upgrade(request, socket, head) {
      const name = nameOf(request);
      if (name === undefined) return false;
      const page = open.get(name);
      if (page === undefined) rejectSocket(socket, 410);
      else if (!mayEnter(page, request) || !isSameOrigin(request)) rejectSocket(socket, 403);
      else
        forwardUpgrade(request, socket, head, { ...page, answered: () => {}, log }).catch((error: unknown) => {
          log.warn({ err: error }, "Failed to forward an upgrade to a router's web page.");
          socket.destroy();
        });
      return true;
    },
  };
}

/** Whether two texts are equal, in constant time. Compare digests: texts of equal length may differ in bytes. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/**
 * Reject requests caused by another site's page, in case it ever learns the name. A page without referrers, as those of routers,
 * sends its own forms with the origin 'null', so the browser's own fetch metadata comes first.
 */
function isSameOrigin({ method = 'GET', headers }: IncomingMessage): boolean {
  const isReading = ['GET', 'HEAD', 'OPTIONS'].includes(method) && headers.upgrade === undefined;
  if (isReading) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || (origin === 'null' && headers.upgrade === undefined)) return true;
  return URL.parse(origin)?.host === headers.host?.toLowerCase();
}
