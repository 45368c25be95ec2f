import { nameOfWindow, type WindowName, windowNamed } from '../../entities/commands/WindowSelect.tsx';
import type { alerts, DiagnosisKind, rollouts } from '@highline/contract';
import type { Rule, RuleInput } from './alerts.api.ts';
import { testDraftOf, testOf, type TestDraft, usualTest } from './test-draft.ts';
import { celsiusOf, measuredIn, type TemperatureUnit } from '../../ui/units.ts';
import { units } from './alert.ts';

/** The fields of the form of a rule, as typed. */
export interface RuleDraft {
  readonly name: string;
  readonly severity: alerts.Severity;
  readonly kind: alerts.ConditionKind;
  readonly reading: alerts.ComparedReading;
  readonly operator: 'above' | 'below';
  /** The unit of temperatures in `threshold` and `clear`. */
  readonly temperatures: TemperatureUnit;
  readonly threshold: string;
  readonly clear: string;
  readonly megabytes: string;
  readonly days: string;
  /** Connections lost, within so many minutes. */
  readonly losses: string;
  readonly lossMinutes: string;
  /** Empty = anything that is found. */
  readonly diagnosis: '' | DiagnosisKind;
  readonly geofenceEvent: 'entered' | 'left';
  /** Its id; empty = any. */
  readonly geofence: string;
  /** What the routers test, and how often; empty = any time is fast enough. */
  readonly test: TestDraft;
  readonly everyMinutes: string;
  readonly slowerThan: string;
  /** What a router tests when an alert fires. */
  readonly testWhenFired: TestDraft;
  readonly minutes: string;
  readonly scopeKind: alerts.RuleScope['kind'];
  readonly group: string;
  readonly tag: string;
  readonly view: string;
  readonly isLimited: boolean;
  readonly weekdays: readonly Weekday[];
  readonly from: string;
  readonly until: string;
  readonly zone: string;
  readonly enabled: boolean;
  /** E-mail addresses, one per line. */
  readonly mails: string;
  readonly escalates: boolean;
  readonly afterMinutes: string;
  readonly escalationMails: string;
  /** Ids of webhooks. */
  readonly webhooks: readonly string[];
  readonly escalationWebhooks: readonly string[];
  readonly firstAdmin: boolean;
  /** A mail also when alerts are over. */
  readonly ends: boolean;
  readonly orPaused: boolean;
  /** The rule does something by itself. */
  readonly acts: boolean;
  readonly does: alerts.RuleDoes['kind'];
  readonly send: (typeof alerts.sentByRules)[number];
  readonly window: WindowName;
  /** As it is stored, if it has no name. */
  readonly otherWindow: rollouts.UpdateWindow | undefined;
  /** Ids of what it runs or calls. */
  readonly command: string;
  readonly calledWebhook: string;
  readonly dryRun: boolean;
  readonly cooldownMinutes: string;
  readonly atOnce: string;
  readonly perDay: string;
  readonly isQuiet: boolean;
  readonly quietFrom: string;
  readonly quietUntil: string;
}

const MINUTE = 60;
/** Sunday to Saturday. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof weekdays)[number];
const workdays = weekdays.slice(1, 6);

/** What the form of a new rule begins with. */
export function emptyDraft(zone: string, temperatures: TemperatureUnit): RuleDraft {
  return {
    name: '',
    severity: 'warning',
    kind: 'offline',
    reading: 'rsrp',
    operator: 'below',
    temperatures,
    threshold: '-110',
    clear: '',
    megabytes: '5000',
    days: '30',
    losses: '5',
    lossMinutes: '30',
    diagnosis: '',
    geofenceEvent: 'left',
    geofence: '',
    test: usualTest,
    everyMinutes: '60',
    slowerThan: '',
    testWhenFired: usualTest,
    minutes: '15',
    scopeKind: 'all',
    group: '',
    tag: '',
    view: '',
    isLimited: false,
    weekdays: workdays,
    from: '08:00',
    until: '18:00',
    zone,
    enabled: true,
    mails: '',
    escalates: false,
    afterMinutes: '30',
    escalationMails: '',
    webhooks: [],
    escalationWebhooks: [],
    firstAdmin: false,
    ends: true,
    orPaused: false,
    acts: false,
    does: 'command',
    send: 'reboot',
    window: 'any',
    otherWindow: undefined,
    command: '',
    calledWebhook: '',
    dryRun: true,
    cooldownMinutes: '60',
    atOnce: '5',
    perDay: '20',
    isQuiet: false,
    quietFrom: '22:00',
    quietUntil: '06:00',
  };
}

