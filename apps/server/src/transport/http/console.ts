import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SIGNED_OUT_COOKIE } from './bearer.ts';
import { eraseSession } from './cookies.ts';
import { sendNotFound } from './faults.ts';
import { type HandoverOptions, pathOf, registerHandover } from './session-handover.ts';

export interface ConsoleOptions extends HandoverOptions {
  /** Folder of the built console. */
  readonly folder: string;
}

/** Paths of calls: a missing one is answered with JSON, never with the console's page. */
const callPaths = /^\/(?:dmp_aa|data_manager|vega_lite_manager|console|usp|openapi\.json|healthz|livez|metrics)(?:\/|$)/u;

/** The page of a link that shows vehicles; its token is behind the address, which is not sent. */
const SHARE = '/share';

/** Serve the console's files, and accept sessions handed over by address (AUTH-01). */
export async function serveConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  await app.register(staticFiles, {
    root: options.folder,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // Names under assets/ contain a content hash, so they can be cached forever.
      reply.header(
        'cache-control',
        relative(options.folder, path).startsWith('assets') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });

  const handOver = registerHandover(app, options);
  app.addHook('onRequest', async (request, reply) => {
    if (!isNavigation(request)) return undefined;
    const signedOut = request.cookies[SIGNED_OUT_COOKIE] !== undefined;
    if (signedOut) eraseSession(reply, options.secure);
    // Remove every `vap` from the address bar, whatever its value and number.
    if ((request.query as Record<string, unknown>)['vap'] === undefined || callPaths.test(pathOf(request))) return undefined;
    await handOver(request, reply, signedOut);
    return reply;
  });

  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (request.method !== 'GET' || callPaths.test(path) || !acceptsHtml(request) || path.startsWith('/assets/'))
      return sendNotFound(request, reply);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });

  app.get('/', async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'));
  app.get(SHARE, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').header('x-robots-tag', 'noindex, nofollow').sendFile('share.html'),
  );
  app.get('/docs', async (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('docs.html'));
  app.addHook('onSend', async (request, reply, payload) => {
    // Only the sign-in page may be framed, and only by us.
    if (pathOf(request) === '/account.html') {
      const policy = reply.getHeader('content-security-policy');
      if (typeof policy === 'string')
        reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    }
    // The page of a link has no form and no frame (RPM-06).
    if (pathOf(request) === SHARE) {
      const policy = reply.getHeader('content-security-policy');
      if (typeof policy === 'string')
        reply.header(
          'content-security-policy',
          policy.replace("form-action 'self'", "form-action 'none'").replace("frame-src 'self'", "frame-src 'none'"),
        );
    }
    return payload;
  });
}

/** Whether the console was built; the server reports it otherwise. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

function acceptsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

function isNavigation(request: FastifyRequest): boolean {
  return request.method === 'GET' && acceptsHtml(request);
}
