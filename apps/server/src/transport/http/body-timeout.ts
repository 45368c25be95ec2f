import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit for a body to arrive, milliseconds; left out: the default. */
    bodyTimeoutMs?: number;
  }
}

/** Default time limit for a body to arrive. */
export const BODY_TIMEOUT_MS = 120_000;
/** Slowest accepted upload: 64 kB a second, the uplink of a bad office line. */
const SLOWEST_BYTES_PER_MS = 64;

/** Time limit for a call with a file of this size to arrive. */
export function bodyTimeoutFor(fileBytes: number): number {
  return BODY_TIMEOUT_MS + fileBytes / SLOWEST_BYTES_PER_MS;
}

/**
 * Cut off clients that send a body too slowly. The server's own limit is one time for all requests, and a large image takes
 * longer.
 */
export function cutOffSlowBodies(app: FastifyInstance, timeoutMs = BODY_TIMEOUT_MS): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (length === undefined && encoding === undefined) return;
    const timer = setTimeout(() => raw.destroy(), routeOptions.config.bodyTimeoutMs ?? timeoutMs);
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });
}
