import { z } from 'zod';
import { adminOnly, operation } from '../operation.ts';
import { tenantBody, tenantQuery } from '../conventions.ts';
import { clientTarget } from './client-target.ts';

/** How long one-time credentials of a router work, seconds (RMT-02). */
export const CREDENTIAL_SECONDS = 300;

// Only admins may use remote administration (DEV-07; part 2, section 6).

export const connectionTypes = ['ssh', 'gui'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

/** The reasons for the end of a remote session. */
export const endReasons = [
  'cancelled',
  'aborted',
  'busy',
  'no-answer',
  'rejected',
  'expired',
  'idle',
  'time-limit',
  'signed-out',
  'permission-lost',
  'device-gone',
  'not-subscribed',
  'offline',
  'tunnel-lost',
  'client-moved',
  'rule-changed',
  'recording-full',
  'recording-failed',
  'server-stopped',
  'server-restarted',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Why a terminal in the browser ended: with its session, or by itself. */
export const terminalEnds = [...endReasons, 'exited', 'sign-in-failed'] as const;
export type TerminalEnd = (typeof terminalEnds)[number];

/** The WebSocket of a terminal. Its subprotocols are this and the ticket; binary messages are what is typed and shown. */
export const TERMINAL_PATH = '/terminal';
export const TERMINAL_PROTOCOL = 'highline.terminal';
/** Bytes shown that a browser may not have confirmed yet; the router waits from then on. */
export const TERMINAL_WINDOW = 512 * 1024;
/** Bytes typed that the router may not have taken yet. A browser waits from the first limit on; beyond the second one it is cut off. */
export const TERMINAL_TYPED = 256 * 1024;
export const TERMINAL_MOST_TYPED = 4 * 1024 * 1024;
/** The largest message of a browser, bytes. */
export const TERMINAL_MESSAGE = 64 * 1024;

/** Text messages of a browser: the size of its terminal in characters, or how many bytes it has shown. */
export const terminalMessage = z.union([
  z.object({ cols: z.number().int().min(1).max(1_000), rows: z.number().int().min(1).max(1_000) }),
  z.object({
    shown: z
      .number()
      .int()
      .min(1)
      .max(TERMINAL_WINDOW * 2),
  }),
]);
export type TerminalMessage = z.infer<typeof terminalMessage>;
/** Text messages of the server: how many more bytes of what was typed the router has taken. */
export interface TerminalTaken {
  readonly taken: number;
}

/** An open remote session. Its credentials are returned only once. */
export const connection = z.object({
  type: z.enum(connectionTypes),
  /** E-mail of the user who opened it. */
  by: z.string(),
  /** Whether it is the caller's own. */
  own: z.boolean(),
  /** Epoch seconds. */
  since: z.number(),
  /** Until when its credentials are valid, epoch seconds; null before they were fetched. */
  credentials_expire: z.number().nullable(),
  /** The client of the vehicle's network that it leads to; left out: the router (LIV-08). */
  client: clientTarget.optional(),
});
export type Connection = z.infer<typeof connection>;

export const getConnection = operation({
  id: 'remoteAccess.get',
  method: 'GET',
  path: '/data_manager/v1/dm/device/connection',
  summary: 'The present remote session of a router, null for none (RMT-04).',
  scope: 'organization',
  roles: adminOnly,
  query: tenantQuery.extend({ device: z.string() }),
  /** `types`: those that `connectDevice` can open on this server. */
  response: z.object({ result: connection.nullable(), types: z.array(z.enum(connectionTypes)) }),
});

const router = tenantBody.extend({ serial: z.string().max(60) });
const target = router.extend({ type: z.enum(connectionTypes) });

export const connectDevice = operation({
  id: 'remoteAccess.connect',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/connectDevice',
  summary: "Open a session to a router's shell or web page (RMT-01, RMT-07). One at a time; the router connects out to us.",
  scope: 'organization',
  roles: adminOnly,
  body: target,
  /**
   * `statusCode` 200: it is open. Anything else: the router rejected it, and `statusMsg` has its own message; no session is left.
   * `url`: for ssh the host name or address to connect to, for gui the page's address. `port`: of ssh, and of the page.
   */
  response: z.object({ statusCode: z.number().int(), url: z.string(), port: z.number().int(), statusMsg: z.string().optional() }),
});

export const getOneTimeSecret = operation({
  id: 'remoteAccess.secret',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/getOneTimeSecret',
  summary: 'Credentials for the session just opened, generated for it, returned once, valid for 5 minutes (RMT-01, RMT-02).',
  scope: 'organization',
  roles: adminOnly,
  body: target,
  response: z.object({
    statusCode: z.number().int(),
    content: z.object({
      username: z.string(),
      password: z.string(),
      /** Epoch seconds. */
      expires: z.number(),
    }),
  }),
});

/**
 * As `connectDevice`: with a `statusCode` other than 200 the router rejected it, and the ticket is empty. `recorded`: what the router shows is
 * recorded, as the organization set it.
 */
export const openedTerminal = z.object({
  statusCode: z.number().int(),
  ticket: z.string(),
  recorded: z.boolean(),
  statusMsg: z.string().optional(),
});

/** `ended`: there was one. */
export const endedConnection = z.object({ result: z.object({ ended: z.boolean() }) });

export const openTerminal = operation({
  id: 'remoteAccess.openTerminal',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/openTerminal',
  summary:
    "Open a session to a router's shell for a terminal in the browser (LIV-07). The ticket is valid for 30 seconds and once, as a subprotocol of the WebSocket /terminal.",
  scope: 'organization',
  roles: adminOnly,
  body: router,
  response: openedTerminal,
});

export const cancelConnection = operation({
  id: 'remoteAccess.cancel',
  method: 'POST',
  path: '/data_manager/v1/dm/device/arctive',
  summary: 'End the remote session of a router (RMT-03), of any user of the organization. It is no error if none is open.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ device: z.string() }),
  response: endedConnection,
});

export const resetGuiPassword = operation({
  id: 'remoteAccess.resetPassword',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/resetGuiPassword',
  summary: "Reset a router's own sign-in to its default (RMT-06).",
  scope: 'organization',
  roles: adminOnly,
  body: router,
  response: z.object({ result: z.object({ reset: z.literal(true) }) }),
});

export const topics = ['remote'] as const;

export const schemaNames = {
  ConnectBody: connectDevice.body,
  RouterBody: resetGuiPassword.body,
  RemoteConnection: connection,
  OpenedTerminal: openedTerminal,
  EndedConnectionAnswer: endedConnection,
  EndedConnection: endedConnection.shape.result,
  ClientTarget: clientTarget,
};