export function draftOf(rule: Rule, zone: string, temperatures: TemperatureUnit): RuleDraft {
  const { condition, scope, hours, channels, action } = rule;
  const { escalation, quiet } = channels;
  return {
    ...emptyDraft(hours?.zone ?? quiet?.zone ?? channels.zone ?? zone, temperatures),
    name: rule.name,
    severity: rule.severity,
    enabled: rule.enabled,
    kind: condition.kind,
    ...(condition.kind === 'reading' && {
      reading: condition.reading,
      operator: condition.operator,
      threshold: typed(condition.threshold, condition.reading, temperatures),
      clear: condition.clear === undefined ? '' : typed(condition.clear, condition.reading, temperatures),
    }),
    ...(condition.kind === 'data-use' && { megabytes: String(condition.megabytes) }),
    ...(condition.kind === 'subscription-ends' && { days: String(condition.days) }),
    ...(condition.kind === 'connection-lost' && {
      losses: String(condition.losses),
      lossMinutes: String(condition.minutes),
    }),
    ...(condition.kind === 'diagnosis' && { diagnosis: condition.diagnosis ?? '' }),
    ...(condition.kind === 'geofence' && { geofenceEvent: condition.event, geofence: condition.geofence ?? '' }),
    ...(condition.kind === 'test' && {
      test: testDraftOf(condition.test),
      everyMinutes: String(condition.everyMinutes),
      slowerThan: condition.slowerThan === null ? '' : String(condition.slowerThan),
    }),
    minutes: String(rule.forSeconds / MINUTE),
    scopeKind: scope.kind,
    ...(scope.kind === 'group' && { group: scope.group }),
    ...(scope.kind === 'tag' && { tag: scope.tag }),
    ...(scope.kind === 'view' && { view: scope.view }),
    ...(hours !== null && {
      isLimited: true,
      weekdays: hours.days.map((day) => weekdays[day]!),
      from: hours.from,
      until: hours.until,
    }),
    mails: channels.mails.join('\n'),
    webhooks: channels.webhooks ?? [],
    ...(escalation !== null && {
      escalates: true,
      afterMinutes: String(escalation.afterMinutes),
      escalationMails: escalation.mails.join('\n'),
      escalationWebhooks: escalation.webhooks ?? [],
    }),
    firstAdmin: channels.firstAdmin === true,
    ends: channels.ends === true,
    orPaused: condition.kind === 'rollout-failed' && condition.orPaused === true,
    ...(action !== null && {
      acts: true,
      does: action.does.kind,
      ...(action.does.kind === 'command' && { command: action.does.command }),
      ...(action.does.kind === 'send' && {
        send: action.does.send,
        window: nameOfWindow(action.does.window),
        otherWindow: action.does.window,
      }),
      ...(action.does.kind === 'test' && { testWhenFired: testDraftOf(action.does.test) }),
      ...(action.does.kind === 'webhook' && { calledWebhook: action.does.webhook }),
      dryRun: action.dryRun,
      cooldownMinutes: String(action.cooldownMinutes),
      atOnce: String(action.atOnce),
      perDay: String(action.perDay),
    }),
    ...(quiet !== null && { isQuiet: true, quietFrom: quiet.from, quietUntil: quiet.until }),
  };
}

/** The zone in which the organization's rules have their hours: the one that most of them name. @param own when none names one */
export function zoneOfRules(rules: readonly Rule[], own: string): string {
  const zones = rules.flatMap(({ hours, channels }) => hours?.zone ?? channels.quiet?.zone ?? []);
  const [most] = [...Map.groupBy(zones, (zone) => zone)].toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? own;
}

/** A typed number, also with a minus sign of typography; NaN if it is none. */
export function numberOf(text: string): number {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return plain === '' ? Number.NaN : Number(plain);
}

/** Kinds whose time is part of what they mean, so it is required. */
export const needsTime = (kind: alerts.ConditionKind): boolean => kind === 'offline' || kind === 'position-silent';

/** Kinds that have no time. */
export const hasNoTime = (kind: alerts.ConditionKind): boolean =>
  kind === 'esim-switched' || kind === 'data-use' || kind === 'subscription-ends' || kind === 'connection-lost';

/** A value of a rule as a person types it. */
const typed = (value: number, reading: alerts.ComparedReading, temperatures: TemperatureUnit): string =>
  String(measuredIn(temperatures, value, units[reading]).value);

