import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long a body may take to arrive, milliseconds; left out, what every body may. */
    bodyPatienceMs?: number;
  }
}

/** How long any body may take to arrive. */
export const BODY_PATIENCE_MS = 120_000;
/** A file may come as slowly as 64 kB a second, the uplink of a bad office line. */
const SLOWEST_BYTES_PER_MS = 64;

/** How long a call may take to arrive that carries a file of so many bytes. */
export function patienceFor(fileBytes: number): number {
  return BODY_PATIENCE_MS + fileBytes / SLOWEST_BYTES_PER_MS;
}

/** Cut off whoever sends a body too slowly; the server's own limit knows one time for all, and a large image takes longer. */
export function cutOffSlowBodies(app: FastifyInstance, patienceMs = BODY_PATIENCE_MS): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (length === undefined && encoding === undefined) return;
    const timer = setTimeout(() => raw.destroy(), routeOptions.config.bodyPatienceMs ?? patienceMs);
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });
}
