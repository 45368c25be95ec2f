import { z } from 'zod';
import { uplinkKinds } from '../networks/calls.ts';

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'must be a time as HH:MM');

/** Hours of the week; `until` before `from` = past midnight, both equal = the whole day. */
export const windowHours = z.strictObject({
  /** Days on which they begin, 0 = Sunday. */
  days: z.array(z.number().int().min(0).max(6)).min(1).max(7),
  from: clockTime,
  until: clockTime,
});

export const MAX_WINDOW_HOURS = 4;
export const MAX_WINDOW_GEOFENCES = 20;

/** When a vehicle may be worked on (WIN-02): everything that is named has to hold at the same time. */
export const updateWindow = z.strictObject({
  /** Any of these. */
  hours: z.array(windowHours).min(1).max(MAX_WINDOW_HOURS).optional(),
  /** IANA time zone of the hours; of a vehicle without a position if they are local. */
  zone: z.string().min(1).max(60),
  /** The hours are those of the place where the vehicle is. */
  local: z.boolean().optional(),
  /** The ignition has been off for so many minutes. */
  ignitionOffMinutes: z.number().int().min(1).max(720).optional(),
  /** The vehicle has stood still for so many minutes. */
  stillMinutes: z.number().int().min(1).max(720).optional(),
  /** Ids: it is inside of any of these. */
  geofences: z.array(z.string().max(60).toLowerCase()).min(1).max(MAX_WINDOW_GEOFENCES).optional(),
  /** Volts at least, as last reported within an hour. */
  minVoltage: z.number().min(1).max(100).optional(),
  /** dBm at least (RSRP), as last reported within an hour. */
  minSignal: z.number().int().min(-140).max(-40).optional(),
  /** Its traffic goes through any of these. */
  uplinks: z.array(z.enum(uplinkKinds)).min(1).max(uplinkKinds.length).optional(),
});
export type UpdateWindow = z.infer<typeof updateWindow>;

/** What a vehicle waits for outside of its window. `no-…`: it has not reported what the window needs. */
export const windowWaits = [
  'hours',
  'ignition',
  'moving',
  'geofence',
  'voltage',
  'signal',
  'uplink',
  'no-ignition',
  'no-position',
  'no-geofence',
  'no-voltage',
  'no-signal',
  'no-uplink',
] as const;
export type WindowWait = (typeof windowWaits)[number];

/** What a window would mean for the devices of a binding, before it is saved. */
export const windowImpact = z.object({
  /** Epoch seconds at which its hours begin next, in its own zone; null = they are now, or it has none. */
  opens: z.number().nullable(),
  /** Connected routers that have not reported what it needs, and so would wait. */
  noIgnition: z.number().int(),
  noPosition: z.number().int(),
  noVoltage: z.number().int(),
  noSignal: z.number().int(),
  noUplink: z.number().int(),
});
export type WindowImpact = z.infer<typeof windowImpact>;
