import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { presence } from '../presence.ts';
import { updateWindow, windowHours, windowImpact } from './update-window.ts';
import { firstImpact, firstWave, MAX_WAVE_SHARES, rolloutWaves, wavePlan } from './waves.ts';
import { MAX_MOVE_BYTES, MAX_MOVED, groupKey, pageOf, pageQuery, tenantBody, tenantQuery } from '../conventions.ts';

export const bindingKinds = ['firmware', 'config'] as const;
export type BindingKind = (typeof bindingKinds)[number];

/** What rollouts bring to routers: bound files, and settings of a group or of the whole organization (TPL-03). */
export const rolloutKinds = [...bindingKinds, 'settings'] as const;
export type RolloutKind = (typeof rolloutKinds)[number];

export const schedules = ['immediate', 'bootup'] as const;
export type Schedule = (typeof schedules)[number];

/** The progress of one router towards a binding. */
export const targetStates = [
  'waiting',
  'downloading',
  'verifying',
  'applying',
  'rebooting',
  'successful',
  'failed',
  'rolled-back',
  'unsupported',
] as const;
export type TargetState = (typeof targetStates)[number];

/** Codes of a target's `reason`; clients have their own texts for each. Anything else is the router's own text. */
export const rolloutReasons = [
  /** Waiting: the router is not connected. There is no time limit. */
  'offline',
  /** Waiting: for a download slot. */
  'queued',
  /** Waiting: the canaries go first. */
  'canaries-first',
  /** Waiting: it belongs to a later wave. */
  'later-wave',
  /** Waiting: outside of its window, for its hours, until it stands still, is inside of a geofence, or has the voltage or the signal. */
  'window-hours',
  'window-ignition',
  'window-moving',
  'window-geofence',
  'window-voltage',
  'window-signal',
  /** Waiting: it has not reported what its window needs, or the geofences of the window were deleted. */
  'window-uplink',
  'window-no-ignition',
  'window-no-position',
  'window-no-geofence',
  'window-no-voltage',
  'window-no-signal',
  'window-no-uplink',
  /** Waiting: for the router's next boot. */
  'next-boot',
  /** Waiting: the router rejected reverting its choice for the next boot, and starts the firmware then, though nothing is to start. */
  'not-reverted',
  /** Waiting: for the first boot after the postpone time. */
  'postponed',
  /** Waiting: the rollout is paused. */
  'paused',
  /** Waiting: the rollout was cancelled, and nothing more of it begins. */
  'cancelled',
  /** Waiting: the subscription of the device has ended. */
  'not-subscribed',
  /** Failed: the image is for another model. */
  'wrong-model',
  /** Failed: the router could not download the file. */
  'download-failed',
  /** Failed: the SHA-256 or the signature did not match. */
  'verification-failed',
  /** Failed: the router could not write or activate the file. */
  'installation-failed',
  /** Failed: the router reported success but does not run the bound file. */
  'not-in-force',
  /** Failed: the router did not answer the step in time, several times. */
  'no-answer',
  /**
   * Rolled back: with the new firmware or file the router could not connect to the server, and restored the old one by itself.
   */
  'did-not-call-home',
  /** Unsupported: the router's data model has no command for this. */
  'not-supported',
  /** Waiting: settings were saved since the rollout began, which it does not send. */
  'settings-changed',
  /** Failed: the router rejected a setting; `detail` says which and why. */
  'settings-rejected',
  /** Failed: the router reports another value than it accepted, or one that is set has no value. */
  'settings-differ',
  /** Rolled back: with these settings the router could not connect, and returned to its former ones by itself. */
  'settings-returned',
] as const;
export type RolloutReason = (typeof rolloutReasons)[number];

/** One binding in the fields of the spec, with additional ones of ours. */
export const bindEntry = z.object({
  /** pk of the firmware or config file. */
  profile: z.string(),
  otaSchedule: z.enum(schedules),
  /** Epoch seconds; null without a postpone. */
  postpone: z.number().nullable(),
  /** Firmware version or config file name. */
  name: z.string(),
  /** Number of the bound version of a config file; null for firmware. */
  version: z.number().int().nullable(),
  state: z.enum(['running', 'paused', 'cancelled']),
});

/** The binding of a file in the caller's scope, for its list (part 2 section 3); the newest one if groups differ. */
export const boundAs = {
  /** null = no group has it bound. */
  otaSchedule: z.enum(schedules).nullable(),
  /** Epoch seconds; null without a postpone. */
  postpone: z.number().nullable(),
  /** Key of the group; empty = none. */
  group: z.string(),
};

