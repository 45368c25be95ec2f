import { z } from 'zod';

/** The reasons to reject the connection of a known router. */
export const rejectionReasons = [
  /** It used another endpoint id than the inventory's, in its URL or in its first record. */
  'endpoint',
  /** Its first record was for another controller. */
  'controller',
  /** Its first record was not a websocket_connect record. */
  'no-connect-record',
  /** It connected and sent nothing. */
  'silent',
  /** It sent something other than a USP record. */
  'not-usp',
  /** It did not offer the WebSocket subprotocol v1.usp. */
  'subprotocol',
  /** It must also prove its identity by its secret, and connected without. */
  'secret-missing',
  /** It must present a client certificate, and did not; also if TLS ends at a proxy. */
  'certificate-missing',
  /** It presented a certificate that is not its own. */
  'certificate-other',
  'certificate-revoked',
  /** It presented a certificate that is expired, or was replaced by a newer one. */
  'certificate-expired',
  /** Its certificate was issued for another endpoint id than the inventory's. */
  'certificate-endpoint',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/**
 * The last connection attempt of a router that was rejected although its credential was right; null = none since it last
 * connected.
 */
export const rejection = z
  .object({
    /** Epoch seconds. */
    at: z.number(),
    reason: z.enum(rejectionReasons),
    /** The wrong value that the router sent, sanitized. */
    received: z.string().nullable(),
    /** The expected value. */
    expected: z.string().nullable(),
    /** The remote address. */
    address: z.string(),
  })
  .nullable();
export type Rejection = NonNullable<z.infer<typeof rejection>>;
