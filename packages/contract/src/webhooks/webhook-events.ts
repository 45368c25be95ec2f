import { z } from 'zod';

/** Names of an event's device, which is left out where the event is about none. */
const device = z.object({
  id: z.string(),
  serial: z.string(),
  /** Empty = none. */
  vehicle: z.string(),
  /** Key of its group. */
  group: z.string(),
});

const inOrganization = z.object({ organization: z.string().nullable() });
const ofDevice = inOrganization.extend({ device });
const ofRollout = inOrganization.extend({
  rollout: z.string(),
  kind: z.enum(['firmware', 'config', 'settings']),
  /** The version of the firmware or of the settings, or the name of the config file. */
  label: z.string(),
  /** Null for settings of the whole organization. */
  group: z.string().nullable(),
});
const ofTarget = ofDevice.extend({
  rollout: z.string().nullable(),
  kind: z.string(),
  label: z.string(),
  state: z.string(),
  /** A code, or the own text of the router. */
  reason: z.string(),
});
const ofEsim = ofDevice.extend({
  /** Name or number of the profile. */
  profile: z.string(),
  reason: z.string(),
});
const ofSubscription = ofDevice.extend({
  /** ISO days; null = no subscription. */
  starts: z.string().nullable(),
  ends: z.string().nullable(),
});
const ofAlert = inOrganization.extend({
  device: device.nullable(),
  /** Id of the alert. */
  alert: z.string(),
  /** Name of the rule. */
  rule: z.string(),
  severity: z.string(),
  /** One sentence. */
  summary: z.string(),
  /** E-mail address of the person who acknowledged it; also of an alert that fired and was acknowledged before its message could be sent. */
  by: z.string().nullable(),
  /** Name of the geofence that was crossed; only of alerts of geofences. */
  geofence: z.string().optional(),
  /** Carrier of the device, and the geofence that it was inside of, when the alert fired. */
  carrier: z.string().optional(),
  place: z.string().optional(),
  /** Id of the alerts that fired together with it. */
  storm: z.string().optional(),
  /** Of many alerts of one rule that fired together: how many, and how many of each carrier, group and geofence. */
  count: z.number().int().optional(),
  carriers: z.string().optional(),
  groups: z.string().optional(),
  places: z.string().optional(),
  /**
   * What ended it: `cleared` = its condition ended; after `transferred`, `deleted`, `router-replaced`, `out-of-scope`, `rule-changed` and
   * `rule-deleted` the device had not recovered. Of many that fired together `partly` when only some recovered.
   */
  resolution: z.string().optional(),
  /** Of one that was over before its message could be sent: how long it lasted. */
  minutes: z.number().int().optional(),
  /** Of many that fired together: how many were acknowledged before the message could be sent. */
  acknowledged: z.number().int().optional(),
  /** Of many of which some or all ended: how many are open, and how many ended although their device had not recovered. */
  open: z.number().int().optional(),
  unrecovered: z.number().int().optional(),
});

const organization = '01890f3e-7b1a-7000-8000-000000000001';
const vehicle = { id: '01890f3e-7b1a-7000-8000-00000000000d', serial: 'HL0001', vehicle: 'BUS-7', group: 'north' };
const binding = {
  organization,
  rollout: '01890f3e-7b1a-7000-8000-00000000000e',
  kind: 'firmware',
  label: '1.2.3',
  group: 'north',
};
const target = { ...binding, device: vehicle, group: undefined };
const alert = {
  organization,
  device: vehicle,
  alert: '01890f3e-7b1a-7000-8000-00000000000f',
  rule: 'Offline',
  severity: 'critical',
  summary: 'BUS-7 has been offline for 15 minutes.',
};

/** An event with the form of its `data` and an example of it. */
function event<Data extends z.ZodType>(summary: string, data: Data, example: unknown) {
  return { summary, data, example: JSON.parse(JSON.stringify(example)) as z.input<Data> };
}

