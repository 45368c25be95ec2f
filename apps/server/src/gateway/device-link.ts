import { DomainError } from '../failure.ts';
import type { DeviceLink } from '../ports/device-link.ts';
import { NoAnswer } from './exchange.ts';
import { readAll } from './reconcile/questions.ts';
import type { Sessions } from './sessions.ts';

/** The port through which rooms reach routers, over the sessions of this process. */
export function createDeviceLink(sessions: Sessions): DeviceLink {
  return {
    disconnect: (routerIds, reason) => sessions.disconnect(routerIds, reason),
    async get(routerId, paths, timeoutMs) {
      const session = sessions.find(routerId);
      if (session === undefined) throw new DomainError('server.busy', { message: 'The router is not connected.' });
      try {
        const answers = await readAll(session, paths, timeoutMs);
        return new Map(answers.entries());
      } catch (error) {
        if (error instanceof NoAnswer) throw new DomainError('server.busy', { message: 'The router does not answer.' });
        throw error;
      }
    },
  };
}
