import { z } from 'zod';
import { tenantBody, tenantQuery } from '../conventions.ts';
import { adminOnly, everyRole, operation, type Role } from '../operation.ts';
import { endedConnection, openedTerminal } from './calls.ts';
import { clientServices, clientTarget } from './client-target.ts';

// Devices in the networks of vehicles, through their routers (LIV-08).

/** Roles that an organization may allow to open clients. */
export const clientRoles = ['admin', 'user'] as const;
export type ClientRole = (typeof clientRoles)[number];

export const MOST_CLIENT_RANGES = 20;
export const MOST_CLIENT_PORTS = 20;
const port = z.number().int().min(1).max(65_535);

/** Both ends included. */
export const clientPorts = z.object({ from: port, to: port });

/** What an organization allows. The router's own networks are the limit in any case. */
export const clientRule = z.object({
  /** Empty = no one may: the default. */
  roles: z.array(z.enum(clientRoles)).max(2),
  /** IPv4 networks as CIDR. */
  ranges: z.array(z.string().max(18)).max(MOST_CLIENT_RANGES),
  ports: z.array(clientPorts).max(MOST_CLIENT_PORTS),
});
export type ClientRule = z.infer<typeof clientRule>;

export const storedClientRule = clientRule.extend({
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredClientRule = z.infer<typeof storedClientRule>;

/** Of an organization that has chosen nothing: private networks, and no one may. */
export const usualClientRule: ClientRule = {
  roles: [],
  ranges: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ports: [
    { from: 22, to: 22 },
    { from: 80, to: 80 },
    { from: 443, to: 443 },
  ],
};

/**
 * Why no client of a device can be opened. `off`: the organization allows it to no one; `role`: not to this role. `unsupported`: the router
 * does not offer it. `unread`: the organization keeps nothing of clients.
 */
export const clientObstacles = ['off', 'role', 'unread', 'not-subscribed', 'offline', 'unsupported', 'no-answer'] as const;
export type ClientObstacle = (typeof clientObstacles)[number];

const clientRuleAnswer = z.object({ result: storedClientRule });

export const getClientRule = operation({
  id: 'remoteAccess.clientRule',
  method: 'GET',
  path: '/data_manager/v1/dm/clients/access',
  summary: 'Who may open which clients of vehicles (LIV-08).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: clientRuleAnswer,
});

export const saveClientRule = operation({
  id: 'remoteAccess.saveClientRule',
  method: 'PUT',
  path: '/data_manager/v1/dm/clients/access',
  summary:
    'Allow roles to open clients of vehicles, by IPv4 network and port. Overlapping ones are joined in the response. Open sessions that are allowed no longer end within seconds. Accepts If-Match with its `version`.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(clientRule.shape),
  bodyExample: { roles: ['admin'], ranges: ['192.168.0.0/16'], ports: [{ from: 80, to: 80 }] },
  response: clientRuleAnswer,
});

export const clientAccess = z.object({
  /** Null: clients that the rule allows can be opened. */
  obstacle: z.enum(clientObstacles).nullable(),
  /** Whether web pages can be opened here. */
  pages: z.boolean(),
  /** Whether ports for SSH and TCP clients can be opened here. */
  ports: z.boolean(),
  rule: storedClientRule,
  /** Someone has a remote session to this router, of which there is one at a time. */
  busy: z.boolean(),
  /** The caller's own session to a client. `since`: epoch seconds. */
  own: clientTarget.extend({ since: z.number().int() }).nullable(),
});
export type ClientAccess = z.infer<typeof clientAccess>;

export const getClientAccess = operation({
  id: 'remoteAccess.clientAccess',
  method: 'GET',
  path: '/data_manager/v1/dm/device/clients/access',
  summary: 'Whether the caller can open clients of a device now, or why not (LIV-08).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({ result: clientAccess }),
});

const people: readonly Role[] = clientRoles;
const target = tenantBody.extend({
  device: z.string().max(60),
  mac: z.string().max(17),
  address: z.string().max(45),
  port: z.number().int(),
});

export const openClient = operation({
  id: 'remoteAccess.openClient',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/openClient',
  summary:
    "Open a session to a port of a client of a device (LIV-08): a web page under a host name of its own, which the first browser keeps by its cookie, or a TCP port that accepts the caller's address alone. New connections are accepted for 5 minutes.",
  scope: 'organization',
  roles: people,
  body: target.extend({ service: z.enum(clientServices) }),
  bodyExample: { mac: '00:1B:54:00:00:01', address: '192.168.1.11', port: 80, service: 'http' },
  /**
   * As `connectDevice`: with a `statusCode` other than 200 the router rejected it. `certificate`: SHA-256 of the certificate that the client
   * showed, which was not verified; null without TLS. `from`: the only address whose connections are accepted; null for a page.
   */
  response: z.object({
    statusCode: z.number().int(),
    url: z.string(),
    port: z.number().int(),
    certificate: z.string().nullable(),
    from: z.string().nullable(),
    statusMsg: z.string().optional(),
  }),
});

export const openClientTerminal = operation({
  id: 'remoteAccess.openClientTerminal',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/openClientTerminal',
  summary:
    'Open a session to the SSH server of a client for a terminal in the browser, with a sign-in of that client. Ticket and recording as for remoteAccess.openTerminal.',
  scope: 'organization',
  roles: people,
  body: target.extend({ username: z.string().min(1).max(100), password: z.string().max(200) }),
  bodyExample: { mac: '00:1B:54:00:00:01', address: '192.168.1.11', port: 22, username: 'root', password: 'example' },
  response: openedTerminal,
});

export const endClient = operation({
  id: 'remoteAccess.endClient',
  method: 'POST',
  path: '/data_manager/v1/dm/cmds/endClient',
  summary: "End the session to a client of a device: the caller's own, for an admin of any user. It is no error if none is open.",
  scope: 'organization',
  roles: people,
  body: tenantBody.extend({ device: z.string().max(60) }),
  response: endedConnection,
});

export const schemaNames = {
  ClientRule: storedClientRule,
  ClientRuleAnswer: clientRuleAnswer,
  ClientPorts: clientPorts,
  ClientAccess: clientAccess,
};

export { clientTarget } from './client-target.ts';
