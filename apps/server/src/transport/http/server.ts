import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import { guard } from '../../kernel/guard.ts';
import { readForwardedAddresses } from './address.ts';
import { respondToClientError } from './client-errors.ts';
import { faultHandler } from './faults.ts';
import { cutOffSlowBodies } from './body-timeout.ts';
import { ANONYMOUS_BYTES } from './collected-bodies.ts';
import { acceptBodies } from './request-body.ts';
import { cutOffStalledReaders } from './stalled-readers.ts';

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
 * has the policy of its own file, so it is the same for every response.
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
    // Our own hook rejects a missing host, in our envelope.
    ...(options.tls === undefined
      ? { http: { requireHostHeader: false } }
      : { https: { ...options.tls, requireHostHeader: false } }),
    // Of a route that declares no limit of its own.
    bodyLimit: ANONYMOUS_BYTES,
    logController: new LogController({ disableRequestLogging: true }),
    // Bodies have their own limits; this one ends only requests that no other limit covers.
    requestTimeout: LONGEST_REQUEST_MS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    // Requests that the router itself rejects (an address that cannot be decoded) would otherwise be echoed outside our envelope.
    frameworkErrors: (error, request, reply) => void onFault(error, request, reply),
    clientErrorHandler: respondToClientError(options.secure),
    // Long enough for two hundred ids, for example to delete several config files.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8_000 },
  }) as unknown as FastifyInstance;
  cutOffSlowBodies(app);
  cutOffStalledReaders(app);
  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(options.mapOrigins ?? []),
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Browsers ignore it over plain http.
    hsts: options.secure ? { maxAge: 31_536_000 } : false,
    xFrameOptions: false,
  });
  if (options.trustedProxies.length > 0) readForwardedAddresses(app);
  requireOneHost(app);
  acceptBodies(app);
  await app.register(multipart);
  app.setErrorHandler(onFault);
  return app;
}

/**
 * Of two Host headers Node takes the first and a proxy may take the other: the target is ambiguous. HTTP/1.1 requires one (RFC 9112,
 * 3.2).
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) throw new DomainError('request.invalid', { message: 'The request names more than one host.' });
    if (hosts.length === 0 && raw.httpVersion === '1.1')
      throw new DomainError('request.invalid', { message: 'The request names no host.' });
  });
  // Of an expectation that is unknown, Node would answer outside our envelope; it may be ignored (RFC 9110, 10.1.1).
  app.server.on(
    'checkExpectation',
    guard(
      app.log,
      (request: IncomingMessage) => request.destroy(),
      (request: IncomingMessage, response: ServerResponse) => app.server.emit('request', request, response),
    ),
  );
}
