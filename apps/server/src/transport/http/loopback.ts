import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import { isLoopback } from '../../platform/settings/variables.ts';

/**
 * The demo's passwords are public: a page whose name resolves to this machine (DNS rebinding) must not reach it, and no mailed
 * link may contain a foreign name. A request for any other host name is a 404.
 */
export function sendLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
    if (!isLoopback(host)) throw new DomainError('not_found');
  });
}
