import { z } from 'zod';
import { alertStates, severities } from '../alerts/calls.ts';
import { everyRole, operation } from '../operation.ts';
import { pageQuery, tenantQuery } from '../conventions.ts';
import { logSentence } from '../logs/calls.ts';

export const timelineKinds = ['connection', 'rollout', 'action', 'alarm', 'sim', 'remote', 'geofence', 'alert'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const moment = {
  /** Unique on the timeline. */
  id: z.string(),
  /** Epoch seconds. */
  at: z.number(),
};

/** An event of a device. */
export const timelineItem = z.discriminatedUnion('kind', [
  z.object({
    ...moment,
    kind: z.literal('connection'),
    event: z.enum(['online', 'offline', 'boot', 'cloned']),
    reason: z.string(),
  }),
  /** A step of a rollout: `state` is one of the target's states, or 'ended' when the rollout left the router before it was done. */
  z.object({
    ...moment,
    kind: z.literal('rollout'),
    file: z.enum(['firmware', 'config', 'settings']),
    label: z.string(),
    state: z.string(),
    reason: z.string(),
    /** Key of the group it was bound to; null when that is deleted. */
    group: z.string().nullable(),
  }),
  /** A user action, from the log of the device's organization. */
  z.object({
    ...moment,
    kind: z.literal('action'),
    email: z.string(),
    role: z.string(),
    subject: z.string(),
    /** Key and parameters of `subject`, for other languages; null for entries of earlier versions. */
    sentence: logSentence.nullable(),
    /** The result of a request to the router: 'done', 'rejected' and the like; empty if the log has none. */
    outcome: z.string(),
    /** Its position in the log. */
    seq: z.number().int(),
  }),
  /** `event` names it; `state` is 'raised', 'cleared' or 'happened'. */
  z.object({ ...moment, kind: z.literal('alarm'), event: z.string(), state: z.string(), reason: z.string() }),
  /** The result for an eSIM profile: `label` is its name or number, `reason` as in the profile. */
  z.object({
    ...moment,
    kind: z.literal('sim'),
    label: z.string(),
    state: z.enum(['downloaded', 'in-use', 'failed', 'deleted']),
    reason: z.string(),
  }),
  /** A geofence, `label`, that the vehicle entered or left. */
  z.object({ ...moment, kind: z.literal('geofence'), event: z.enum(['entered', 'left']), label: z.string() }),
  /** A remote session; `reason` is why it ended. */
  z.object({
    ...moment,
    kind: z.literal('remote'),
    type: z.enum(['ssh', 'gui']),
    state: z.enum(['opened', 'viewed', 'ended']),
    reason: z.string(),
    /** E-mail of the user who opened it; empty for another organization's session, or an old one. */
    by: z.string(),
    /** Address and port of the client that it led to; left out: the router. */
    client: z.string().optional(),
  }),
  /** An alert of a rule of the device's organization: it fired, was acknowledged or is resolved. */
  z.object({
    ...moment,
    kind: z.literal('alert'),
    alert: z.string(),
    /** The rule. */
    label: z.string(),
    state: z.enum(alertStates),
    /** Why it was resolved. */
    reason: z.string(),
    /** E-mail of the user who acknowledged it. */
    by: z.string(),
    severity: z.enum(severities),
    /** Where the vehicle was when it fired; null = unknown, or another state. */
    place: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  }),
]);
export type TimelineItem = z.infer<typeof timelineItem>;

export const deviceTimeline = operation({
  id: 'devices.timeline',
  method: 'GET',
  path: '/data_manager/v1/dm/device/timeline',
  summary:
    'The history of a device, newest first: connections, rollouts, user actions, alarms, alerts, eSIM profiles, remote sessions, geofences.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    device: z.string(),
    kind: z.enum(timelineKinds).optional(),
    /** Default 20. */
    limit: pageQuery.shape.limit,
    cursor: pageQuery.shape.cursor,
  }),
  response: z.object({ result: z.array(timelineItem), next: z.string().nullable() }),
});

export const schemaNames = {
  TimelineItem: timelineItem,
};
