import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { presence } from '../presence.ts';
import { offlineReasons } from '../devices/counted-presence.ts';
import { reportInterval } from '../devices/report-interval.ts';
import { bindingSchedule, configVersion, groupBind, MAX_IMPACT_GROUPS, schedules } from '../rollouts/calls.ts';
import {
  fileFormat,
  columnsOf,
  deletion,
  groupKey,
  language,
  MAX_MOVE_BYTES,
  MAX_MOVED,
  onlyRows,
  pageOf,
  pageQuery,
  paragraph,
  sortOf,
  tags,
  tenantBody,
  tenantQuery,
  typedName,
} from '../conventions.ts';

/** Full Control or Only Read (OLD-01). */
export const groupControl = z.enum(['full', 'read']);
export type GroupControl = z.infer<typeof groupControl>;

const reportSeconds = z.int().min(reportInterval.least).max(reportInterval.most).nullable();

/** Group in the API (part 1 section 3). */
export const group = z.object({
  id: z.string(),
  /** Key; the default group's is the literal 'default+group+id'. */
  group: z.string(),
  groupName: z.string(),
  group_name: z.string(),
  description: z.string(),
  /** `BD` makes reports and charts of the group begin with windows of 1 h (RPT-03). */
  tags: z.array(z.string()),
  /** Seconds between two reports of its routers; null = as the installation sets. */
  reportSeconds: z.number().nullable(),
  /** ISO 8601. */
  created: z.string(),
  /** Number of devices in the group. */
  deviceCount: z.number(),
  /** Serial numbers; left out in a page of the list unless `devices=true` asks for them. */
  devices: z.array(z.string()).optional(),
  /**
   * The schedule of the active bindings; firmware and config of a group share it in the forms. 'immediate' without a binding, as
   * in the form.
   */
  schedule: z.enum(schedules),
  /** Epoch seconds; null when not postponed. */
  postpone: z.number().nullable(),
  /** Version of the bound firmware, name of the bound config file; empty when undefined. */
  firmware: z.string(),
  config: z.string(),
  bind: groupBind,
  /** Routers that have every bound file, y being `deviceCount`: 'Successful: x/y'. 0 while nothing is bound: no update, no success. */
  successful: z.number().int(),
  /** 1-based position among the organization's groups, the default group being 1 (group number of the forms and of a page of the list). */
  number: z.number().int().optional(),
  org: z.string(),
});
export type Group = z.infer<typeof group>;

export const groupSorts = ['name', 'description', 'created', 'devices', 'firmware', 'config', 'schedule', 'postpone'] as const;
export const groupFields = ['group', 'firmware', 'config', 'description'] as const;

export const rolloutFilters = ['failed', 'paused'] as const;

export const groupQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: sortOf(groupSorts),
  field: z.enum(groupFields).optional(),
  schedule: z.enum(schedules).optional(),
  /** Groups with a rollout of which routers failed or were rolled back, or that is paused. */
  rollout: z.enum(rolloutFilters).optional(),
  /** Days of `created`, MM/DD/YYYY, both included, in `zone`. */
  from: z.string().max(10).optional(),
  until: z.string().max(10).optional(),
  /** IANA time zone. */
  zone: z.string().max(60).optional(),
  /** Open the page that contains this group, instead of `offset` (SHR-04). */
  around: z.string().max(100).optional(),
  /** 'true' adds the serial numbers to each group of a page. */
  devices: z.enum(['true', 'false']).optional(),
});
export type GroupQuery = z.infer<typeof groupQuery>;

export const listGroups = operation({
  id: 'groups.list',
  method: 'GET',
  path: '/data_manager/v1/dm/group',
  summary: 'Groups of an organization, the default group first (GRP-01, GRP-05).',
  scope: 'tenant',
  roles: everyRole,
  query: groupQuery,
  response: pageOf(group),
});

/** Columns that the file can have, by their ids on the list. */
export const groupColumns = [
  'number',
  'name',
  'firmware',
  'config',
  'schedule',
  'postpone',
  'status',
  'description',
  'devices',
  'created',
] as const;

export const exportGroups = operation({
  id: 'groups.export',
  method: 'GET',
  path: '/data_manager/v1/dm/group/export',
  summary: 'The same list as CSV or Excel workbook (Groups_export), filtered and sorted alike (SHR-08).',
  scope: 'tenant',
  roles: everyRole,
  query: groupQuery.extend({ language, format: fileFormat, columns: columnsOf(groupColumns), only: onlyRows }),
  response: z.string(),
  sends: 'file',
});

export const getGroup = operation({
  id: 'groups.get',
  method: 'GET',
  path: '/data_manager/v1/dm/group/{group}',
  summary: 'One group with its bindings and number (GRP-08); answers an ETag.',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ group: z.string() }),
  query: tenantQuery,
  response: z.object({
    result: group.extend({
      number: z.number().int(),
      /** Models that routers of the group reported: the form marks firmware for other models. */
      models: z.array(z.string()),
      /** The caller's right: 'full' for admins who may save the group, and for users who were given it. */
      control: groupControl,
      /** E-mails of users who have Full Control of it, at most 100; all other users only read. */
      fullControl: z.array(z.string()),
    }),
  }),
});

/** Ids or serial numbers. */
const members = z.array(z.string().min(1).max(100)).max(MAX_MOVED);

const { schedule, ...afterSchedule } = bindingSchedule;

const confirmation = z.string().max(64).optional();

