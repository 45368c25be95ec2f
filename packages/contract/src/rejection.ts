import { z } from 'zod';

/** Why a connection ended that the router had introduced: the next one says nothing about them until it has lasted for a while. */
export const rejectionsOfOpen = [
  /** It sent a session context (TR-369, end-to-end sessions). */
  'session-context',
  /** It sent something other than a USP record or message. */
  'unreadable',
] as const;

/** What is wrong with routers that are connected. */
const rejectionsOfIdentity = [
  /** Two routers connect with its identity alternately. */
  'identity-shared',
  /** It reports another serial number than the inventory's. */
  'serial-mismatch',
] as const;

/** The reasons to reject the connection of a known router, or to doubt its identity. */
export const rejectionReasons = [
  /** It used another endpoint id than the inventory's, in its URL or in its first record. */
  'endpoint',
  /** Its first record was for another controller. */
  'controller',
  /** Its first record was not a websocket_connect record. */
  'no-connect-record',
  /** It connected and sent nothing. */
  'silent',
  /** It ended the connection right after the handshake, without a record. */
  'no-record',
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
  ...rejectionsOfOpen,
  ...rejectionsOfIdentity,
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/**
 * The last connection of a router that was rejected although its credential was right, or what is wrong with its identity; null = none since it
 * last connected.
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
    /** The router is online by another connection than this one. */
    isOther: z.boolean(),
  })
  .nullable();
/** Whether a rejected connection is another one than that of a router that is online. */
export const isOfAnother = (reason: RejectionReason): boolean =>
  ![...rejectionsOfOpen, ...rejectionsOfIdentity].some((each) => each === reason);

export type Rejection = NonNullable<z.infer<typeof rejection>>;
