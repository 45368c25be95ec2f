import { z } from 'zod';
import { updateWindow } from '../rollouts/update-window.ts';
import {
  columnsOf,
  deletion,
  email,
  fileFormat,
  groupKey,
  language,
  onlyRows,
  pageOf,
  pageQuery,
  paragraph,
  tenantBody,
  tenantQuery,
  typedName,
} from '../conventions.ts';
import { diagnosisKinds } from '../diagnosis/diagnosis-kinds.ts';
import { everyRole, managers, operation } from '../operation.ts';
import { ruleTest } from '../tools/calls.ts';
import { TEST_MINUTES } from '../tools/limits.ts';
import { actionLimits } from './action-limits.ts';

/** Rules of one organization. */
export const MOST_RULES = 50;
export const LONGEST_RULE_NAME = 60;
/** Thirty days. */
export const LONGEST_FOR_SECONDS = 2_592_000;
/** Resolved alerts are kept this long. */
export const ALERT_DAYS = 90;
/** Alerts and storms acknowledged in one call. */
export const MOST_ACKNOWLEDGED = 1_000;
/** Addresses that a rule names; as many follow when no one acknowledges. */
export const MOST_PEOPLE = 50;

export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];
export const alertStates = ['firing', 'acknowledged', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];
/** Why an alert was resolved. */
export const resolutions = [
  'cleared',
  'transferred',
  'deleted',
  'router-replaced',
  'out-of-scope',
  'rule-changed',
  'rule-deleted',
] as const;
export type Resolution = (typeof resolutions)[number];

/** Readings that a rule can compare, by the keys of the facts catalogue. */
export const comparedReadings = [
  'rssi',
  'rsrp',
  'rsrq',
  'sinr',
  'temperature',
  'voltage',
  'battery',
  'bytes_sent',
  'bytes_received',
] as const;
export type ComparedReading = (typeof comparedReadings)[number];

const threshold = z.number().min(-1e15).max(1e15);

/**
 * The conditions of rules (ALR-01), one row each. The kinds of the server (`apps/server/src/domains/alerts/kinds.job.queries.ts`) and the texts of the
 * console follow from them: a new kind is a row here, one there, and its texts.
 */
