import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import type { remoteAccess } from '@highline/contract';
import { z } from 'zod';
import {
  createSealing,
  DomainError,
  openedOrNone,
  type Actor,
  type MasterKey,
  type OrganizationScope,
} from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { TerminalEntry } from '../../platform/ports/tunnels.ts';
import type { Connected, Declined, ConnectInput } from './connect.ts';
import type { Ends } from './ends.ts';
import type { Secret } from './issue-credentials.ts';
import type { ActiveSessions } from './live-sessions.ts';
import { findCurrent, findRemoteTarget } from './remote-access.queries.ts';
import { enterTerminal, findEndReason } from './remote-access.store.ts';

export interface TerminalDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly masterKey: MasterKey;
  readonly ends: Ends;
  readonly active: ActiveSessions;
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
export type OpenedTerminal = { readonly statusCode: number; readonly ticket: string; readonly statusMsg?: string };

export interface Terminals {
  /** @throws DomainError as `connect` and `issueCredentials` of `RemoteAccess` */
  open(scope: OrganizationScope, actor: Actor, serial: string, caller: AbortSignal): Promise<OpenedTerminal>;
  /** The terminal of a ticket, once; undefined when it is wrong, too old or used, or its user may no longer. */
  admit(ticket: string): Promise<TerminalEntry | undefined>;
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
  host: z.string(),
  port: z.number(),
  username: z.string(),
  password: z.string(),
  until: z.number(),
});
type Ticket = z.infer<typeof ticketShape>;

/**
 * Terminals in the browser (LIV-07): a session as any other, whose credentials the browser never sees. Its ticket is sealed with the master
 * key, so that every process can admit it, and the process that does uses the session as a user's own ssh would.
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
  const idOfOwn = async (scope: OrganizationScope, actor: Actor, serial: string): Promise<string> => {
    const target = await findRemoteTarget(database.read, scope, serial);
    const found = target && (await findCurrent(database.read, scope, target.deviceId));
    if (found?.accountId !== actor.accountId) throw new DomainError('remote.not_connected');
    return found.id;
  };

  const reasonOf = async (scope: OrganizationScope, id: string): Promise<remoteAccess.EndReason | undefined> => {
    for (let left = REASON_MS; left > 0; left -= REASON_STEP_MS) {
      const reason = ends.reasonOf(id) ?? (await findEndReason(database.read, scope, id));
      if (reason !== undefined) return reason;
      await new Promise((resolve) => setTimeout(resolve, REASON_STEP_MS));
    }
    return undefined;
  };

  return {
    async open(scope, actor, serial, caller) {
      const input = { serial, type: 'ssh' } as const;
      const connected = await deps.connect(scope, actor, input, caller);
      if (connected.statusCode !== 200) return { statusCode: 502, ticket: '', statusMsg: connected.statusMsg };
      const session = await idOfOwn(scope, actor, serial);
      try {
        const { username, password } = await deps.issueCredentials(scope, actor, input);
        const { organizationId, mainAccountId } = scope;
        const until = clock.now().getTime() + TICKET_MS;
        const way = { host: connected.url, port: connected.port, username, password };
        return {
          statusCode: 200,
          ticket: seal({ organizationId, mainAccountId, signIn: actor.sessionId, session, ...way, until }),
        };
      } catch (error) {
        await ends.end({ id: session, scope }, 'aborted');
        throw error;
      }
    },

    async admit(sealed) {
      const ticket = open(sealed);
      if (ticket === undefined || ticket.until < clock.now().getTime()) return undefined;
      const { organizationId, mainAccountId, session: id, username, password, host, port } = ticket;
      const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
      const actor = await deps.readSession(ticket.signIn);
      if (actor?.role !== 'admin' || actor.organizationId !== organizationId) return undefined;
      if (!(await database.write((tx) => enterTerminal(tx, scope, id, clock.now())))) return undefined;
      return {
        username,
        password,
        connect: async () => active.get(id)?.tunnel?.connect() ?? connectToPort(host, port),
        async end(cause) {
          const reason = cause === 'lost' ? await reasonOf(scope, id) : undefined;
          if (reason !== undefined) return reason;
          await ends.end({ id, scope }, cause === 'lost' ? 'tunnel-lost' : 'cancelled', cause === 'lost' ? undefined : actor);
          if (cause === 'exited') return 'exited';
          return cause === 'lost' ? 'tunnel-lost' : 'cancelled';
        },
      };
    },
  };
}

/** Another process has the tunnel: connect to the port that it opened, as a user's own ssh does. */
function connectToPort(host: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
