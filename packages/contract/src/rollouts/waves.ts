import { z } from 'zod';
import { MAX_TAG_LENGTH, typedName } from '../conventions.ts';

/** The most devices that can be named to go first. */
export const MAX_FIRST = 1_000;
/** The most waves after the first routers, the last one not counted. */
export const MAX_WAVE_SHARES = 9;
/** 30 days. */
export const MAX_WAVE_HOURS = 720;

/** The routers that go first: named, or with a tag. Those that are not in the group do not count. */
export const firstWave = z.union([
  /** Ids or serial numbers. */
  z.strictObject({ devices: z.array(z.string().min(1).max(60)).min(1).max(MAX_FIRST) }),
  z.strictObject({ tag: typedName(MAX_TAG_LENGTH).min(1) }),
]);
export type FirstWave = z.infer<typeof firstWave>;

/**
 * When the next wave may begin. `success`: every router of this one is successful. `hours`: so long after its last success, while none
 * failed; routers that are offline do not count. `person`: a person continues the rollout.
 */
export const waveRules = ['success', 'hours', 'person'] as const;
export type WaveRule = (typeof waveRules)[number];

/** The waves of a rollout (WIN-01). */
export const wavePlan = z.strictObject({
  rule: z.enum(waveRules),
  /** With the rule `hours` only. */
  hours: z.number().int().min(1).max(MAX_WAVE_HOURS).optional(),
  /** Percent of the other routers that have begun with each wave, rising; all the rest follow. Left out or empty = all others at once. */
  shares: z.array(z.number().int().min(1).max(99)).max(MAX_WAVE_SHARES).optional(),
});
export type WavePlan = z.infer<typeof wavePlan>;

/** Why the next wave has not begun; null = it is the last one. */
export const waveWaits = ['routers', 'hours', 'person', 'failure', 'empty'] as const;

/** The waves of an active rollout; the first of them are the routers that go first. */
export const rolloutWaves = z.object({
  rule: z.enum(waveRules),
  hours: z.number().int().nullable(),
  /** Number of the last wave that may begin, from 0. */
  open: z.number().int(),
  waves: z.array(z.object({ routers: z.number().int(), successful: z.number().int(), failed: z.number().int() })),
  /**
   * What the next wave waits for. `routers`: those of this wave. `hours`: for the time in `next`. `person`: to be continued. `failure`: a
   * router of this wave failed. `empty`: no router that goes first is left, or none has the command.
   */
  waits: z.enum(waveWaits).nullable(),
  /** Epoch seconds: when the next wave begins, unless a router fails; null = not known. */
  next: z.number().nullable(),
});
export type RolloutWaves = z.infer<typeof rolloutWaves>;

/** The routers that would go first, in the impact of a binding. */
export const firstImpact = z.object({
  routers: z.number().int(),
  offline: z.number().int(),
  /** The first of them, by vehicle number or else serial number. */
  vehicles: z.array(z.string()),
  /** Routers of each wave after them. */
  waves: z.array(z.number().int()),
});
export type FirstImpact = z.infer<typeof firstImpact>;
