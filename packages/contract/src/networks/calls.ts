import { z } from 'zod';

export const uplinkKinds = ['cellular', 'ethernet', 'wifi', 'satellite'] as const;
export type UplinkKind = (typeof uplinkKinds)[number];

/** A way from the router to the internet (LIV-10). */
export const uplink = z.object({
  name: z.string(),
  kind: z.enum(uplinkKinds),
  enabled: z.boolean(),
  up: z.boolean(),
  /** It carries the traffic of the vehicle now. */
  carries: z.boolean(),
  addresses: z.array(z.string()),
  /** Bytes since the router counts, mostly since its start; null = it does not count them. */
  sent: z.number().nullable(),
  received: z.number().nullable(),
});
export type Uplink = z.infer<typeof uplink>;