/** How many routers of a group have a bound file (part 1 section 3). */
export const bindStatus = z.object({
  group: z.string(),
  file: z.string(),
  success: z.number(),
  /** Failed, rolled back, or not supported. */
  fail: z.number(),
  /** Which of the two bindings it is. */
  kind: z.enum(bindingKinds),
  failed: z.number().int(),
  rolledBack: z.number().int(),
  unsupported: z.number().int(),
  /** Routers that download, verify, apply or restart now. */
  busy: z.number().int(),
});

export const groupBind = z.object({ firmware: z.array(bindEntry), config: z.array(bindEntry), status: z.array(bindStatus) });
export type GroupBind = z.infer<typeof groupBind>;

export const listBindings = operation({
  id: 'bindings.list',
  method: 'GET',
  path: '/data_manager/v1/binding/group',
  summary: 'The bindings of each group, and how many routers have the bound files.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ ...pageQuery.shape, group: groupKey.optional() }),
  response: pageOf(groupBind.extend({ group: z.string(), org: z.string() })),
});

/** The safety limits of a rollout that are used unless it, or the one of the same kind before it, has others. */
export const DEFAULT_FAILURE_THRESHOLD = 20;
export const DEFAULT_CANARIES = 0;

/** When and how a file is rolled out. `postpone`: epoch seconds as number or text; empty or left out = not postponed. */
export const bindingSchedule = {
  schedule: z.enum(schedules),
  postpone: z.union([z.number().int().min(0).max(253_402_300_799), z.string().regex(/^\d{0,12}$/u)]).optional(),
  /** Percent of finished routers that may fail before the rollout pauses itself. */
  failureThreshold: z.number().int().min(1).max(100).optional(),
  /** Routers that are updated first; left out = as in the rollout before. */
  canaries: z.number().int().min(0).max(10_000).optional(),
  /** Routers that go first, instead of a number of them. */
  first: firstWave.optional(),
  /**
   * When and in which waves the others follow; null = at once, when every router that goes first is successful. Left out, with `canaries` and `first`
   * left out too, = as in the rollout of the same file before.
   */
  waves: wavePlan.nullable().optional(),
  /** When routers may begin; null = at any time, left out = as in the rollout of the same file before. */
  window: updateWindow.nullable().optional(),
};

/** Number of the config file's version; left out = the newest. */
export const configVersion = z.number().int().min(1).max(2_147_483_647).optional();

export * from './update-window.ts';
export * from './waves.ts';

const schedule = {
  group: groupKey,
  ...bindingSchedule,
  /** `confirmation` of the impact that the user has seen; without it, or with another schedule than immediate, nothing is compared. */
  confirmed: z.string().max(64).optional(),
};

export const bindFirmware = operation({
  id: 'bindings.firmware',
  method: 'POST',
  path: '/data_manager/v1/binding/group/firmware',
  summary: 'Bind firmware to a group (GRP-06 … GRP-08, GRP-10): every router of it will run this version.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ firmware: z.string().max(60), ...schedule }),
  response: z.object({ result: groupBind }),
});

export const bindConfig = operation({
  id: 'bindings.config',
  method: 'POST',
  path: '/data_manager/v1/binding/group/config',
  summary: 'Bind a version of a config file to a group, the newest if none is named: every router of it will get it.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ config: z.string().max(60), configVersion, ...schedule }),
  response: z.object({ result: groupBind }),
});

const unbindQuery = tenantQuery.extend({
  group: groupKey,
  postpone: z.string().optional(),
  mode: z.literal('all').optional(),
});

export const unbindFirmware = operation({
  id: 'bindings.unbindFirmware',
  method: 'DELETE',
  path: '/data_manager/v1/binding/group/firmware',
  summary: 'Remove the firmware binding of a group; no router is downgraded.',
  scope: 'organization',
  roles: adminOnly,
  query: unbindQuery,
  response: z.object({ result: groupBind }),
});

export const unbindConfig = operation({
  id: 'bindings.unbindConfig',
  method: 'DELETE',
  path: '/data_manager/v1/binding/group/config',
  summary: 'Remove the config binding of a group; routers keep the file they have.',
  scope: 'organization',
  roles: adminOnly,
  query: unbindQuery,
  response: z.object({ result: groupBind }),
});

/** The most vehicles listed in the impact of a binding; the others are only counted. */
export const MAX_IMPACT_NAMES = 10;
/** The most groups whose devices can be queried at once: as many as can be deleted at once. */
export const MAX_IMPACT_GROUPS = 2_000;

