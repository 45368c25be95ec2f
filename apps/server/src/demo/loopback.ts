import type { FastifyInstance } from 'fastify';
import { DomainError } from '../kernel/failure.ts';
import { isLoopback } from '../platform/settings/variables.ts';

/**
 * The demo's passwords are known: a page whose name is made to lead to this machine (DNS rebinding) must not reach it, and no mailed link
 * may carry a foreign name. Whatever names another host than this machine finds nothing.
 */
export function answerLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
    if (!isLoopback(host)) throw new DomainError('not_found');
  });
}
