import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import { dropPorts } from './address.ts';
import { faultHandler } from './faults.ts';
import { cutOffSlowBodies } from './body-timeout.ts';

const LONGEST_REQUEST_MS = 24 * 3_600_000;

export interface HttpOptions {
  readonly log: FastifyBaseLogger;
  /** Addresses of proxies whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** For our own TLS; undefined when a proxy terminates TLS, or there is none. */
  readonly tls: ServerOptions | undefined;
  /** Users reach us over https, also when a proxy terminates TLS. */
  readonly secure: boolean;
  readonly isBusy: (error: unknown) => boolean;
  /** Origins that the operator's map is loaded from, in addition to our own (POS-03). */
  readonly mapOrigins?: readonly string[];
}

/**
 * The Content Security Policy of every page (STACK.md); only the sign-in page may be framed, and only by us. The worker of the map
 * has the policy of its own file, so it is the same for every answer.
 */
const contentSecurityPolicy = (mapOrigins: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", ...mapOrigins],
    workerSrc: ["'self'", 'blob:'],
    frameSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});

/** A Fastify with our security headers, body parsers and error envelope, and no routes. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const onFault = faultHandler(options.log, options.isBusy);
  const app = Fastify({
    loggerInstance: options.log,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    ...(options.tls === undefined ? {} : { https: options.tls }),
    bodyLimit: 1_048_576,
    logController: new LogController({ disableRequestLogging: true }),
    // Bodies have their own limits; this one ends only requests that no other limit covers.
    requestTimeout: LONGEST_REQUEST_MS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    // Requests that the router itself rejects (an address that cannot be decoded) would otherwise be echoed outside our envelope.
    frameworkErrors: (error, request, reply) => void onFault(error, request, reply),
    // Long enough for two hundred ids, for example to delete several config files.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8_000 },
  }) as unknown as FastifyInstance;
  if (options.trustedProxies.length > 0) app.addHook('onRequest', async ({ raw }) => dropPorts(raw));
  cutOffSlowBodies(app);
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: 1_048_576 });
  await app.register(multipart);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(options.mapOrigins ?? []),
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Browsers ignore it over plain http.
    hsts: options.secure ? { maxAge: 31_536_000 } : false,
    xFrameOptions: false,
  });
  acceptLenientJson(app);
  rejectTwoHosts(app);
  app.setErrorHandler(onFault);
  return app;
}

/** Of two Host headers Node takes the first and a proxy may take the other: the target is ambiguous (RFC 9112, 3.2). */
function rejectTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) done(new DomainError('request.invalid', { message: 'The request names more than one host.' }));
    else done();
  });
}

/** Accept an empty body with a JSON content type (DECISIONS, Envelopes); reject broken JSON with a clear message. */
function acceptLenientJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    const body = typeof text === 'string' ? text : text.toString('utf8');
    if (body.trim() === '') return done(null, {});
    try {
      return done(null, withoutPrototype(JSON.parse(body)));
    } catch {
      return done(new DomainError('request.invalid', { message: 'The body is not valid JSON.' }));
    }
  });
}

/** Drop keys that could reach an object's prototype; without a function that JSON.parse calls for each of half a million values. */
function withoutPrototype(body: unknown): unknown {
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const key of ['__proto__', 'constructor']) Reflect.deleteProperty(value, key);
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return body;
}