/** The effect of a binding, before it is saved. */
export const impact = z.object({
  /** Devices of the group, after the moves given. */
  routers: z.number().int(),
  /** Will get the file. */
  change: z.number().int(),
  /** Have it already. */
  already: z.number().int(),
  /** Number of those to change that are offline now; they follow when they connect. */
  offline: z.number().int(),
  /** Cannot take it: another model, or no such command. */
  unsuited: z.number().int(),
  /** Models of the group that the firmware is not for; binding is rejected when routers of such a model are in the group. */
  otherModels: z.array(z.string()),
  /** How many routers are of one of them. */
  ofOtherModel: z.number().int(),
  /** Number of those to change that run a newer version now. */
  older: z.number().int(),
  /** Versions that these run, the most frequent first. */
  newer: z.array(z.string()),
  /** Routers that verify only by SHA-256. */
  unsigned: z.number().int(),
  /** The first of those that will change and are connected, by vehicle number or else serial number. */
  vehicles: z.array(z.string()).max(MAX_IMPACT_NAMES),
  /**
   * Names the devices that will change, connected or not. Sent back as `confirmed`, a binding that would by now change other devices is
   * rejected with `impact.changed` and the new impact as detail.
   */
  confirmation: z.string(),
});
export type Impact = z.infer<typeof impact>;

export const bindingImpact = operation({
  id: 'bindings.impact',
  method: 'POST',
  path: '/data_manager/v1/binding/group/impact',
  summary: 'The effect of binding this firmware or config file to this group; writes nothing.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    /** Left out for a group that does not exist yet: then its devices are `add`. */
    group: groupKey.optional(),
    /** All devices of the organization, for settings of it; without a group. */
    whole: z.literal(true).optional(),
    firmware: z.string().max(60).optional(),
    config: z.string().max(60).optional(),
    configVersion,
    add: z.array(z.string().max(60)).max(MAX_MOVED).optional(),
    remove: z.array(z.string().max(60)).max(MAX_MOVED).optional(),
    canaries: bindingSchedule.canaries,
    first: bindingSchedule.first,
    waves: bindingSchedule.waves,
    window: bindingSchedule.window,
  }),
  maxBodyBytes: MAX_MOVE_BYTES,
  response: z.object({
    result: z.object({
      firmware: impact.nullable(),
      config: impact.nullable(),
      /** Those that go first, of the firmware if both are bound; null = all at once. */
      first: firstImpact.nullable(),
      /** Null without a window. */
      window: windowImpact.nullable(),
    }),
  }),
});

/** The impact of an active binding, with its file. */
export const arrival = impact.extend({
  /** Version of the firmware, or name of the config file. */
  name: z.string(),
});
export type Arrival = z.infer<typeof arrival>;

/** What the bindings of a group start at once on devices that join it; null = nothing of this kind is bound. */
export const arrivals = z.object({
  firmware: arrival.nullable(),
  config: arrival.nullable(),
  /** Of both together; see `impactQuery`. */
  confirmation: z.string(),
});
export type Arrivals = z.infer<typeof arrivals>;

export const moveImpact = operation({
  id: 'bindings.moveImpact',
  method: 'POST',
  path: '/data_manager/v1/binding/group/move/impact',
  summary:
    'The effect on devices that join this group, one by one or with whole groups that are deleted, of its active bindings that begin at once; writes nothing.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    group: groupKey,
    add: z.array(z.string().max(60)).max(MAX_MOVED).optional(),
    /** Groups of which all devices join. */
    from: z.array(z.string().max(100)).max(MAX_IMPACT_GROUPS).optional(),
  }),
  maxBodyBytes: MAX_MOVE_BYTES,
  response: z.object({ result: arrivals }),
});

/** A rollout in the group's page: the active binding and the progress of its routers. */
export const rollout = z.object({
  id: z.string(),
  kind: z.enum(rolloutKinds),
  /** Empty for settings. */
  profile: z.string(),
  /** Of settings their version. */
  name: z.string(),
  /** Number of the version of a config file or of settings; null for firmware. */
  version: z.number().int().nullable(),
  schedule: z.enum(schedules),
  postpone: z.number().nullable(),
  state: z.enum(['running', 'paused', 'cancelled']),
  pausedReason: z.enum(['person', 'threshold']).nullable(),
  failureThreshold: z.number().int(),
  canaries: z.number().int(),
  /** Null = all at once, or after the canaries. */
  waves: rolloutWaves.nullable(),
  /** When routers may begin; null = at any time. */
  window: updateWindow.nullable(),
  /** ISO 8601. */
  created: z.string(),
  by: z.string(),
  total: z.number().int(),
  /** Routers per state; a state without routers is 0. */
  states: z.record(z.enum(targetStates), z.number().int()),
  /** Number of waiting routers that are offline now. */
  offline: z.number().int(),
  /** Of settings: waiting routers that it does not reach any more, because their group or the organization saved others since it began. */
  outdated: z.number().int(),
});
export type Rollout = z.infer<typeof rollout>;