export const conditions = [
  /** Offline for longer than `forSeconds`. */
  z.strictObject({ kind: z.literal('offline') }),
  /** A reading above or below a threshold for `forSeconds`; it clears on the other side of `clear`, by default of the threshold. */
  z
    .strictObject({
      kind: z.literal('reading'),
      reading: z.enum(comparedReadings),
      operator: z.enum(['above', 'below']),
      threshold,
      clear: threshold.optional(),
    })
    .refine(({ operator, threshold: limit, clear = limit }) => (operator === 'above' ? clear <= limit : clear >= limit), {
      path: ['clear'],
      error: ({ input }) =>
        (input as { operator?: unknown } | undefined)?.operator === 'above'
          ? 'must not be above the threshold, because the alert would clear and fire at once'
          : 'must not be below the threshold, because the alert would clear and fire at once',
    }),
  /** No position for longer than `forSeconds`, of a device that had one. */
  z.strictObject({ kind: z.literal('position-silent') }),
  /** The device left a geofence and has not entered it again, or entered it and is still inside; null = the geofence it crossed last. */
  z.strictObject({
    kind: z.literal('geofence'),
    event: z.enum(['entered', 'left']),
    geofence: z.string().min(1).max(60).nullable(),
  }),
  /** A bound file is not on the router. */
  z.strictObject({ kind: z.literal('firmware-mismatch') }),
  z.strictObject({ kind: z.literal('config-mismatch') }),
  /** The rollout that the device waits for is paused; or it failed on the device. */
  z.strictObject({ kind: z.literal('rollout-paused') }),
  z.strictObject({
    kind: z.literal('rollout-failed'),
    /** Also while it is paused. */
    orPaused: z.boolean().optional(),
  }),
  /** The router uses another SIM than before; the alert clears after an hour. */
  z.strictObject({ kind: z.literal('esim-switched') }),
  /** A profile could not be downloaded or activated. */
  z.strictObject({ kind: z.literal('esim-failed') }),
  /** The device used so many megabytes (10⁶ bytes) in the present cycle of its SIMs. */
  z.strictObject({ kind: z.literal('data-use'), megabytes: z.number().int().min(1).max(100_000_000) }),
  /** The subscription ends within these days, or has ended. */
  z.strictObject({ kind: z.literal('subscription-ends'), days: z.number().int().min(1).max(365) }),
  /** The connection was lost so many times within so many minutes: the device goes on and off (SAY-03). */
  z.strictObject({
    kind: z.literal('connection-lost'),
    losses: z.number().int().min(2).max(100),
    minutes: z.number().int().min(5).max(120),
  }),
  /** Something was found about the device (SAY-02); null = anything. */
  z.strictObject({ kind: z.literal('diagnosis'), diagnosis: z.enum(diagnosisKinds).nullable() }),
  /** Another uplink than the preferred one carries the traffic; or one that is switched on is down (LIV-10). */
  z.strictObject({ kind: z.literal('on-backup') }),
  z.strictObject({ kind: z.literal('uplink-down') }),
  /** The router has other settings than those that are set for it (TPL-05). */
  z.strictObject({ kind: z.literal('settings-differ') }),
  /**
   * A test that the routers of the rule run by themselves fails, or takes longer than `slowerThan` milliseconds (LIV-04). A rule with it
   * watches all devices, or those of a group or a tag, and runs the test in the name of the person or key that saved it last.
   */
  z.strictObject({
    kind: z.literal('test'),
    test: ruleTest,
    everyMinutes: z
      .number()
      .int()
      .refine((value) => (TEST_MINUTES as readonly number[]).includes(value), `must be one of ${TEST_MINUTES.join(', ')}`)
      .meta({ examples: [60] }),
    slowerThan: z.number().int().min(1).max(60_000).nullable(),
  }),
] as const;
export const condition = z.discriminatedUnion('kind', conditions);
export type Condition = z.infer<typeof condition>;
export type ConditionKind = Condition['kind'];
export const conditionKinds: readonly ConditionKind[] = conditions.map((each) => each.shape.kind.value);
/**
 * What no rule has to watch: a report that was not sent (RPM-03), nightly backups that stopped (TPL-06), and a rollout of settings that waits because
 * others were saved (TPL-03).
 */
export const systemKinds = ['report-failed', 'backups-stopped', 'rotation-stopped', 'tests-stopped', 'settings-waiting'] as const;
export type SystemKind = (typeof systemKinds)[number];
/** What alerts are about: the conditions of rules, and what no rule has to watch. */
export type AlertKind = ConditionKind | SystemKind;
export const alertKinds: readonly AlertKind[] = [...conditionKinds, ...systemKinds];
/** Whether an alert is about no device: then its `device` is empty. */
export const isSystemKind = (kind: AlertKind): kind is SystemKind => (systemKinds as readonly string[]).includes(kind);

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'must be a time as HH:MM');

/** Hours of the week in a time zone; `until` before `from` = past midnight, both equal = the whole day. */
export const hours = z.strictObject({
  /** Days on which they begin, 0 = Sunday. */
  days: z.array(z.number().int().min(0).max(6)).min(1).max(7),
  from: clockTime,
  until: clockTime,
  /** IANA time zone. */
  zone: z.string().min(1).max(60),
});
export type Hours = z.infer<typeof hours>;

/** The devices that a rule watches. */
export const ruleScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('group'), group: groupKey.min(1) }),
  z.strictObject({ kind: z.literal('tag'), tag: typedName(32).min(1) }),
  /** A shared view of the device list. */
  z.strictObject({ kind: z.literal('view'), view: z.string().min(1).max(60) }),
]);
export type RuleScope = z.infer<typeof ruleScope>;

const people = z.array(email).max(MOST_PEOPLE);

/** Webhooks that a rule names. */
export const MOST_CHANNELS = 10;
/** Ids of webhooks of the organization, whose format may be that of Slack or Microsoft Teams; left out = none. */
const hooks = z
  .array(z.string().max(60))
  .max(MOST_CHANNELS)
  .meta({ examples: [[]] })
  .optional();

