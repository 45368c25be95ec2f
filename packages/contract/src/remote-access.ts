import { z } from 'zod';
import { adminOnly, operation } from './operation.ts';
import { tenantBody, tenantQuery } from './wire.ts';

/** How long one-time credentials of a router work, seconds (RMT-02). */
export const CREDENTIAL_SECONDS = 300;

// Remote administration is the admin's alone (DEV-07; part 2, section 6).

export const connectionTypes = ['ssh', 'gui'] as const;
export type ConnectionType = (typeof connectionTypes)[number];

/** Why a remote session ended. */
export const endReasons = [
  'cancelled',
  'aborted',
  'busy',
  'no-answer',
  'refused',
  'expired',
  'idle',
  'time-limit',
  'signed-out',
  'permission-lost',
  'device-gone',
  'not-subscribed',
  'offline',
  'tunnel-lost',
  'server-stopped',
  'server-restarted',
] as const;
export type EndReason = (typeof endReasons)[number];

/** A remote session that is open now. Its credentials are never told again. */
export const connection = z.object({
  type: z.enum(connectionTypes),
  /** E-mail of who opened it. */
  by: z.string(),
  /** Whether it is the caller's own. */
  own: z.boolean(),
  /** Epoch seconds. */
  since: z.number(),
  /** Until when its credentials work, epoch seconds; null before they were fetched. */
  credentials_expire: z.number().nullable(),
});
export type Connection = z.infer<typeof connection>;

export const getConnection = operation({
  id: 'remoteAccess.get',
  method: 'GET',
  path: '/data_manager/v1/dm/device/connection',
  summary: 'The remote session a router has now, null for none (RMT-04).',
  scope: 'organization',
  roles: adminOnly,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({ result: connection.nullable() }),
});

const target = tenantBody.extend({ serial: z.string().max(60), type: z.enum(connectionTypes) });

export const connectDevice = operation({
  id: 'remoteAccess.connect',
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/connectDevice',
  summary: "Open a way to a router's shell or web page (RMT-01, RMT-07). One at a time; the router calls out to us.",
  scope: 'organization',
  roles: adminOnly,
  body: target,
  /**
   * `statusCode` 200: it is open. Anything else: the router refused, and `statusMsg` holds its own words; no session is left.
   * `url`: for ssh the host name or address to connect to, for gui the page's address. `port`: of ssh, and of the page.
   */
  response: z.object({ statusCode: z.number().int(), url: z.string(), port: z.number().int(), statusMsg: z.string().optional() }),
});

export const getOneTimeSecret = operation({
  id: 'remoteAccess.secret',
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/getOneTimeSecret',
  summary: 'Credentials for the session just opened, made for it, told once, good for 5 minutes (RMT-01, RMT-02).',
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

export const cancelConnection = operation({
  id: 'remoteAccess.cancel',
  method: 'POST',
  path: '/data_manager/v1/dm/device/arctive',
  summary: 'End the remote session of a router (RMT-03), whoever of the organization opened it. None open is no error.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ device: z.string() }),
  response: z.object({ result: z.object({ ended: z.boolean() }) }),
});

export const resetGuiPassword = operation({
  id: 'remoteAccess.resetPassword',
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/resetGuiPassword',
  summary: "Set a router's own sign-in back to its default (RMT-06).",
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ serial: z.string().max(60) }),
  response: z.object({ result: z.object({ reset: z.literal(true) }) }),
});

export const remoteAccessOperations = [
  getConnection,
  connectDevice,
  getOneTimeSecret,
  cancelConnection,
  resetGuiPassword,
] as const;
