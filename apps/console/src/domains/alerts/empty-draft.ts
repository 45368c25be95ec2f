import type { alerts, DiagnosisKind, rollouts } from '@highline/contract';
import type { WindowName } from '../../entities/commands/WindowSelect.tsx';
import type { TemperatureUnit } from '../../ui/units.ts';
import { type TestDraft, usualTest } from './test-draft.ts';

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
  /** The stored °C of temperatures as `threshold` and `clear` show them: a text that is still the same keeps its number. */
  readonly stored: readonly { readonly text: string; readonly celsius: number }[];
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
    stored: [],
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
