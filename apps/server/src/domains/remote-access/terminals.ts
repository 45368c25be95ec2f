import { recordings, remoteAccess, remoteClients } from '@highline/contract';
import { z } from 'zod';
import {
  createSealing,
  DomainError,
  isAllowedByRole,
  openedOrNone,
  required,
  type Actor,
  type MasterKey,
  type OrganizationScope,
} from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { seesDevice } from '../accounts/index.ts';
import type { ElsewhereTerminal, TerminalCause, TerminalEntry } from '../../platform/ports/tunnels.ts';
import type { ConnectInput } from './connection-failures.ts';
import type { Connected, Declined } from './connect.ts';
import type { Ends } from './ends.ts';
import type { Secret } from './issue-credentials.ts';
import { readRecordingSettings, type RecordedTerminal, type Recorders } from '../recordings/index.ts';
import type { ActiveSessions } from './live-sessions.ts';
import { findCurrent, findRemoteTarget } from './remote-access.queries.ts';
import { type OpenSession } from './open-sessions.store.ts';
import { enterTerminal, findEndReason } from './remote-access.store.ts';

export interface TerminalDeps extends Pick<Deps, 'database' | 'clock' | 'tunnels'> {
  readonly masterKey: MasterKey;
  readonly ends: Ends;
  readonly active: ActiveSessions;
  readonly recorders: Recorders;
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
  /** Connect and its credentials, in whichever process has the router. */
  readonly connect: (
    scope: OrganizationScope,
    actor: Actor,
    input: ConnectInput,
    caller: AbortSignal,
  ) => Promise<Connected | Declined>;
  readonly issueCredentials: (scope: OrganizationScope, actor: Actor, input: ConnectInput) => Promise<Secret>;
}

/** `statusCode` 200 with a ticket for the browser's WebSocket, or the router's own message. */
export type OpenedTerminal = {
  readonly statusCode: number;
  readonly ticket: string;
  readonly recorded: boolean;
  readonly statusMsg?: string;
};

/** At an SSH server. */
export interface SignIn {
  readonly username: string;
  readonly password: string;
}

export interface Terminals {
  /** @throws DomainError as `connect` and `issueCredentials` of `RemoteAccess` */
  open(scope: OrganizationScope, actor: Actor, serial: string, caller: AbortSignal): Promise<OpenedTerminal>;
  /** To a client, with a sign-in of that client. @throws DomainError as `connect` */
  openClient(
    scope: OrganizationScope,
    actor: Actor,
    input: ConnectInput,
    signIn: SignIn,
    caller: AbortSignal,
  ): Promise<OpenedTerminal>;
  /**
   * The terminal of a ticket, once, or the process that has its tunnel; undefined when it is wrong, too old or used, or its user may no
   * longer.
   */
  admit(ticket: string): Promise<TerminalEntry | ElsewhereTerminal | undefined>;
}

/** A ticket is for the WebSocket that a browser opens at once. */
const TICKET_MS = 30_000;
/** The sockets of a session are cut before its end is written: wait for the reason, but not long. */
const REASON_MS = 3_000;
const REASON_STEP_MS = 100;
const CONTEXT = 'ticket';

const ticketShape = z.object({
  organizationId: z.string(),
  mainAccountId: z.string(),
  /** Of the sign-in that opened it. */
  signIn: z.string(),
  session: z.string(),
  device: z.string(),
  serial: z.string(),
  /** What the user saw before it was opened. */
  recorded: z.boolean(),
  /** `Tunnels.address` of the process that has the tunnel. */
  at: z.string(),
  username: z.string(),
  password: z.string(),
  /** Of the vehicle's network, to which it leads. */
  client: recordings.recordedClient.optional(),
  until: z.number(),
});
type Ticket = z.infer<typeof ticketShape>;

/**
 * Terminals in the browser (LIV-07): a session as any other, whose credentials the browser never sees. Its ticket is sealed with the master
 * key, so that each process can open it: the browser reaches any of them, which passes it on to the one with the tunnel.
 */
