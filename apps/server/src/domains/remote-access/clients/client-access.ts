import type { remoteClients as calls } from '@highline/contract';
import { type Actor, DomainError, epochSeconds, type OrganizationScope, required, withVersion } from '../../../kernel/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { readClientSettings } from '../../networks/index.ts';
import { isSubscribed, type ConnectInput } from '../connection-failures.ts';
import { type Connected, type Declined } from '../connect.ts';
import {
  type CurrentSession,
  findCurrent,
  findRemoteTarget,
  findSerial,
  hasDevice,
  type RemoteTarget,
} from '../remote-access.queries.ts';
import type { OpenedTerminal, SignIn, Terminals } from '../terminals.ts';
import { readClientRule } from './client-rule.queries.ts';
import { parseClient } from './request.ts';

/** A client of a device, as it is requested. */
export interface ClientRequest {
  /** Id of the device. */
  readonly device: string;
  readonly mac: string;
  readonly address: string;
  readonly port: number;
  readonly service: NonNullable<calls.ClientAccess['own']>['service'];
}
export type ClientSignIn = SignIn;

export interface ClientAccessDeps extends Pick<Deps, 'database' | 'clock' | 'tunnels'> {
  /** End a session, in whichever process has its sockets. @returns false when it had already ended */
  readonly endSession: (scope: OrganizationScope, actor: Actor, session: CurrentSession) => Promise<boolean>;
  readonly terminals: Terminals;
  /** In whichever process has the router. */
  readonly connect: (
    scope: OrganizationScope,
    actor: Actor,
    input: ConnectInput,
    caller: AbortSignal,
  ) => Promise<Connected | Declined>;
  /** Whether the router offers it. @throws DomainError `remote.offline`, `remote.no_answer` */
  readonly offersClients: (
    caller: { readonly scope: OrganizationScope; readonly actor: Actor },
    target: RemoteTarget,
  ) => Promise<boolean>;
}

/** Sessions to clients of vehicles' networks (LIV-08): remote sessions as any other, to another end. */
export function createClientAccess(deps: ClientAccessDeps) {
  const { database, clock, tunnels, endSession, terminals, connect, offersClients } = deps;

  const getSerial = async (scope: OrganizationScope, device: string): Promise<string> =>
    required(await findSerial(database.read, scope, device), 'not_found', { field: 'device' });

  const findObstacle = async (
    scope: OrganizationScope,
    actor: Actor,
    target: RemoteTarget,
    { roles }: calls.ClientRule,
  ): Promise<calls.ClientObstacle | null> => {
    if (roles.length === 0) return 'off';
    if (!roles.some((role) => role === actor.role)) return 'role';
    if ((await readClientSettings(database.read, scope.organizationId)).keep === 'nothing') return 'unread';
    if (!isSubscribed(target, clock.now())) return 'not-subscribed';
    if (!target.isOnline) return 'offline';
    try {
      return (await offersClients({ scope, actor }, target)) ? null : 'unsupported';
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.key === 'remote.offline' ? 'offline' : 'no-answer';
    }
  };

  return {
    async open(
      scope: OrganizationScope,
      actor: Actor,
      request: ClientRequest,
      caller: AbortSignal,
    ): Promise<Connected | Declined> {
      const serial = await getSerial(scope, request.device);
      const target = parseClient(request);
      const type = target.service === 'ssh' || target.service === 'tcp' ? 'ssh' : 'gui';
      return connect(scope, actor, { serial, type, client: { target, from: actor.address } }, caller);
    },

    async openTerminal(
      scope: OrganizationScope,
      actor: Actor,
      { username, password, ...request }: ClientRequest & ClientSignIn,
      caller: AbortSignal,
    ): Promise<OpenedTerminal> {
      const serial = await getSerial(scope, request.device);
      const client = { target: parseClient(request), from: actor.address };
      return terminals.openClient(scope, actor, { serial, type: 'ssh', client }, { username, password }, caller);
    },

    async access(scope: OrganizationScope, actor: Actor, device: string): Promise<calls.ClientAccess> {
      const serial = await getSerial(scope, device);
      const target = required(await findRemoteTarget(database.read, scope, serial), 'not_found', { field: 'device' });
      const rule = await readClientRule(database.read, scope);
      const current = await findCurrent(database.read, scope, target.deviceId);
      const isOwn = current?.accountId === actor.accountId;
      return {
        obstacle: await findObstacle(scope, actor, target, rule),
        pages: tunnels.hasPages,
        ports: tunnels.hasPorts,
        rule: withVersion(rule),
        busy: current !== undefined,
        own: isOwn && current.client !== null ? { ...current.client, since: epochSeconds(current.openedAt) } : null,
      };
    },

    async end(scope: OrganizationScope, actor: Actor, device: string): Promise<boolean> {
      if (!(await hasDevice(database.read, scope, device))) throw new DomainError('not_found', { field: 'device' });
      const current = await findCurrent(database.read, scope, device);
      if (current === undefined || current.client === null) return false;
      if (current.accountId !== actor.accountId && actor.role !== 'admin') return false;
      return endSession(scope, actor, current);
    },
  };
}
