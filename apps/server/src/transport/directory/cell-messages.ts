import type { FastifyInstance } from 'fastify';
import type { CellLookup } from './cell-lookup.ts';

/** The longest message: names of some thousand people or routers. */
const MESSAGE_BYTES = 1_048_576;

/** Where cells send their names: `POST /directory/<cell>/<message>`, with the bearer of the cell, checked before a body is read. */
export function registerCellMessages(app: FastifyInstance, directory: Pick<CellLookup, 'checkCell' | 'respond'>): void {
  app.route<{ Params: { cell: string; message: string } }>({
    method: 'POST',
    url: '/directory/:cell/:message',
    bodyLimit: MESSAGE_BYTES,
    onRequest: async (request, reply) => {
      const { cell } = request.params;
      reply.header('cache-control', 'no-store');
      directory.checkCell(cell, /^Bearer ([\w-]{1,100})$/u.exec(request.headers.authorization ?? '')?.[1] ?? '');
      request.bodyOf = { account: cell, tenant: cell };
    },
    handler: ({ params: { cell, message }, body }) => directory.respond(cell, message, body),
  });
}
