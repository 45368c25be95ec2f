import { z } from 'zod';

/** Why the connection of a known router was rejected. */
export const rejectionReasons = [
  /** It named another endpoint id than the inventory's, in its address or in its first record. */
  'endpoint',
  /** Its first record was for another controller. */
  'controller',
  /** Its first record was not a websocket_connect record. */
  'no-connect-record',
  /** It connected and sent nothing. */
  'silent',
  /** What it sent is not a USP record. */
  'not-usp',
  /** It did not offer the WebSocket subprotocol v1.usp. */
  'subprotocol',
  /** It must prove itself by its secret as well, and connected without. */
  'secret-missing',
  /** It must show a client certificate, and did not; also where TLS ends before us. */
  'certificate-missing',
  /** It showed a certificate that is none of its own. */
  'certificate-other',
  'certificate-revoked',
  /** It showed a certificate that is expired, or that a newer one replaced. */
  'certificate-expired',
  /** Its certificate was issued for another endpoint id than the inventory's. */
  'certificate-endpoint',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** The last attempt of a router to connect that was rejected though its credential was right; null = none since it last connected. */
export const rejection = z
  .object({
    /** Epoch seconds. */
    at: z.number(),
    reason: z.enum(rejectionReasons),
    /** What the router sent in place of what was expected, made harmless. */
    received: z.string().nullable(),
    /** What was expected there. */
    expected: z.string().nullable(),
    /** Where it came from. */
    address: z.string(),
  })
  .nullable();
export type Rejection = NonNullable<z.infer<typeof rejection>>;