/** Every event that a webhook can be sent for, with the form of its `data` (HKS-01). */
export const webhookEvents = {
  'device.online': event('A router connected.', ofDevice, { organization, device: vehicle }),
  'device.offline': event('A router is not connected any more.', ofDevice.extend({ reason: z.string() }), {
    organization,
    device: vehicle,
    reason: 'silent',
  }),
  'device.added': event('A device was added to an organization.', ofDevice, { organization, device: vehicle }),
  'device.removed': event('A device was removed from an organization.', ofDevice, { organization, device: vehicle }),
  'device.alarm': event('A router raised or cleared an alarm.', ofDevice.extend({ alarm: z.string(), state: z.string() }), {
    organization,
    device: vehicle,
    alarm: 'BATTERY_LOW',
    state: 'raised',
  }),
  'rollout.started': event('A file was bound to a group, or the rollout of settings began.', ofRollout, binding),
  'rollout.paused': event('A rollout was paused.', ofRollout.extend({ reason: z.string().nullable() }), {
    ...binding,
    reason: 'threshold',
  }),
  'rollout.resumed': event('A rollout was resumed.', ofRollout, binding),
  'rollout.cancelled': event('A rollout was cancelled.', ofRollout, binding),
  'rollout.ended': event('A binding ended: its file was replaced or removed.', ofRollout, binding),
  'rollout.device_updated': event('A router has the file of a rollout.', ofTarget, {
    ...target,
    state: 'successful',
    reason: '',
  }),
  'rollout.device_failed': event('The update of a router failed.', ofTarget, {
    ...target,
    state: 'rolled-back',
    reason: 'boot-failed',
  }),
  'esim.downloaded': event('An eSIM profile was downloaded.', ofEsim, {
    organization,
    device: vehicle,
    profile: 'Carrier A',
    reason: '',
  }),
  'esim.in_use': event('A router switched to an eSIM profile.', ofEsim, {
    organization,
    device: vehicle,
    profile: 'Carrier A',
    reason: '',
  }),
  'esim.failed': event('An eSIM profile could not be downloaded or used.', ofEsim, {
    organization,
    device: vehicle,
    profile: 'Carrier A',
    reason: 'unreachable',
  }),
  'esim.deleted': event('An eSIM profile was deleted from a router.', ofEsim, {
    organization,
    device: vehicle,
    profile: 'Carrier A',
    reason: '',
  }),
  'subscription.changed': event('The days of a subscription were changed.', ofSubscription, {
    organization,
    device: vehicle,
    starts: '2031-01-01',
    ends: '2031-12-31',
  }),
  'subscription.ending': event('A subscription ends in 30 days, in 7 days, or today.', ofSubscription, {
    organization,
    device: vehicle,
    starts: '2031-01-01',
    ends: '2031-12-31',
  }),
  'remote.opened': event('A remote session on a router was opened.', ofDevice.extend({ kind: z.string() }), {
    organization,
    device: vehicle,
    kind: 'ssh',
  }),
  'remote.ended': event('A remote session on a router ended.', ofDevice.extend({ kind: z.string() }), {
    organization,
    device: vehicle,
    kind: 'ssh',
  }),
  'log.entry': event(
    'An entry was added to the log.',
    inOrganization.extend({
      /** Ascending within an organization. */
      number: z.int(),
      action: z.string(),
      subject: z.object({ kind: z.string(), id: z.string() }),
      actor: z.object({
        id: z.string().nullable(),
        email: z.string(),
        role: z.string(),
        key: z.string().nullable(),
        address: z.string(),
      }),
      /** What changed; null when it has more than 16 KB. */
      detail: z.unknown(),
    }),
    {
      organization,
      number: 42,
      action: 'Added group North',
      subject: { kind: 'group', id: 'north' },
      actor: { id: organization, email: 'admin@example.com', role: 'admin', key: null, address: '203.0.113.7' },
      detail: { name: 'North' },
    },
  ),
  'alert.fired': event('An alert began.', ofAlert, { ...alert, by: null }),
  'alert.acknowledged': event('A person acknowledged an alert.', ofAlert, { ...alert, by: 'admin@example.com' }),
  'alert.resolved': event('An alert is over.', ofAlert, { ...alert, by: null, resolution: 'cleared' }),
  'alert.action': event('An alert rule calls a webhook about a device.', ofAlert, { ...alert, by: null }),
  'webhook.test': event('A person sent a test.', inOrganization.extend({ message: z.string() }), {
    organization,
    message: 'Test of the webhook Fleet bot.',
  }),
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
export type WebhookData<Type extends WebhookEventType> = z.output<(typeof webhookEvents)[Type]['data']>;

/** Events that only those get who are named: by a person who tests, or by a rule. */
const namedOnly = ['webhook.test', 'alert.action'] as const;
export type SubscribedEvent = Exclude<WebhookEventType, (typeof namedOnly)[number]>;

/** The events that an endpoint can be subscribed to. */
export const webhookEventTypes = (Object.keys(webhookEvents) as WebhookEventType[]).filter(
  (type): type is SubscribedEvent => !namedOnly.some((named) => named === type),
);
