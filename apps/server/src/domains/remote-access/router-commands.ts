import type { remoteAccess } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import { isUnsupported, type CommandResponse, type DeviceLink, type Log } from '../../platform/ports/index.ts';

// The commands for routers (docs/domains/remote-access.md): vendor extensions of Device., and one command of TR-181.

const OPEN = 'X_HIGHLINE_OpenTunnel()';
const CLOSE = 'X_HIGHLINE_CloseTunnel()';
const GRANT = 'X_HIGHLINE_GrantAccess()';
const REVOKE = 'X_HIGHLINE_RevokeAccess()';
const USER_INTERFACE = 'Device.UserInterface.';
const RESET = 'PasswordReset()';

const services = { ssh: 'SSH', gui: 'GUI' } as const satisfies Record<remoteAccess.ConnectionType, string>;
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
  readonly type: remoteAccess.ConnectionType;
}

/** The commands that open and close access to a router. Those that open throw as `DeviceLink` does. */
export function createRouterCommands({ deviceLink, log }: { readonly deviceLink: DeviceLink; readonly log: Log }) {
  const order = (routerId: string, command: string, args: Readonly<Record<string, string>>, timeoutMs?: number) =>
    deviceLink.operate(routerId, { command, commandKey: '', inputArgs: new Map(Object.entries(args)) }, timeoutMs);

  /** Best effort: the router also ends the access by itself. */
  const tryTo = async ({ id, routerId }: Pick<Of, 'id' | 'routerId'>, command: string): Promise<void> => {
    try {
      await order(routerId, `Device.${command}`, { User: id }, TIMEOUT_MS);
    } catch (error) {
      log.debug({ err: error, router: routerId, command }, 'Failed to notify a router that a remote session has ended.');
    }
  };

  return {
    offersTunnels: async (routerId: string, timeoutMs: number): Promise<boolean> =>
      (await deviceLink.commandsOf(routerId, 'Device.', timeoutMs)).has(OPEN),
    openTunnel: ({ id, routerId, type }: Of, { address, secret, hostKey }: TunnelOrder, timeoutMs: number) =>
      order(
        routerId,
        `Device.${OPEN}`,
        { Address: address, User: id, Secret: secret, HostKey: hostKey, Service: services[type] },
        timeoutMs,
      ),
    grant: ({ id, routerId, type }: Of, { username, password, seconds }: Grant): Promise<CommandResponse> =>
      order(routerId, `Device.${GRANT}`, {
        User: id,
        Username: username,
        Password: password,
        Service: services[type],
        Seconds: String(seconds),
      }),
    revoke: (session: Pick<Of, 'id' | 'routerId'>) => tryTo(session, REVOKE),
    /** Revoke first: a router that closes the tunnel may be unreachable for a moment. */
    async close(session: Pick<Of, 'id' | 'routerId'>): Promise<void> {
      await tryTo(session, REVOKE);
      await tryTo(session, CLOSE);
    },
    /** Whether its data model has UserInterface.PasswordReset(). Throws as `DeviceLink` does. */
    offersReset: async (routerId: string, timeoutMs: number): Promise<boolean> =>
      (await deviceLink.commandsOf(routerId, USER_INTERFACE, timeoutMs)).has(RESET),
    /**
     * Reset the router's own sign-in to the default (TR-181 `UserInterface.PasswordReset()`).
     * @throws DomainError `remote.reset_failed`, `remote.reset_unsupported`
     */
    async resetPassword(routerId: string): Promise<void> {
      const response = await order(routerId, USER_INTERFACE + RESET, {}).catch((error: unknown) => {
        if (error instanceof DomainError) return { type: 'failed', code: 0 } as const;
        throw error;
      });
      if (response.type === 'failed')
        throw new DomainError(isUnsupported(response) ? 'remote.reset_unsupported' : 'remote.reset_failed');
    },
  };
}

export type RouterCommands = ReturnType<typeof createRouterCommands>;
