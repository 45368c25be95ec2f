import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../kernel/escape-html.ts';
import type { Actor } from '../../kernel/scope.ts';
import { addressOfCaller, checkOrigin } from '../../platform/calls/caller.ts';
import { bearerOf, hashBearer, type SessionReader } from './bearer.ts';
import { keepSession } from './cookies.ts';

export interface HandoverOptions {
  readonly sessions: SessionReader;
  /** As in `checkOrigin`. */
  readonly ownOrigin: string | undefined;
  /** Cookies are marked Secure: the public address is https. */
  readonly secure: boolean;
}

const HANDOVER_LIFETIME_MS = 120_000;
const MAX_HANDOVERS = 1_000;

/** Answers a request whose address has `vap` in its query. @param signedOut the earlier session of this browser was erased */
type HandOver = (request: FastifyRequest, reply: FastifyReply, signedOut: boolean) => Promise<void>;

/** Accept sessions that are handed over as `id` and `vap` in the address of the console (AUTH-01). */
export function registerHandover(app: FastifyInstance, options: HandoverOptions): HandOver {
  const handovers = createHandovers();

  // The confirmation has its own address: the one with the bearer would stay in the browser's history.
  app.get('/console/handover', async (request, reply) => {
    const { ask } = request.query as Record<string, unknown>;
    const handover = typeof ask === 'string' ? handovers.peek(ask) : undefined;
    // With 'no-referrer' a browser sends the answer with `Origin: null`, and the Origin check would reject it.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'same-origin');
    const current = await currentActor(request, options.sessions);
    if (typeof ask !== 'string' || handover === undefined || current?.accountId !== handover.current)
      return reply.redirect('/', 303);
    return reply.type('text/html; charset=utf-8').send(questionPage(request, ask, current?.email, handover.email));
  });

  app.post('/console/handover', async (request, reply) => {
    checkOrigin(request, options.ownOrigin);
    const { nonce, answer } = (request.body ?? {}) as Record<string, unknown>;
    const handover = typeof nonce === 'string' ? handovers.take(nonce) : undefined;
    reply.header('cache-control', 'no-store');
    // The confirmation was shown to one account's session; the same account must still be signed in.
    const current = await currentActor(request, options.sessions);
    if (handover === undefined || current?.accountId !== handover.current) return reply.redirect('/', 303);
    if (answer === 'yes') keepSession(reply, options.secure, handover.id, handover.vap);
    return reply.redirect(answer === 'yes' ? handover.path : '/', 303);
  });

  return async (request, reply, signedOut) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const { id, vap } = request.query as Record<string, unknown>;
    const offered =
      typeof vap === 'string' ? await options.sessions.readSession(hashBearer(vap), addressOfCaller(request)) : undefined;
    if (typeof id !== 'string' || typeof vap !== 'string' || offered?.accountId !== id) return reply.redirect('/login', 303);
    const current = signedOut ? undefined : await currentActor(request, options.sessions);
    const isAnother = current !== undefined && current.accountId !== offered.accountId;
    if (isAnother || (current === undefined && isFromElsewhere(request))) {
      const path = cleanAddress(request);
      const nonce = handovers.keep({ id, vap, path, current: current?.accountId, email: offered.email });
      return reply.redirect(`/console/handover?ask=${nonce}`, 303);
    }
    keepSession(reply, options.secure, id, vap);
    return reply.redirect(cleanAddress(request), 303);
  };
}

/** The path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/u, 1)[0] ?? '/';
}

/**
 * Whether a page of another origin led here, of a sibling domain too: a router's page may be there. Signing in by its link would be
 * its choice, not the user's (docs/domains/accounts.md). Browsers report this; a client that does not is too old to, or is not a browser.
 */
function isFromElsewhere(request: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']));
}

async function currentActor(request: FastifyRequest, sessions: SessionReader): Promise<Actor | undefined> {
  const bearer = bearerOf(request);
  return bearer === undefined ? undefined : sessions.readSession(hashBearer(bearer.text), addressOfCaller(request));
}

