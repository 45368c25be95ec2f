import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { refuse } from '../gateway/index.ts';
import { guard } from '../guard.ts';
import type { Log } from '../ports/log.ts';
import type { Channels } from './channels.ts';
import { cookieOf, VISITOR_COOKIE } from './headers.ts';
import { answerPlainly } from './plain-page.ts';
import { forward, forwardUpgrade } from './web-forward.ts';

/** The web page of one router, under a name of its own. */
export interface WebPage {
  /** Whether a browser was here, which may come back. */
  readonly hasVisitor: boolean;
  /** Let no new browsers in; one that was here is known by its cookie. */
  shut(): void;
  close(): void;
}

export interface WebPages {
  /** @param name a host label that nobody can guess */
  open(name: string, channels: Channels, isSecure: boolean): WebPage;
  /** Takes an upgrade to a web page; false = it is for another host. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

interface Page {
  readonly channels: Channels;
  readonly isSecure: boolean;
  /** What browsers that were here before the page was shut carry. */
  readonly pass: string;
  isShut: boolean;
  hasVisitor: boolean;
}

/**
 * Web pages of routers, under one host name each: `<name>.<domain>`. Whatever comes to a name under the domain is taken before the
 * console and the calls see it, so that a router's page shares no origin with them, and no name of the domain ever shows the console.
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
    const shown = cookieOf(request, VISITOR_COOKIE);
    return shown !== undefined && isSame(shown, page.pass);
  };

  const serve = (name: string, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const page = open.get(name);
    if (page === undefined) answerPlainly(request, response, 'ended');
    else if (!mayEnter(page, request)) answerPlainly(request, response, 'expired');
    else if (!isSameOrigin(request)) answerPlainly(request, response, 'refused');
    else {
      page.hasVisitor = true;
      const { channels, isSecure, pass } = page;
      return forward(request, response, { channels, isSecure, pass, log });
    }
    return undefined;
  };

  // Before everything else that answers requests: what is for a router's page is for nobody else.
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  const answer = (request: IncomingMessage, response: ServerResponse): Promise<void> | undefined => {
    const name = nameOf(request);
    if (name !== undefined) return serve(name, request, response);
    for (const other of others) other.call(server, request, response);
    return undefined;
  };
  server.on(
    'request',
    guard(log, (_request, response) => response.destroy(), answer),
  );

  return {
    open(name, channels, isSecure) {
      const pass = randomBytes(24).toString('base64url');
      const page: Page = { channels, isSecure, pass, isShut: false, hasVisitor: false };
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
      if (page === undefined) refuse(socket, 410);
      else if (!mayEnter(page, request) || !isSameOrigin(request)) refuse(socket, 403);
      else
        forwardUpgrade(request, socket, head, { ...page, log }).catch((error: unknown) => {
          log.warn({ err: error }, "An upgrade for a router's web page could not be carried.");
          socket.destroy();
        });
      return true;
    },
  };
}

/** Whether two texts are the same, in constant time. Digests have one length; texts of one length may differ in bytes. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/**
 * What another site's page has a browser do here is refused, should that ever learn the name. A page that asks for no referrer, as
 * routers' do, has its own forms sent with the origin 'null', so what the browser says itself comes first.
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