/** Files to bind in the same transaction. Firmware and config file share the schedule, which goes with at least one of them. */
const fileChoices = z.object({
  /** pk of the firmware; empty = none is bound, left out = unchanged. */
  firmware: z.string().max(60).optional(),
  /** pk of the config file; empty and left out likewise. */
  config: z.string().max(60).optional(),
  configVersion,
  schedule: schedule.optional(),
  ...afterSchedule,
  /** Sent with an empty file, as by the calls that remove one binding (GRP-08). */
  mode: z.literal('all').optional(),
  /** `confirmation` of each impact that the user has seen; a kind left out is not compared. */
  confirmed: z.object({ firmware: confirmation, config: confirmation }).optional(),
});
export type FileChoices = z.infer<typeof fileChoices>;

export const createGroup = operation({
  id: 'groups.create',
  method: 'POST',
  path: '/data_manager/v1/dm/group',
  summary: 'Create a group, move the given devices of the default group into it and bind files to it, all or nothing (GRP-06).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    name: typedName(100),
    description: paragraph(1_000).optional(),
    tags: tags.optional(),
    reportSeconds: reportSeconds.optional(),
    /** Device ids or serial numbers. */
    devices: members.optional(),
    ...fileChoices.shape,
  }),
  maxBodyBytes: MAX_MOVE_BYTES,
  response: z.object({ result: group }),
});

/** What a save may change; a field left out stays as it is. */
const groupChanges = tenantBody.extend({
  group: groupKey.optional(),
  name: typedName(100).optional(),
  description: paragraph(1_000).optional(),
  tags: tags.optional(),
  reportSeconds: reportSeconds.optional(),
  is_postpone: z.boolean().optional(),
  /** The group's whole membership, ids or serial numbers, for API clients; the console sends `add` and `remove`. */
  devices: members.optional(),
  /** Join from the default group; ids or serial numbers. */
  add: members.optional(),
  /** Return to the default group. */
  remove: members.optional(),
});

export const saveGroup = operation({
  id: 'groups.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/group/{group}',
  summary:
    'Change name, description, tags, report interval and members of a group (GRP-08, GRP-09); users need Full Control of it (OLD-01). If-Match is honoured.',
  scope: 'organization',
  roles: ['admin', 'user'],
  params: z.object({ group: z.string() }),
  body: groupChanges,
  maxBodyBytes: MAX_MOVE_BYTES,
  response: z.object({ result: group }),
});

export const saveWholeGroup = operation({
  id: 'groups.saveWhole',
  method: 'PUT',
  path: '/data_manager/v1/dm/group/{group}',
  summary:
    'Change a group, its members and its bindings, all or nothing (GRP-08 … GRP-10); only admins may bind. If-Match is honoured; sent again after a lost answer, it succeeds without a second rollout.',
  scope: 'organization',
  roles: ['admin', 'user'],
  params: z.object({ group: z.string() }),
  body: groupChanges.extend({
    ...fileChoices.shape,
    /** As for a new group, and the `moveImpact` on devices that join this group or return to the default group. */
    confirmed: z
      .object({ firmware: confirmation, config: confirmation, joining: confirmation, leaving: confirmation })
      .optional(),
  }),
  maxBodyBytes: MAX_MOVE_BYTES,
  response: z.object({ result: group }),
});

export const deleteGroups = operation({
  id: 'groups.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/group',
  summary:
    'Delete groups; their devices return to the default group, their rollouts end (GRP-04). `confirmed` is the confirmation of their `moveImpact` that the user has seen.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ groups: z.array(groupKey).min(1).max(MAX_IMPACT_GROUPS), confirmed: confirmation }),
  response: deletion,
});

/** A device in the move dialog (GRP-09). */
export const member = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  model: z.string().nullable(),
  presence,
  /** Since when it has this presence, epoch seconds; null for a router that never connected. */
  presence_since: z.number().nullable(),
  /** Why its being offline is no fault; null = it is one, or it is not offline (SAY-04). */
  offline_expected: z.enum(offlineReasons).nullable(),
  subscription_status: z.string(),
  /** False: 'Not Subscribed', it cannot be moved into a group. */
  movable: z.boolean(),
});
export type Member = z.infer<typeof member>;

export const listMembers = operation({
  id: 'groups.members',
  method: 'GET',
  path: '/data_manager/v1/dm/group/{group}/devices',
  summary: 'The devices of a group, paged and searched, for the move dialog (GRP-09).',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ group: z.string() }),
  query: tenantQuery.extend({
    ...pageQuery.shape,
    field: z.enum(['serial', 'vehicle']).optional(),
    sort: z.enum(['serial', '-serial', 'vehicle', '-vehicle']).optional(),
  }),
  response: pageOf(member),
});

export const listControls = operation({
  id: 'groups.controls',
  method: 'GET',
  path: '/data_manager/v1/dm/group/{group}/accounts',
  summary: 'Users of the organization by e-mail, with their right to the group (OLD-01).',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ group: z.string() }),
  query: tenantQuery.extend({ limit: pageQuery.shape.limit, cursor: pageQuery.shape.cursor }),
  response: z.object({
    result: z.array(z.object({ id: z.string(), email: z.string(), name: z.string(), control: groupControl })),
    next: z.string().nullable(),
  }),
});

export const changeControl = operation({
  id: 'groups.changeControl',
  method: 'PATCH',
  path: '/data_manager/v1/dm/group/{group}/accounts',
  summary: 'Give a user Full Control of a group, or set Only Read (OLD-01).',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ group: z.string() }),
  body: tenantBody.extend({ account: z.string().max(60), control: groupControl }),
  response: z.object({ result: z.object({ control: groupControl }) }),
});

export const topics = ['groups'] as const;

export const schemaNames = {
  Group: group,
  GroupMember: member,
};
