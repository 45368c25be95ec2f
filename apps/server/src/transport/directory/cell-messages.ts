import type { FastifyInstance } from 'fastify';
import type { CellLookup } from './cell-lookup.ts';

/** Where cells send their names: `POST /directory/<cell>/<message>`, with the bearer of the cell. */
export function registerCellMessages(app: FastifyInstance, directory: Pick<CellLookup, 'answer'>): void {
  app.post<{ Params: { cell: string; message: string } }>('/directory/:cell/:message', async (request, reply) => {
    const { cell, message } = request.params;
    const bearer = /^Bearer ([\w-]{1,100})$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    reply.header('cache-control', 'no-store');
    return directory.answer(cell, bearer, message, request.body);
  });
}