/** Whom a rule informs (ALR-05). */
export const channels = z.strictObject({
  /** E-mail addresses. */
  mails: people,
  /** The person who is the first admin of the organization when an alert fires as well; left out = no. */
  firstAdmin: z.boolean().optional(),
  webhooks: hooks,
  /** A mail also when alerts are over; left out = only when all that fired together are. */
  ends: z.boolean().optional(),
  /** When no one acknowledges within this time, these are informed too. */
  escalation: z
    .strictObject({ afterMinutes: z.number().int().min(1).max(1_440), mails: people, webhooks: hooks })
    .refine(({ mails, webhooks: named = [] }) => mails.length + named.length > 0, {
      path: ['mails'],
      error: 'must name an address or a webhook',
    })
    .nullable(),
  /** Messages wait for the end of these hours. */
  quiet: hours.nullable(),
  /** IANA zone of times in mails to addresses that have chosen none; left out = that of the organization. */
  zone: z.string().min(1).max(60).optional(),
});
export type Channels = z.infer<typeof channels>;

/** Built-in commands that rules may send. */
export const sentByRules = ['reboot', 'restart-modem'] as const;

/** What a rule can do with the device of an alert by itself (WIN-03), one row each. */
export const ruleDoes = [
  /** Run a custom command of the organization, at once or within a window, for which it waits up to a day (WIN-02). */
  z.strictObject({ kind: z.literal('command'), command: z.string().min(1).max(60), window: updateWindow.optional() }),
  /** Send a built-in command; it waits for the window up to a day. */
  z.strictObject({ kind: z.literal('send'), send: z.enum(sentByRules), window: updateWindow.optional() }),
  /** Switch to another eSIM profile, by priority; the switch waits for the window up to a day, and takes the place of no other that waits. */
  z.strictObject({ kind: z.literal('profile'), window: updateWindow.optional() }),
  /** Send the event `alert.action` to a webhook of the organization. */
  z.strictObject({ kind: z.literal('webhook'), webhook: z.string().min(1).max(60) }),
  /** Have the router run a test, whose result is kept with the others (LIV-04). */
  z.strictObject({ kind: z.literal('test'), test: ruleTest }),
] as const;
export type RuleDoes = z.infer<(typeof ruleDoes)[number]>;
export const ruleDoesKinds: readonly RuleDoes['kind'][] = ruleDoes.map((each) => each.shape.kind.value);

const limit = ({ least, most }: { readonly least: number; readonly most: number }) => z.number().int().min(least).max(most);

export const ruleAction = z.strictObject({
  does: z.discriminatedUnion('kind', ruleDoes),
  /** Only note what it would do. */
  dryRun: z.boolean(),
  cooldownMinutes: limit(actionLimits.cooldownMinutes),
  /** Devices on which it acted within the cool-down, and whose alert is not over. */
  atOnce: limit(actionLimits.atOnce),
  perDay: limit(actionLimits.perDay),
});
export type RuleAction = z.infer<typeof ruleAction>;

const ruleFields = {
  name: typedName(LONGEST_RULE_NAME).min(1),
  enabled: z.boolean(),
  severity: z.enum(severities),
  condition,
  /** The condition must hold for this long. */
  forSeconds: z.number().int().min(0).max(LONGEST_FOR_SECONDS),
  scope: ruleScope,
  /** Alerts fire only within these hours; null = always. */
  hours: hours.nullable(),
  channels,
  /** What the rule does by itself, in the name of the person or key that saved it last; null or left out = nothing. */
  action: ruleAction.nullable().optional(),
};

/** A rule as it is saved. */
export const ruleInput = z.object(ruleFields);
export type RuleInput = z.infer<typeof ruleInput>;