export const rollOutSettings = operation({
  id: 'bindings.settings',
  method: 'POST',
  path: '/data_manager/v1/binding/settings',
  summary:
    'Bring the saved settings of a group, or of the whole organization, to its routers as a rollout, in waves and windows. It ends the one of the same level before.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    /** Left out: of the organization, on all of its routers. */
    group: groupKey.optional(),
    /** Version of the level that was reviewed; when it has another one by now, nothing begins. */
    version: z.number().int().min(1),
    failureThreshold: bindingSchedule.failureThreshold,
    canaries: bindingSchedule.canaries,
    first: bindingSchedule.first,
    waves: bindingSchedule.waves,
    window: bindingSchedule.window,
  }),
  response: z.object({ result: rollout }),
});

export const listRollouts = operation({
  id: 'rollouts.list',
  method: 'GET',
  path: '/data_manager/v1/binding/group/rollouts',
  summary: 'The rollouts of one group: firmware, config and settings; without a group that of the settings of the organization.',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({ group: groupKey.optional() }),
  response: z.object({ result: z.array(rollout) }),
});

/** One router of a rollout. */
export const rolloutTarget = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  presence,
  state: z.enum(targetStates),
  /** One of `rolloutReasons`, the router's own message, or null. */
  reason: z.string().nullable(),
  /** The router's own message, where `reason` is our code for it. Text from outside. */
  detail: z.string().nullable(),
  percent: z.number().int(),
  attempt: z.number().int(),
  /** The version that the router reports. */
  current: z.string().nullable(),
  /** 'sha256+signature' or 'sha256'; null before it is known. */
  checkedBy: z.string().nullable(),
  /** Epoch seconds. */
  updated: z.number(),
});
export type RolloutTarget = z.infer<typeof rolloutTarget>;

export const listTargets = operation({
  id: 'rollouts.targets',
  method: 'GET',
  path: '/data_manager/v1/binding/group/targets',
  summary: 'The routers of a rollout by state, with reasons.',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...pageQuery.shape,
    rollout: z.string().max(60),
    state: z.enum(targetStates).optional(),
    field: z.enum(['serial', 'vehicle']).optional(),
    /** `state`, the default: what failed first, then what is under way, waiting and done. */
    sort: z.enum(['state', '-state', 'serial', '-serial', 'updated', '-updated']).optional(),
  }),
  response: pageOf(rolloutTarget),
});

export const controlRollout = operation({
  id: 'rollouts.steer',
  method: 'POST',
  path: '/data_manager/v1/binding/group/rollout',
  summary:
    'Pause, resume or cancel a rollout, retry exactly the failed routers, or go on with the next wave or back to the one before.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    rollout: z.string().max(60),
    action: z.enum(['pause', 'resume', 'cancel', 'retry', 'wave']),
    /** With `retry`: only these devices; left out, all that failed or were rolled back. */
    devices: z.array(z.string().max(60)).max(50_000).optional(),
    /**
     * With `wave`: number of the last wave that may begin, from 0. A later one than now goes on; an earlier one cuts back: what is under way ends,
     * and the rollout then goes on only when a person continues it.
     */
    wave: z
      .number()
      .int()
      .min(0)
      .max(MAX_WAVE_SHARES + 1)
      .optional(),
  }),
  response: z.object({ result: rollout }),
});

export const topics = ['rollouts'] as const;

export const schemaNames = {
  BindEntry: bindEntry,
  BindImpact: impact,
  BindStatus: bindStatus,
  GroupArrival: arrival,
  GroupArrivals: arrivals,
  GroupBind: groupBind,
  FirstImpact: firstImpact,
  FirstWave: firstWave,
  FirstWaveDevices: firstWave.options[0],
  FirstWaveTag: firstWave.options[1],
  Rollout: rollout,
  RolloutTarget: rolloutTarget,
  RolloutWaves: rolloutWaves,
  UpdateWindow: updateWindow,
  UpdateWindowHours: windowHours,
  WindowImpact: windowImpact,
  WavePlan: wavePlan,
};
