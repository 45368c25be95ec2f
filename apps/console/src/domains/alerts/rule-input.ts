import type { alerts } from '@highline/contract';
import { windowNamed } from '../../entities/commands/WindowSelect.tsx';
import { celsiusOf } from '../../ui/units.ts';
import { units } from './alert.ts';
import type { RuleInput } from './alerts.api.ts';
import { type RuleDraft, weekdays } from './empty-draft.ts';
import { MINUTE, numberOf, hasNoTime, addressesOf } from './rule-draft.ts';
import { testOf } from './test-draft.ts';

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
  const celsius = (text: string) =>
    draft.stored.find((one) => one.text === text)?.celsius ?? celsiusOf(draft.temperatures, numberOf(text), 2);
  const metric = units[reading] === '°C' ? celsius : numberOf;
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
  if (kind === 'webhook') return { kind, webhook: calledWebhook };
  const window = name === 'other' ? otherWindow : windowNamed(name, zone);
  const within = window === undefined ? {} : { window };
  if (kind === 'command') return { kind, command, ...within };
  return kind === 'profile' ? { kind, ...within } : { kind, send, ...within };
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