export const rule = z.object({
  id: z.string(),
  ...ruleFields,
  action: ruleAction.nullable(),
  /** E-mail address of the person, or name of the key, in whose name it acts or runs its test; null = it does neither. */
  actsFor: z.string().nullable(),
  /** Addresses that its alerts are sent to when they fire: those it names, the first admin, and people who get its severity; at most 20. */
  informed: z.array(z.string()),
  /** How many there are. */
  informedCount: z.number().int(),
  /** The group, tag, view or geofence that the rule names no longer exists: it finds nothing. */
  missing: z.boolean(),
  /** Open alerts. */
  open: z.number().int(),
  /** Webhooks that it names and that fail, are suspended, off or deleted. */
  failingChannels: z.number().int(),
  version: z.number().int(),
});
export type Rule = z.infer<typeof rule>;

/** Carriers, groups and geofences of a storm that are named, each. */
export const MOST_NAMED_OF_STORM = 8;
/** The empty name stands for unknown, or outside of every geofence. */
const stormCount = z.object({ name: z.string(), count: z.number().int() });

export const alert = z.object({
  id: z.string(),
  state: z.enum(alertStates),
  severity: z.enum(severities),
  rule: z.string(),
  ruleName: z.string(),
  kind: z.enum(alertKinds),
  org: z.string(),
  projectName: z.string(),
  /**
   * Empty for kinds that no rule has to watch: then `rule` is the id of the saved summary, the organization or the rollout, and `vehicle_number` the
   * name of the summary, who saved the backups, or the group.
   */
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  /** Of the device when the alert fired; the name of its group is the present one. */
  carrier: z.string().nullable(),
  group: z.string(),
  groupName: z.string(),
  /** Where the vehicle was when the alert fired, and the geofence it was inside of; null = unknown. */
  place: z.object({ latitude: z.number(), longitude: z.number(), geofence: z.string().nullable() }).nullable(),
  /** The value that met the condition, in the unit of its reading; null for conditions without one. */
  value: z.number().nullable(),
  /** Reading of the value. */
  reading: z.string().nullable(),
  /** Name of the geofence that was crossed, when it fired; null for other kinds. */
  geofence: z.string().nullable(),
  /** Since when the condition held, and when the alert fired: epoch seconds. */
  since: z.number(),
  fired: z.number(),
  acknowledged: z.number().nullable(),
  /** E-mail address. */
  acknowledgedBy: z.string(),
  note: z.string(),
  resolved: z.number().nullable(),
  resolution: z.enum(resolutions).nullable(),
  /**
   * It fired together with others of its rule: how many of them are in this state of the list (ALR-06), the state of these, how many are not
   * over, how many are neither over nor acknowledged, and how many there are of each carrier, group and geofence, the most first (SAY-06).
   */
  storm: z
    .object({
      id: z.string(),
      count: z.number().int(),
      /** `firing` while one of them is; `resolved` once all are. */
      state: z.enum(alertStates),
      open: z.number().int(),
      firing: z.number().int(),
      carriers: z.array(stormCount),
      groups: z.array(stormCount),
      places: z.array(stormCount),
    })
    .nullable(),
});
export type Alert = z.infer<typeof alert>;

const path = '/data_manager/v1/alerts';
const oneRule = z.object({ result: rule });
const ruleParams = z.object({ rule: z.string() });

export const listRules = operation({
  id: 'alerts.rules',
  method: 'GET',
  path: `${path}/rules`,
  summary: 'The alert rules of an organization, by name (ALR-01).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(rule) }),
});

export const addRule = operation({
  id: 'alerts.addRule',
  method: 'POST',
  path: `${path}/rules`,
  summary: 'Add an alert rule (ALR-01).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend(ruleFields),
  response: oneRule,
});

export const saveRule = operation({
  id: 'alerts.saveRule',
  method: 'PUT',
  path: `${path}/rules/{rule}`,
  summary:
    'Save an alert rule as a whole. A changed condition or scope resolves its open alerts. Accepts If-Match with the `version` it is based on.',
  scope: 'organization',
  roles: managers,
  params: ruleParams,
  body: tenantBody.extend(ruleFields),
  response: oneRule,
});

export const deleteRule = operation({
  id: 'alerts.deleteRule',
  method: 'DELETE',
  path: `${path}/rules/{rule}`,
  summary: 'Delete an alert rule and resolve its open alerts.',
  scope: 'organization',
  roles: managers,
  params: ruleParams,
  query: tenantQuery,
  response: deletion,
});

