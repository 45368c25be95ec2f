import { hash } from 'node:crypto';
import type { JsonSchema } from '@highline/contract/openapi';
import type { FastifyInstance } from 'fastify';

/**
 * Serve the description at /openapi.json. It is generated once, at the first request: that takes some hundred milliseconds of
 * CPU.
 */
export function serveDescription(app: FastifyInstance, describe: () => JsonSchema): void {
  let made: { readonly text: string; readonly tag: string } | undefined;
  app.get('/openapi.json', async (request, reply) => {
    if (made === undefined) {
      const text = JSON.stringify(describe());
      made = { text, tag: `"${hash('sha256', text).slice(0, 32)}"` };
    }
    // Caches may keep it but must revalidate: it changes with the server's version.
    reply.header('etag', made.tag).header('cache-control', 'public, no-cache');
    if (request.headers['if-none-match'] === made.tag) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(made.text);
  });
}
