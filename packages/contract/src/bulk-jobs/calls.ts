import { updateWindow } from '../rollouts/update-window.ts';
import { z } from 'zod';
import { managers, operation } from '../operation.ts';
import { deviceListQuery } from '../devices/calls.ts';
import { groupKey, line, pageOf, paging, tags, tenantBody, tenantQuery } from '../conventions.ts';
import { manyKinds, sentKinds, WAIT_HOURS } from '../commands/sent-commands.ts';
import { arrivals } from '../rollouts/calls.ts';

/** The most devices that a selection can name; a filter selects any number. */
export const MAX_SELECTED = 10_000;
/** Jobs of one organization, or of a main account as a whole, that have not ended. */
export const MOST_ACTIVE_JOBS = 5;
/** Days that an ended job can be read, tried again and undone. */
export const JOB_DAYS = 30;

export const jobKinds = ['move', 'subscription', 'tags', 'command', 'send', 'delete', 'remove'] as const;
export type JobKind = (typeof jobKinds)[number];

/** Lists besides devices whose rows jobs delete; API keys are revoked. */
export const rowLists = [
  'groups',
  'configs',
  'users',
  'colleagues',
  'inventory',
  'organizations',
  'notifications',
  'firmware',
  'apiKeys',
] as const;
export type RowList = (typeof rowLists)[number];

/** Kinds that keep the former values, so that they can be undone. */
export const undoableKinds: ReadonlySet<JobKind> = new Set(['move', 'subscription', 'tags']);

