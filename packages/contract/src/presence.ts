import { z } from 'zod';

export const presence = z.enum(['online', 'offline', 'unknown']);
export type Presence = z.infer<typeof presence>;

/**
 * Codes of `presence_reason` and of a connectivity event's `reason`; clients have their own texts for each. A 'boot' event's
 * reason is the router's own (TR-181 Boot! Cause), e.g. 'LocalReboot', or 'boot' when it gave none.
 */
export const presenceReasons = [
  /** Online: it connected. */
  'connected',
  /** Online: its newer connection replaced an older one that was still open. */
  'replaced',
  /** Online, but two routers seem to use this identity. */
  'cloned',
  /** It reports another serial number than the inventory's. */
  'serial-mismatch',
  /** No contact within the keep-alive window: power or coverage lost. */
  'no-answer',
  /** It closed the connection itself. */
  'closed-by-router',
  /** The connection broke without a closing handshake. */
  'connection-lost',
  /** Closed by the server: its device was deleted, or it was removed from the inventory. */
  'disconnected',
  /** Closed by the server: it sent invalid USP messages. */
  'protocol-fault',
  /** Closed by the server: it kept sending far too much. */
  'flooding',
  /** Unknown: the server started a moment ago. */
  'server-restarted',
  /** Offline: it did not reconnect after the server restarted. */
  'not-seen-since-restart',
] as const;
export type PresenceReason = (typeof presenceReasons)[number];
