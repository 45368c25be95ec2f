import type { alerts } from '@highline/contract';
import { nameOfWindow } from '../../entities/commands/WindowSelect.tsx';
import { numberOf as typedNumber } from '../../ui/number.ts';
import { measuredIn, type TemperatureUnit } from '../../ui/units.ts';
import { units } from './alert.ts';
import type { Rule } from './alerts.api.ts';
import { emptyDraft, type RuleDraft, weekdays } from './empty-draft.ts';
import { testDraftOf } from './test-draft.ts';
import { partsOf } from '../../ui/form/separated.ts';

export const MINUTE = 60;

export function draftOf(rule: Rule, zone: string, temperatures: TemperatureUnit): RuleDraft {
  const { condition, scope, hours, channels, action } = rule;
  const { escalation, quiet } = channels;
  return {
    ...emptyDraft(hours?.zone ?? quiet?.zone ?? channels.zone ?? zone, temperatures),
    name: rule.name,
    severity: rule.severity,
    enabled: rule.enabled,
    kind: condition.kind,
    ...(condition.kind === 'reading' && readingDraft(condition, temperatures)),
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
      }),
      ...('window' in action.does && {
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

/** A typed number; NaN if it is none. */
export const numberOf = (text: string): number => typedNumber(text) ?? Number.NaN;

/** Kinds whose time is part of what they mean, so it is required. */
export const needsTime = (kind: alerts.ConditionKind): boolean => kind === 'offline' || kind === 'position-silent';

/** Kinds that have no time. */
export const hasNoTime = (kind: alerts.ConditionKind): boolean =>
  kind === 'esim-switched' || kind === 'data-use' || kind === 'subscription-ends' || kind === 'connection-lost';

/** The values of a rule as a person types them. */
function readingDraft(condition: Extract<alerts.Condition, { kind: 'reading' }>, temperatures: TemperatureUnit) {
  const { reading, operator, threshold, clear } = condition;
  const typed = (value: number) => String(measuredIn(temperatures, value, units[reading]).value);
  const values = clear === undefined ? [threshold] : [threshold, clear];
  return {
    reading,
    operator,
    threshold: typed(threshold),
    clear: clear === undefined ? '' : typed(clear),
    stored: units[reading] === '°C' ? values.map((celsius) => ({ text: typed(celsius), celsius })) : [],
  };
}

/** Addresses, one per line or separated by commas or blanks. */
export const addressesOf = (text: string): string[] => [...new Set(partsOf(text))];

/** Whether the rule itself names someone to inform. */
export const namesNoOne = ({ mails, webhooks, firstAdmin }: RuleDraft): boolean =>
  addressesOf(mails).length === 0 && webhooks.length === 0 && !firstAdmin;