function conditionOf(draft: RuleDraft): alerts.Condition {
  const { kind, reading, operator, threshold, clear, megabytes, days, geofenceEvent: event, geofence } = draft;
  if (kind === 'geofence') return { kind, event, geofence: geofence === '' ? null : geofence };
  if (kind === 'rollout-failed') return { kind, ...(draft.orPaused && { orPaused: true }) };
  if (kind === 'data-use') return { kind, megabytes: numberOf(megabytes) };
  if (kind === 'subscription-ends') return { kind, days: numberOf(days) };
  if (kind === 'connection-lost') return { kind, losses: numberOf(draft.losses), minutes: numberOf(draft.lossMinutes) };
  if (kind === 'diagnosis') return { kind, diagnosis: draft.diagnosis === '' ? null : draft.diagnosis };
  if (kind === 'test') {
    const isTimed = draft.test.tool !== 'traceroute' && draft.slowerThan.trim() !== '';
    const slowerThan = isTimed ? numberOf(draft.slowerThan) : null;
    return { kind, test: testOf(draft.test), everyMinutes: numberOf(draft.everyMinutes), slowerThan };
  }
  if (kind !== 'reading') return { kind };
  const metric = (text: string) => (units[reading] === '°C' ? celsiusOf(draft.temperatures, numberOf(text)) : numberOf(text));
  return { kind, reading, operator, threshold: metric(threshold), ...(clear.trim() !== '' && { clear: metric(clear) }) };
}

function scopeOf({ scopeKind: kind, group, tag, view }: RuleDraft): alerts.RuleScope {
  switch (kind) {
    case 'all':
      return { kind };
    case 'group':
      return { kind, group };
    case 'tag':
      return { kind, tag };
    case 'view':
      return { kind, view };
  }
}

/** Addresses, one per line or separated by commas or blanks. */
export const addressesOf = (text: string): string[] => [...new Set(text.split(/[\s,;]/u).filter((each) => each !== ''))];

/** Whom the rule informs; quiet hours are those of every day. */
function channelsOf(draft: RuleDraft): RuleInput['channels'] {
  const { mails, escalates, afterMinutes, escalationMails, isQuiet, quietFrom, quietUntil, zone, webhooks } = draft;
  return {
    mails: addressesOf(mails),
    ...(draft.firstAdmin && { firstAdmin: true }),
    ...(draft.ends && { ends: true }),
    webhooks: [...webhooks],
    zone,
    escalation: escalates
      ? {
          afterMinutes: numberOf(afterMinutes),
          mails: addressesOf(escalationMails),
          webhooks: [...draft.escalationWebhooks],
        }
      : null,
    quiet: isQuiet ? { days: weekdays.map((_, day) => day), from: quietFrom, until: quietUntil, zone } : null,
  };
}

function doesOf(draft: RuleDraft): alerts.RuleDoes {
  const { does: kind, command, calledWebhook, send, window: name, otherWindow, zone } = draft;
  if (kind === 'test') return { kind, test: testOf(draft.testWhenFired) };
  if (kind === 'command') return { kind, command };
  if (kind === 'webhook') return { kind, webhook: calledWebhook };
  if (kind === 'profile') return { kind };
  const window = name === 'other' ? otherWindow : windowNamed(name, zone);
  return { kind, send, ...(window === undefined ? {} : { window }) };
}

/** What the rule does by itself. */
function actionOf(draft: RuleDraft): RuleInput['action'] {
  const { acts, dryRun, cooldownMinutes, atOnce, perDay } = draft;
  if (!acts) return null;
  return {
    does: doesOf(draft),
    dryRun,
    cooldownMinutes: numberOf(cooldownMinutes),
    atOnce: numberOf(atOnce),
    perDay: numberOf(perDay),
  };
}

/** Whether the rule itself names someone to inform. */
export const namesNoOne = ({ mails, webhooks, firstAdmin }: RuleDraft): boolean =>
  addressesOf(mails).length === 0 && webhooks.length === 0 && !firstAdmin;

/** The rule of a form. */
export function inputOf(draft: RuleDraft): RuleInput {
  const { name, severity, enabled, kind, minutes, isLimited, weekdays: chosen, from, until, zone } = draft;
  return {
    name: name.trim(),
    severity,
    enabled,
    condition: conditionOf(draft),
    forSeconds: hasNoTime(kind) ? 0 : Math.round(numberOf(minutes) * MINUTE),
    scope: scopeOf(draft),
    hours: isLimited ? { days: chosen.map((day) => weekdays.indexOf(day)), from, until, zone } : null,
    channels: channelsOf(draft),
    action: actionOf(draft),
  };
}