/** Days of stored history that a rule is replayed over. */
export const REPLAY_DAYS = 7;
/** Moments that the response of a replay names. */
export const MOST_MOMENTS = 100;
/** Kinds whose history is stored: connections, readings, positions, crossings of geofences. Of the others only the present state is known. */
export const replayableKinds = ['offline', 'reading', 'position-silent', 'geofence'] as const satisfies readonly ConditionKind[];
export const isReplayable = (kind: ConditionKind): boolean => replayableKinds.some((known) => known === kind);

export const replay = operation({
  id: 'alerts.replay',
  method: 'POST',
  path: `${path}/rules/replay`,
  summary:
    'How often a rule would have fired in the last 7 days, from stored connections, readings, positions and geofence crossings, before it is saved (ALR-02). Other conditions have no history and answer `replayed: false`.',
  scope: 'organization',
  roles: everyRole,
  queue: 'replays',
  body: tenantBody.extend({
    condition: ruleFields.condition,
    forSeconds: ruleFields.forSeconds,
    scope: ruleFields.scope,
    hours: ruleFields.hours,
  }),
  response: z.object({
    result: z.object({
      replayed: z.boolean(),
      count: z.number().int(),
      devices: z.number().int(),
      /** There were more: only so many are counted. */
      isCut: z.boolean(),
      /** The newest of them. */
      moments: z.array(
        z.object({
          device: z.string(),
          serial_number: z.string(),
          vehicle_number: z.string(),
          /** When it would have fired, and cleared; epoch seconds. */
          fired: z.number(),
          cleared: z.number().nullable(),
          value: z.number().nullable(),
        }),
      ),
    }),
  }),
});
export type Replay = z.infer<(typeof replay)['response']>['result'];

export const alertStateFilters = ['open', ...alertStates, 'all'] as const;

export const alertQuery = tenantQuery.extend({
  ...pageQuery.shape,
  /** By severity: the most severe, and among them the newest, at one end. */
  sort: z.enum(['fired', '-fired', 'severity', '-severity']).optional(),
  field: z.enum(['serial', 'vehicle', 'rule']).optional(),
  /** `open`: firing or acknowledged. `all`, or left out: every state. */
  state: z.enum(alertStateFilters).optional(),
  severity: z.enum(severities).optional(),
  kind: z.enum(alertKinds as [AlertKind, ...AlertKind[]]).optional(),
  rule: z.string().max(60).optional(),
  device: z.string().max(60).optional(),
  /** Key of a group: alerts of devices that were in it when they fired. */
  group: groupKey.optional(),
  /** Alerts that fired together are one line: the newest of them. */
  grouped: z.enum(['true']).optional(),
  /** Only the alerts of this storm. */
  storm: z.string().max(60).optional(),
});
export type AlertQuery = z.infer<typeof alertQuery>;

export const listAlerts = operation({
  id: 'alerts.list',
  method: 'GET',
  path,
  summary: 'Alerts, the newest first (ALR-03).',
  scope: 'tenant',
  roles: everyRole,
  query: alertQuery,
  response: pageOf(alert),
});

/** Columns that the file can have, by their ids on the list, which says `resolution` and `note` with the state, and `value` with the rule. */
export const alertColumns = [
  'number',
  'severity',
  'state',
  'resolution',
  'rule',
  'value',
  'organization',
  'serial',
  'vehicle',
  'carrier',
  'group',
  'place',
  'since',
  'fired',
  'duration',
  'acknowledged',
  'acknowledgedBy',
  'note',
  'resolved',
] as const;

export const exportAlerts = operation({
  id: 'alerts.export',
  method: 'GET',
  path: `${path}/export`,
  summary: 'The same list as CSV or Excel workbook (Alerts_export), filtered alike.',
  scope: 'tenant',
  roles: everyRole,
  query: alertQuery.extend({
    only: onlyRows,
    zone: z.string().max(60).optional(),
    language,
    format: fileFormat,
    columns: columnsOf(alertColumns),
  }),
  response: z.string(),
  sends: 'file',
});

