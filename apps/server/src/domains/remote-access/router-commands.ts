import { DomainError } from '../../kernel/failure.ts';
import type { AccessOperation, DeviceLink, Log, OperationOutcome, RouterService } from '../../platform/ports/index.ts';

import type { RemoteSession } from './remote-access.store.ts';

/** For commands whose answer no caller waits for. */
const TIMEOUT_MS = 5_000;

/** The parameters of a tunnel command. */
export interface TunnelOrder {
  readonly address: string;
  readonly secret: string;
  readonly hostKey: string;
}

export interface Grant {
  readonly username: string;
  readonly password: string;
  readonly seconds: number;
}

/** The session's id is also the user name at the router. */
interface Of {
  readonly id: string;
  readonly routerId: string;
  readonly type: RouterService;
}

/** The commands that open and close access to a router. Those that open throw as `DeviceLink` does. */
export function createRouterCommands({ deviceLink, log }: { readonly deviceLink: DeviceLink; readonly log: Log }) {
  /** Best effort: the router also ends the access by itself. */
  const tryTo = async ({ id, routerId }: Pick<Of, 'id' | 'routerId'>, type: 'revoke-access' | 'close-tunnel'): Promise<void> => {
    try {
      await deviceLink.operate(routerId, { type, session: id }, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      log.debug({ err: error, router: routerId, operation: type }, 'Failed to notify a router that a remote session has ended.');
    }
  };
  const reset: AccessOperation = { type: 'reset-password' };

  return {
    /** Whether it opens tunnels to itself, or to clients of its network. */
    offersTunnels: (routerId: string, to: 'router' | 'clients', timeoutMs: number): Promise<boolean> =>
      deviceLink.offers(routerId, to === 'router' ? 'open-tunnel' : 'open-client-tunnel', timeoutMs),
    openTunnel: (
      { id: session, routerId, type: service, client }: Of & Pick<RemoteSession, 'client'>,
      order: TunnelOrder,
      timeoutMs: number,
    ): Promise<OperationOutcome> => {
      const operation: AccessOperation =
        client === null
          ? { type: 'open-tunnel', session, service, ...order }
          : { type: 'open-client-tunnel', session, client, ...order };
      return deviceLink.operate(routerId, operation, { timeoutMs });
    },
    grant: ({ id: session, routerId, type: service }: Of, grant: Grant): Promise<OperationOutcome> =>
      deviceLink.operate(routerId, { type: 'grant-access', session, service, ...grant }),
    revoke: (session: Pick<Of, 'id' | 'routerId'>) => tryTo(session, 'revoke-access'),
    /** Revoke first: a router that closes the tunnel may be unreachable for a moment. */
    async close(session: Pick<Of, 'id' | 'routerId'>): Promise<void> {
      await tryTo(session, 'revoke-access');
      await tryTo(session, 'close-tunnel');
    },
    /** Whether it can reset its own sign-in. Throws as `DeviceLink` does. */
    offersReset: (routerId: string, timeoutMs: number): Promise<boolean> => deviceLink.offers(routerId, reset.type, timeoutMs),
    /**
     * Reset the router's own sign-in to the default.
     * @throws DomainError `remote.reset_failed`, `remote.reset_unsupported`
     */
    async resetPassword(routerId: string): Promise<void> {
      const outcome = await deviceLink.operate(routerId, reset).catch((error: unknown) => {
        if (error instanceof DomainError) throw new DomainError('remote.reset_failed');
        throw error;
      });
      if (outcome.type === 'failed')
        throw new DomainError(outcome.cause === 'unsupported' ? 'remote.reset_unsupported' : 'remote.reset_failed');
    },
  };
}

export type RouterCommands = ReturnType<typeof createRouterCommands>;