export const jobStates = ['selecting', 'running', 'done', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
export const itemStates = ['waiting', 'sending', 'done', 'failed', 'skipped'] as const;
export type ItemState = (typeof itemStates)[number];

/** Why a device or a row was skipped, or failed. */
export const itemReasons = [
  /** It has this value already. */
  'unchanged',
  /** It was deleted or left the organization. */
  'gone',
  /** Its value is no longer the one that the job to be undone has set. */
  'changed-since',
  'group.not_found',
  'tags.too_many',
  'command.too_many_open',
  'command.not_found',
  'command.offline',
  'command.no_answer',
  /** The router rejected the command; `message` has its own text. */
  'command.rejected',
  'command.unsupported',
  /** Who started it may not act any more. */
  'permission.denied',
  'session.invalid',
  /** The process that sent the command ended: the router may have run it. */
  'interrupted',
  'account.is_self',
  'account.last_admin',
  'account.last_colleague',
  'account.last_break_glass',
  'account.last_excepted',
  /** The company lets no one do it alone any more; a retry requests it. */
  'approval.waiting',
  /** `message` has the names of groups. */
  'config.bound',
  'firmware.bound',
  'group.is_default',
  'inventory.claimed',
  'internal',
] as const;
export type ItemReason = (typeof itemReasons)[number];

const day = z.string().trim().max(20);

const deviceActions = [
  z.object({ kind: z.literal('move'), group: groupKey.min(1) }),
  /** MM/DD/YYYY */
  z.object({ kind: z.literal('subscription'), started: day, expired: day }),
  z.object({ kind: z.literal('tags'), add: tags.optional(), remove: tags.optional() }),
  z.object({ kind: z.literal('command'), command: z.string().max(60) }),
  /**
   * A custom command by its id (`command`), or a built-in one (`send`); it waits up to so many hours for routers that are not connected
   * (LIV-09). A misspelt field is rejected: without its window or its time to wait the command would be another one.
   */
  z.strictObject({
    kind: z.literal('send'),
    command: z.string().max(60).optional(),
    send: z.enum(manyKinds).optional(),
    argument: line(64).optional(),
    wait: z.number().int().min(WAIT_HOURS.least).max(WAIT_HOURS.most).optional(),
    /** It is sent only while all of this holds, until `wait` is over (WIN-02). */
    window: updateWindow.optional(),
  }),
  z.object({ kind: z.literal('delete') }),
] as const;

/** What a job does with each device. */
export const deviceAction = z.discriminatedUnion('kind', deviceActions);
export type DeviceAction = z.output<typeof deviceAction>;

/** What a job does with each device, or the deletion of rows of another list. */
export const jobAction = z.discriminatedUnion('kind', [
  ...deviceActions,
  z.object({ kind: z.literal('remove'), list: z.enum(rowLists) }),
]);
export type JobAction = z.output<typeof jobAction>;

/** A filter of the device list. One that is misspelt is rejected: without it all devices would match. */
export const deviceFilter = deviceListQuery
  .omit({
    realm: true,
    org: true,
    limit: true,
    offset: true,
    cursor: true,
    sort: true,
    around: true,
  })
  .strict();

/** Devices by their ids, or all that match a filter when the job begins. */
export const deviceSelection = z.union([
  z.strictObject({ devices: z.array(z.string().max(60)).min(1).max(MAX_SELECTED) }),
  z.strictObject({ filter: deviceFilter }),
]);
export type DeviceSelection = z.output<typeof deviceSelection>;

/** The same, or rows of another list by their ids: for `remove`. */
export const jobSelection = z.union([
  ...deviceSelection.options,
  z.strictObject({ rows: z.array(z.string().min(1).max(320)).min(1).max(MAX_SELECTED) }),
]);
export type JobSelection = z.output<typeof jobSelection>;

/** A job in the API. */
export const bulkJob = z.object({
  id: z.string(),
  org: z.string().nullable(),
  kind: z.enum(jobKinds),
  /** The list of a job that deletes rows; null for devices. */
  list: z.enum(rowLists).nullable(),
  /** It restores what another job changed. */
  undo: z.boolean(),
  state: z.enum(jobStates),
  /** Devices selected so far; all, once the state is not 'selecting'. */
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** The name of the group or command. */
  name: z.string().nullable(),
  /** What it sends to routers: of a built-in command this alone (LIV-01). */
  send: z.enum(sentKinds).nullable(),
  /** MM/DD/YYYY */
  started: z.string().nullable(),
  expired: z.string().nullable(),
  add: z.array(z.string()),
  remove: z.array(z.string()),
  /** E-mail address of the user who started it. */
  by: z.string(),
  created: z.string(),
  ended: z.string().nullable(),
  /** Its failed devices can be tried again. */
  retriable: z.boolean(),
  undoable: z.boolean(),
});
export type BulkJob = z.infer<typeof bulkJob>;

/** The result of a job for one device or row. */
export const jobItem = z.object({
  n: z.number(),
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  org: z.string(),
  state: z.enum(itemStates),
  reason: z.enum(itemReasons).nullable(),
  /** The router's own message, or what keeps a row, on one line. */
  message: z.string().nullable(),
  /** The row of another list; null for devices. */
  row: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type JobItem = z.infer<typeof jobItem>;

/** What a job would do. */
export const jobPreview = z.object({
  devices: z.number(),
  online: z.number(),
  /** Devices that have the desired value already. */
  unchanged: z.number(),
  /** What the group starts at once on devices that join it; null for other actions. */
  arrivals: arrivals.nullable(),
  /** Stands for the devices that were counted. */
  confirmation: z.string(),
  /** Of a deletion, the ids of these devices, as many as a selection can name; null for more, and for other actions. */
  ids: z.array(z.string()).nullable(),
});
export type JobPreview = z.infer<typeof jobPreview>;

const jobPath = z.object({ job: z.string() });
const response = z.object({ result: bulkJob });

export const listJobs = operation({
  id: 'jobs.list',
  method: 'GET',
  path: '/data_manager/v1/dm/jobs',
  summary: 'Changes of many devices, the newest first; those that ended more than 30 days ago are deleted (BLK-01).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend({
    ...paging.shape,
    /** Only those that have not ended. */
    active: z.enum(['true']).optional(),
  }),
  response: pageOf(bulkJob),
});

export const getJob = operation({
  id: 'jobs.get',
  method: 'GET',
  path: '/data_manager/v1/dm/jobs/{job}',
  summary: 'A job with its progress (BLK-01).',
  scope: 'tenant',
  roles: managers,
  params: jobPath,
  query: tenantQuery,
  response,
});

export const listItems = operation({
  id: 'jobs.items',
  method: 'GET',
  path: '/data_manager/v1/dm/jobs/{job}/devices',
  summary: 'The result of a job for each device (BLK-01).',
  scope: 'tenant',
  roles: managers,
  params: jobPath,
  query: tenantQuery.extend({
    ...paging.shape,
    state: z.enum(itemStates).optional(),
  }),
  response: pageOf(jobItem),
});

export const previewJob = operation({
  id: 'jobs.preview',
  method: 'POST',
  path: '/data_manager/v1/dm/jobs/preview',
  summary: 'How many devices a job would change, and what a group would start on them at once. Changes nothing.',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({ action: deviceAction, selection: deviceSelection }),
  response: z.object({ result: jobPreview }),
});

export const startJob = operation({
  id: 'jobs.start',
  method: 'POST',
  path: '/data_manager/v1/dm/jobs',
  summary:
    'Change many devices in the background: those named, or all that match a filter of the device list; or delete rows of another list. The caller, a person or an API key, also needs the call that does the same to one device or row, for example devices.delete. With a foreign id the call is a 404 (BLK-01).',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({
    action: jobAction,
    selection: jobSelection,
    /** `confirmation` of the `arrivals` that the user has seen. */
    confirmed: line(64).optional(),
    /**
     * `confirmation` of the preview that the user has seen. With other devices to delete, or for other actions with more devices than it had, the
     * call is answered `impact.changed` with the new preview.
     */
    preview: line(64).optional(),
  }),
  response,
});

export const cancelJob = operation({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/data_manager/v1/dm/jobs/{job}/cancel',
  summary: 'Stop a job before its next batch; what it has changed stays.',
  scope: 'tenant',
  roles: managers,
  params: jobPath,
  body: tenantBody,
  response,
});

export const retryJob = operation({
  id: 'jobs.retry',
  method: 'POST',
  path: '/data_manager/v1/dm/jobs/{job}/retry',
  summary: 'Do it again for exactly the devices or rows that failed, as a new job (BLK-01).',
  scope: 'tenant',
  roles: managers,
  params: jobPath,
  body: tenantBody,
  response,
});

export const undoJob = operation({
  id: 'jobs.undo',
  method: 'POST',
  path: '/data_manager/v1/dm/jobs/{job}/undo',
  summary: 'Restore the former values as a new job, of the devices whose value is still the one that the job has set (BLK-01).',
  scope: 'tenant',
  roles: managers,
  params: jobPath,
  body: tenantBody,
  response,
});

export const topics = ['jobs'] as const;

export const schemaNames = {
  BulkJob: bulkJob,
  BulkJobItem: jobItem,
  BulkJobPreview: jobPreview,
  DeviceAction: deviceAction,
  DeviceFilter: deviceFilter,
  DeviceSelection: deviceSelection,
  JobAction: jobAction,
  JobSelection: jobSelection,
  SelectedByFilter: deviceSelection.options[1],
  SelectedDevices: deviceSelection.options[0],
  SelectedRows: jobSelection.options[2],
};