export const countAlerts = operation({
  id: 'alerts.count',
  method: 'GET',
  path: `${path}/count`,
  summary: 'How many alerts are firing and not acknowledged, by severity.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({
    result: z.object({ firing: z.number().int(), critical: z.number().int(), acknowledged: z.number().int() }),
  }),
});

export const acknowledge = operation({
  id: 'alerts.acknowledge',
  method: 'POST',
  path: `${path}/acknowledge`,
  summary:
    'Acknowledge alerts with a note; the id of a storm stands for all of its alerts. With a foreign id the call is a 404; alerts that are not firing stay as they are (ALR-03).',
  scope: 'tenant',
  roles: everyRole,
  body: tenantBody.extend({
    /** Ids of alerts or of storms. */
    alerts: z.array(z.string().max(60)).min(1).max(MOST_ACKNOWLEDGED),
    note: paragraph(500).optional(),
  }),
  response: z.object({ result: z.object({ acknowledged: z.number().int() }) }),
});

export const actionStates = ['waiting', 'started', 'dry-run', 'skipped'] as const;
/** Why a rule did not act on a device, or why it waits. */
export const actionReasons = [
  /** The alert was over, or a person had acknowledged it. */
  'resolved',
  'acknowledged',
  'cool-down',
  /** It acted on this device three times within a day. */
  'repeats',
  /** The same, or another switch of the eSIM profile, waits for its window or is under way. */
  'already-waiting',
  'at-once',
  'day-limit',
  'offline',
  /** Who saved the rule may not do this any more. */
  'not_allowed',
  'no_command',
  'no_profile',
  'no_webhook',
  'webhook_off',
  'too_many_jobs',
  /** The router has too many commands that have not ended. */
  'too_many_open',
  'rule-changed',
] as const;
export type ActionReason = (typeof actionReasons)[number];

/** What a rule did by itself with the device of an alert, would have done, or did not do. */
export const alertAction = z.object({
  id: z.string(),
  /** When the alert fired, and when it was decided; epoch seconds. */
  at: z.number(),
  decided: z.number().nullable(),
  rule: z.string(),
  ruleName: z.string(),
  alert: z.string(),
  /** Empty for `report-failed`: then `rule` is the id of the saved summary, and `vehicle_number` its name. */
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  does: z.enum(ruleDoesKinds as [RuleDoes['kind'], ...RuleDoes['kind'][]]),
  state: z.enum(actionStates),
  reason: z.enum(actionReasons).nullable(),
});
export type AlertAction = z.infer<typeof alertAction>;

const actionQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: z.enum(['at', '-at']).optional(),
  field: z.enum(['vehicle', 'serial', 'rule']).optional(),
  state: z.enum(actionStates).optional(),
  rule: z.string().max(60).optional(),
  device: z.string().max(60).optional(),
});

export const listActions = operation({
  id: 'alerts.actions',
  method: 'GET',
  path: `${path}/actions`,
  summary:
    'What the alert rules of an organization did by themselves, would have done, or did not do and why; the newest first (WIN-03).',
  scope: 'organization',
  roles: everyRole,
  query: actionQuery,
  response: pageOf(alertAction),
});

export const exportActions = operation({
  id: 'alerts.exportActions',
  method: 'GET',
  path: `${path}/actions/export`,
  summary: 'The same list as CSV or Excel workbook (Alert_actions_export), filtered alike.',
  scope: 'organization',
  roles: everyRole,
  query: actionQuery.extend({ zone: z.string().max(60).optional(), language, format: fileFormat }),
  response: z.string(),
  sends: 'file',
});

export const topics = ['alerts'] as const;

export const schemaNames = {
  Alert: alert,
  AlertAction: alertAction,
  AlertChannels: channels,
  AlertCondition: condition,
  AlertHours: hours,
  AlertRule: rule,
  AlertRuleAction: ruleAction,
  AlertRuleBody: addRule.body,
  AlertScope: ruleScope,
  AlertStormCount: stormCount,
};
