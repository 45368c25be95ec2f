import { z } from 'zod';
import { mainOnly, operation } from '../operation.ts';

/** How a router proves its identity: its secret, a client certificate, one of the two, or both together. */
export const authentications = ['secret', 'certificate', 'either', 'both'] as const;
export type Authentication = (typeof authentications)[number];

export const certificateStates = [
  'valid',
  /** Replaced by another one; valid until `retires`. */
  'retiring',
  'replaced',
  'expired',
  'revoked',
] as const;

/** A client certificate that was issued for a router. Times are epoch seconds. */
export const routerCertificate = z.object({
  id: z.string(),
  /** Hex digits. */
  serial_number: z.string(),
  subject: z.string(),
  /** From its subject alternative name. */
  endpointId: z.string(),
  state: z.enum(certificateStates),
  created: z.number(),
  expires: z.number(),
  retires: z.number().nullable(),
  revoked: z.number().nullable(),
  last_used: z.number().nullable(),
});
export type RouterCertificate = z.infer<typeof routerCertificate>;

/** The longest validity of a certificate, and the default, in days. */
export const CERTIFICATE_DAYS = 730;

export const issueCertificate = operation({
  id: 'inventory.issueCertificate',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/inventory/{router}/certificates',
  summary:
    'Issue a client certificate for a router: with a new key, which is shown once, or for a request (PKCS #10). Older ones are valid for 7 days more.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string() }),
  body: z.object({
    /** PKCS #10 request, PEM: the router keeps its key to itself. */
    csr: z.string().trim().max(20_000).optional(),
    days: z.number().int().min(1).max(CERTIFICATE_DAYS).optional(),
  }),
  response: z.object({
    result: z.object({
      id: z.string(),
      serial_number: z.string(),
      expires: z.number(),
      /** PEM. */
      certificate: z.string(),
      /** PEM; null if the router made its own. */
      key: z.string().nullable(),
      /** PEM of the authority of this main account. */
      authority: z.string(),
    }),
  }),
});

export const revokeCertificate = operation({
  id: 'inventory.revokeCertificate',
  method: 'DELETE',
  path: '/data_manager/v1/dm/inventory/{router}/certificates/{certificate}',
  summary: 'Revoke a client certificate: it becomes invalid, and the connection of its router is closed at once.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string(), certificate: z.string() }),
  response: z.object({ result: routerCertificate }),
});
