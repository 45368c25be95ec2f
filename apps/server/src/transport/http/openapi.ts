import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** What `npm run openapi` writes; a test compares it with the contract and the version. */
const FILE = new URL('../../../../../packages/client/openapi.json', import.meta.url);

/**
 * Serve the description of the calls at /openapi.json. To make it takes more than half a second, and anyone may request it: the file is read
 * instead, once, and all responses send the same bytes.
 */
export function serveDescription(app: FastifyInstance, file: string | URL = FILE): void {
  let made: Promise<{ readonly bytes: Buffer; readonly tag: string }> | undefined;
  const read = async () => {
    const bytes = await readFile(file);
    return { bytes, tag: `"${hash('sha256', bytes).slice(0, 32)}"` };
  };
  const readAgainAfterFault = () =>
    read().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
  app.get('/openapi.json', async (request, reply) => {
    const { bytes, tag } = await (made ??= readAgainAfterFault());
    // Caches may keep it but must revalidate: it changes with the server's version.
    reply.header('etag', tag).header('cache-control', 'public, no-cache');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
}