/**
 * The address of the request without `id` and `vap`, split as text and not resolved: `//host`, `/\host` and `/.//host` would
 * become another site's address, and an invalid URL would be an error of ours.
 */
function cleanAddress(request: FastifyRequest): string {
  // oxlint-disable-next-line no-control-regex -- browsers skip control characters, so they could hide a second slash
  const path = pathOf(request).replaceAll(/[\u0000-\u0020]/gu, '');
  const query = new URLSearchParams(request.url.split('#', 1)[0]!.split('?').slice(1).join('?'));
  query.delete('id');
  query.delete('vap');
  return `/${path.replace(/^[/\\]+/u, '')}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

interface Handover {
  readonly id: string;
  readonly vap: string;
  readonly path: string;
  /**
   * The account that is signed in and must confirm; undefined where a page of another site led here and no account is signed in.
   */
  readonly current: string | undefined;
  /** Address of the account that was handed over. */
  readonly email: string;
}

/** Bearers that wait for confirmation; the page contains only a nonce. Few, and for two minutes. */
function createHandovers() {
  const waiting = new Map<string, Handover & { readonly until: number }>();
  const peek = (nonce: string): Handover | undefined => {
    const handover = waiting.get(nonce);
    return handover !== undefined && handover.until > Date.now() ? handover : undefined;
  };
  return {
    keep(handover: Handover): string {
      const oldest = waiting.keys().next().value;
      if (waiting.size >= MAX_HANDOVERS && oldest !== undefined) waiting.delete(oldest);
      const nonce = randomBytes(24).toString('base64url');
      waiting.set(nonce, { ...handover, until: Date.now() + HANDOVER_LIFETIME_MS });
      return nonce;
    },
    peek,
    take(nonce: string): Handover | undefined {
      const handover = peek(nonce);
      waiting.delete(nonce);
      return handover;
    },
  };
}

const questions = {
  en: {
    title: 'Switch account?',
    ask: (to: string, from: string) => `Continue as ${to} instead of ${from}?`,
    signIn: 'Sign in?',
    askNew: (to: string) => `Another website wants to sign you in as ${to}. Continue?`,
    yes: 'Yes',
    no: 'No',
  },
  zh: {
    title: '切換帳號？',
    ask: (to: string, from: string) => `要改以 ${to} 繼續，取代目前的 ${from} 嗎？`,
    signIn: '要登入嗎？',
    askNew: (to: string) => `另一個網站想讓您以 ${to} 登入。要繼續嗎？`,
    yes: '是',
    no: '否',
  },
};

/** A page without script; names are escaped. */
function questionPage(request: FastifyRequest, nonce: string, from: string | undefined, to: string): string {
  const chinese = /^\s*zh/iu.test(request.headers['accept-language'] ?? '');
  const say = chinese ? questions.zh : questions.en;
  const title = from === undefined ? say.signIn : say.title;
  const question = from === undefined ? say.askNew(to) : say.ask(to, from);
  return `<!doctype html><html lang="${chinese ? 'zh-TW' : 'en-US'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Highline</title><style>:root{color-scheme:light dark}body{font:15px/22px system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0;background:light-dark(#f6f7f9,#0e1116);color:light-dark(#12161d,#eef1f5)}
main{max-width:420px;margin:16px;padding:28px;border:1px solid light-dark(#e3e6eb,#262d38);border-radius:14px;background:light-dark(#fff,#151a21)}h1{font-size:20px;margin:0 0 8px}p{overflow-wrap:anywhere}
button{font:inherit;font-weight:600;padding:8px 18px;border-radius:8px;border:1px solid light-dark(#cfd4dc,#38414f);background:none;color:inherit;cursor:pointer}button[value=yes]{background:#1f5fd6;border-color:#1f5fd6;color:#fff}</style></head>
<body><main><h1>${title}</h1><p>${escapeHtml(question)}</p><form method="post" action="/console/handover"><input type="hidden" name="nonce" value="${nonce}">
<button name="answer" value="yes">${say.yes}</button> <button name="answer" value="no">${say.no}</button></form></main></body></html>`;
}
