import { z } from 'zod';

/** The most vehicles listed in an impact; the others are only counted. */
export const MAX_IMPACT_VEHICLES = 100;

/** The effect of an action on the connection of one vehicle. */
export const connectionChange = z.object({
  device: z.string(),
  serial: z.string(),
  /** Vehicle number; empty if not set. */
  vehicle: z.string(),
  /**
   * `carrier`: it continues with another eSIM. `unreachable`: it has no usable eSIM left. `access-point`: it reconnects with
   * another APN.
   */
  kind: z.enum(['carrier', 'unreachable', 'access-point']),
  /** Present carrier (or APN); empty = the router has not reported it. */
  from: z.string(),
  /** The carrier (or APN) afterwards; empty for `unreachable`. */
  to: z.string(),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

/**
 * The effect of an action on the connections of vehicles, returned by `?dryRun` without doing it. `confirmation` identifies
 * exactly this response: when it is sent back as `confirmed` and the effect has changed, the action is rejected with
 * `impact.changed` and the new answer.
 */
export const connectionImpact = z.object({
  /** Vehicles that would change carrier. */
  carrier: z.number().int(),
  /** Vehicles that would become unreachable. */
  unreachable: z.number().int(),
  /** Vehicles that would reconnect with another APN. */
  accessPoint: z.number().int(),
  /** The first of them, by serial number. */
  vehicles: z.array(connectionChange).max(MAX_IMPACT_VEHICLES),
  confirmation: z.string(),
});
export type ConnectionImpact = z.infer<typeof connectionImpact>;

/** Query parameters of an action with an impact preview. */
export const impactQuery = z.object({
  /** Check only, write nothing. */
  dryRun: z.string().max(10).optional(),
  /** `confirmation` of the impact that the user has seen. */
  confirmed: z.string().max(64).optional(),
});
