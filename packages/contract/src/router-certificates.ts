import { z } from 'zod';
import { mainOnly, operation } from './operation.ts';

/** By what a router proves who it is: its secret, a client certificate, one of the two, or both together. */
export const authentications = ['secret', 'certificate', 'either', 'both'] as const;
export type Authentication = (typeof authentications)[number];

export const certificateStates = [
  'valid',
  /** Another one takes its place; it counts until `retires`. */
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
  /** As its subject alternative name says. */
  endpointId: z.string(),
  state: z.enum(certificateStates),
  created: z.number(),
  expires: z.number(),
  retires: z.number().nullable(),
  revoked: z.number().nullable(),
  last_used: z.number().nullable(),
});
export type RouterCertificate = z.infer<typeof routerCertificate>;

/** Days that a certificate is valid at most, and when nothing is said. */
export const CERTIFICATE_DAYS = 730;

export const issueCertificate = operation({
  id: 'inventory.issueCertificate',
  method: 'POST',
  path: '/data_manager/v1/dm/inventory/{router}/certificates',
  summary:
    'Issue a client certificate for a router: with a new key, which is shown once, or for a request (PKCS #10). Older ones open connections for 7 days more.',
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
      /** PEM; null where the router made its own. */
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
  summary: 'Revoke a client certificate: it opens nothing any more, and the connection of its router is closed at once.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string(), certificate: z.string() }),
  response: z.object({ result: routerCertificate }),
});

export const routerCertificateOperations = [issueCertificate, revokeCertificate] as const;
