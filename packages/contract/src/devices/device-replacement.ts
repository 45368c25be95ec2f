import { z } from 'zod';
import { tenantBody } from '../conventions.ts';
import { device } from './calls.ts';
import { impactQuery } from '../impact.ts';
import { managers, operation } from '../operation.ts';

const unit = z.object({
  serial_number: z.string(),
  mac: z.string(),
  /** Reported by the router, else from the inventory; empty if unknown. */
  model: z.string(),
  isOnline: z.boolean(),
});

/** What the replacement of a router does (BLK-06). */
export const replacementEffect = z.object({
  device: z.string(),
  /** What stays with the device. Empty if not set; days are MM/DD/YYYY. */
  vehicle: z.string(),
  group: z.string(),
  tags: z.array(z.string()),
  started: z.string(),
  expired: z.string(),
  /** Returns to stock and cannot connect until it is claimed again. */
  former: unit,
  next: unit,
  /** Whether the new router reported an eUICC; null while it has not reported its SIMs. */
  hasEuicc: z.boolean().nullable(),
  /** Names of eSIMs: `moving` are downloaded to the new router; `staying` are on the former one only, without an activation code. */
  esims: z.object({ moving: z.array(z.string()), staying: z.array(z.string()) }),
  /** Identifies exactly this effect. */
  confirmation: z.string(),
});
export type ReplacementEffect = z.infer<typeof replacementEffect>;

export const replaceRouter = operation({
  id: 'devices.replaceRouter',
  method: 'POST',
  path: '/data_manager/v1/dm/device/router',
  summary:
    'Replace the router of a device by one in stock: vehicle, group, tags, subscription, eSIMs, bindings and history stay with the device (BLK-06).',
  scope: 'tenant',
  roles: managers,
  query: impactQuery,
  body: tenantBody.extend({
    device: z.string().max(60),
    serial_number: z.string().trim().min(1).max(100),
    mac: z.string().trim().min(1).max(40),
  }),
  response: z.object({ result: device, effect: replacementEffect }),
});

export const schemaNames = {
  ReplacedRouter: replacementEffect.shape.former,
  ReplacementEffect: replacementEffect,
};