export function createTerminals(deps: TerminalDeps): Terminals {
  const { database, clock, active, ends } = deps;
  const sealing = createSealing(deps.masterKey, 'highline terminal tickets 1');

  const seal = (ticket: Ticket): string => sealing.seal(CONTEXT, Buffer.from(JSON.stringify(ticket))).toString('base64url');
  const open = (sealed: string): Ticket | undefined => {
    const bytes = openedOrNone(() => sealing.open(CONTEXT, Buffer.from(sealed, 'base64url')));
    return bytes && ticketShape.parse(JSON.parse(bytes.toString()));
  };

  /** @throws DomainError `remote.not_connected` when the session ended meanwhile */
  const findOwn = async (scope: OrganizationScope, actor: Actor, serial: string) => {
    const target = await findRemoteTarget(database.read, scope, serial);
    const found = target && (await findCurrent(database.read, scope, target.deviceId));
    if (target === undefined || found?.accountId !== actor.accountId) throw new DomainError('remote.not_connected');
    return { session: found.id, device: target.deviceId, serial: target.serial };
  };

  const reasonOf = async (scope: OrganizationScope, id: string): Promise<remoteAccess.EndReason | undefined> => {
    for (let left = REASON_MS; left > 0; left -= REASON_STEP_MS) {
      const reason = ends.reasonOf(id) ?? (await findEndReason(database.read, scope, id));
      if (reason !== undefined) return reason;
      await new Promise((resolve) => setTimeout(resolve, REASON_STEP_MS));
    }
    return undefined;
  };

  /** End the session of a terminal. @returns why it ended */
  const endOf = async (session: OpenSession, actor: Actor, cause: TerminalCause): Promise<remoteAccess.TerminalEnd> => {
    if (cause === 'lost') {
      const reason = await reasonOf(session.scope, session.id);
      if (reason !== undefined) return reason;
      await ends.end(session, 'tunnel-lost');
      return 'tunnel-lost';
    }
    if (cause === 'left' || cause === 'exited') {
      await ends.end(session, 'cancelled', actor);
      return cause === 'exited' ? cause : 'cancelled';
    }
    await ends.end(session, cause);
    return cause;
  };

  const openWith = async (
    scope: OrganizationScope,
    actor: Actor,
    input: ConnectInput,
    signIn: () => Promise<SignIn>,
    caller: AbortSignal,
  ): Promise<OpenedTerminal> => {
    const { recorded } = await readRecordingSettings(database.read, scope);
    const connected = await deps.connect(scope, actor, { ...input, isTerminal: true }, caller);
    if (connected.statusCode !== 200) return { statusCode: 502, ticket: '', recorded, statusMsg: connected.statusMsg };
    const own = await findOwn(scope, actor, input.serial);
    try {
      // A process of the version before opened a port instead.
      if (!/^wss?:/u.test(connected.url)) throw new DomainError('remote.offline');
      const { username, password } = await signIn();
      if (caller.aborted) throw new DomainError('remote.no_answer');
      const { organizationId, mainAccountId } = scope;
      const until = clock.now().getTime() + TICKET_MS;
      const way = { at: connected.url, username, password, client: input.client?.target };
      return {
        statusCode: 200,
        ticket: seal({ organizationId, mainAccountId, signIn: actor.sessionId, ...own, recorded, ...way, until }),
        recorded,
      };
    } catch (error) {
      await ends.end({ id: own.session, scope }, 'aborted');
      throw error;
    }
  };

  return {
    open(scope, actor, serial, caller) {
      const input = { serial, type: 'ssh' } as const;
      return openWith(scope, actor, input, () => deps.issueCredentials(scope, actor, input), caller);
    },
    openClient: (scope, actor, input, signIn, caller) => openWith(scope, actor, input, async () => signIn, caller),

    async admit(sealed) {
      const ticket = open(sealed);
      if (ticket === undefined || ticket.until < clock.now().getTime()) return undefined;
      const { organizationId, mainAccountId, session: id, username, password, at } = ticket;
      if (at !== deps.tunnels.address()) return { at };
      const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
      const actor = await deps.readSession(ticket.signIn);
      const call = ticket.client !== undefined ? remoteClients.openClientTerminal : remoteAccess.openTerminal;
      if (actor === undefined || !isAllowedByRole(actor, call) || actor.organizationId !== organizationId) return undefined;
      const admitted = await database.write(async (tx) => {
        const deviceId = await enterTerminal(tx, scope, id, clock.now());
        if (deviceId === undefined || !(await seesDevice(tx, actor.limit, deviceId))) return undefined;
        return { recorder: ticket.recorded ? await deps.recorders.begin(tx, scope, toRecorded(ticket, actor)) : undefined };
      });
      if (admitted === undefined) return undefined;
      const { recorder } = admitted;
      return {
        username,
        password,
        ...(recorder !== undefined && { recording: recorder }),
        connect: async () => required(active.get(id)?.tunnel, 'remote.not_connected').connect(),
        async end(cause) {
          const reason = await endOf({ id, scope }, actor, cause);
          await recorder?.finish(reason);
          return reason;
        },
      };
    },
  };
}

function toRecorded({ session: id, device: deviceId, serial, client }: Ticket, { accountId, email }: Actor): RecordedTerminal {
  return { id, deviceId, serial, accountId, email, client: client ?? null };
}
