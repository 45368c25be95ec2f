import { z } from 'zod';

/** How a client of a vehicle's network is opened (LIV-08). */
export const clientServices = ['http', 'https', 'ssh', 'tcp'] as const;

/** A port of a client. A session to it ends when another client has the address. */
export const clientTarget = z.object({
  /** Six octets with colons. */
  mac: z.string(),
  /** IPv4. */
  address: z.string(),
  port: z.number().int(),
  service: z.enum(clientServices),
});
export type ClientTarget = z.infer<typeof clientTarget>;
