import { z } from 'zod';

/** Vehicles that an impact names; the others are counted. */
export const MAX_IMPACT_VEHICLES = 100;

/** What an action does to the connection of one vehicle. */
export const connectionChange = z.object({
  device: z.string(),
  serial: z.string(),
  /** Vehicle number; empty where none was typed. */
  vehicle: z.string(),
  /** `carrier`: it goes on over another eSIM. `unreachable`: none is left to go on with. `access-point`: it reconnects with another APN. */
  kind: z.enum(['carrier', 'unreachable', 'access-point']),
  /** Carrier (or APN) that it uses now; empty = the router has not reported it. */
  from: z.string(),
  /** … and afterwards; empty for `unreachable`. */
  to: z.string(),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

/**
 * What an action does to the connections of vehicles, asked with `?dryRun` before it is done. `confirmation` names exactly this answer:
 * sent back as `confirmed`, the action is refused with `impact.changed` and the new answer when it would by now do something else.
 */
export const connectionImpact = z.object({
  /** Vehicles that would change carrier. */
  carrier: z.number().int(),
  /** Vehicles that could not be reached any more. */
  unreachable: z.number().int(),
  /** Vehicles that would reconnect with another APN. */
  accessPoint: z.number().int(),
  /** The first of them, by serial number. */
  vehicles: z.array(connectionChange).max(MAX_IMPACT_VEHICLES),
  confirmation: z.string(),
});
export type ConnectionImpact = z.infer<typeof connectionImpact>;

/** Query of an action that can be asked for its impact. */
export const impactQuery = z.object({
  /** Check only, write nothing. */
  dryRun: z.string().max(10).optional(),
  /** `confirmation` of the impact that the person has seen. */
  confirmed: z.string().max(64).optional(),
});
