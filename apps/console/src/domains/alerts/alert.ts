import type { alerts } from '@highline/contract';
import type { TFunction } from 'i18next';
import { formatNumber } from '../../ui/time/format.ts';
import { measuredIn, type TemperatureUnit } from '../../ui/units.ts';
import type { Tone } from '../../ui/StatusDot.tsx';
import type { Alert } from './alerts.api.ts';

export const stateTones: Readonly<Record<alerts.AlertState, Tone>> = { firing: 'bad', acknowledged: 'warn', resolved: 'ok' };

/** Units of the readings that a rule can compare. */
export const units: Readonly<Record<alerts.ComparedReading, string>> = {
  rssi: 'dBm',
  rsrp: 'dBm',
  rsrq: 'dB',
  sinr: 'dB',
  temperature: '°C',
  voltage: 'V',
  battery: '%',
  bytes_sent: 'B',
  bytes_received: 'B',
};

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const DAYS = 24 * HOURS;

/** '5 min', '2 h', '3 d'. */
export function spanText(seconds: number, t: TFunction): string {
  if (seconds >= DAYS && seconds % DAYS === 0) return t('alerts.span.days', { count: seconds / DAYS });
  if (seconds >= HOURS && seconds % HOURS === 0) return t('alerts.span.hours', { count: seconds / HOURS });
  if (seconds % MINUTES === 0) return t('alerts.span.minutes', { count: seconds / MINUTES });
  return t('alerts.span.seconds', { count: seconds });
}

/** '45 s', '12 min', '3 h 5 min', '2 d 4 h': how long something lasts. */
export function durationText(seconds: number, t: TFunction): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTES) return t('alerts.span.seconds', { count: whole });
  if (whole < HOURS) return t('alerts.span.minutes', { count: Math.floor(whole / MINUTES) });
  const [unit, part] = whole < DAYS ? [HOURS, MINUTES] : [DAYS, HOURS];
  const rest = Math.floor((whole % unit) / part) * part;
  const first = spanText(Math.floor(whole / unit) * unit, t);
  return rest === 0 ? first : `${first} ${spanText(rest, t)}`;
}

/** 'US Cellular 5, Verizon 2': how many of a storm; of one name alone only the name. @param unnamed what an empty name stands for */
export function countsText(
  counts: readonly { readonly name: string; readonly count: number }[] | undefined,
  t: TFunction,
  unnamed = t('alerts.unknown'),
): string | undefined {
  if (counts === undefined) return undefined;
  const named = counts.map(({ name, count }) => ({ name: name === '' ? unnamed : name, count }));
  if (named.length === 1) return named[0]!.name;
  return named.map(({ name, count }) => `${name} ${formatNumber(count)}`).join(t('ui.between'));
}

/** A value with the unit of its reading. */
export function valueText(stored: number, reading: string | null, temperatures: TemperatureUnit): string {
  const { value, unit } = measuredIn(temperatures, stored, units[reading as alerts.ComparedReading] ?? '');
  const shown = formatNumber(Math.round(value * 100) / 100);
  return unit === '' ? shown : `${shown} ${unit}`;
}

/** Names of geofences by id. */
export type GeofenceNames = ReadonlyMap<string, string>;

/** What a rule looks for: 'RSRP below −110 dBm for 1 min'. @param fences undefined = not loaded */
export function conditionText(
  condition: alerts.Condition,
  forSeconds: number,
  fences: GeofenceNames | undefined,
  temperatures: TemperatureUnit,
  t: TFunction,
): string {
  const span = spanText(forSeconds, t);
  switch (condition.kind) {
    case 'reading': {
      const { reading, operator, threshold } = condition;
      const what = t(`alerts.is.${operator}`, {
        reading: t(`alerts.reading.${reading}`),
        value: valueText(threshold, reading, temperatures),
      });
      return forSeconds === 0 ? what : t('alerts.is.for', { what, span });
    }
    case 'offline':
    case 'position-silent':
      return t(`alerts.is.${condition.kind}`, { span });
    case 'data-use':
      return t('alerts.is.data-use', { value: formatNumber(condition.megabytes) });
    case 'rollout-failed':
      return lasting(
        condition.orPaused === true ? t('alerts.is.rollout-failed-or-paused') : t('alerts.is.rollout-failed'),
        forSeconds,
        t,
      );
    case 'subscription-ends':
      return t('alerts.is.subscription-ends', { count: condition.days });
    case 'test': {
      const { test, everyMinutes, slowerThan } = condition;
      const what = { tool: t(`alerts.test.tools.${test.tool}`), host: test.host, every: spanText(everyMinutes * MINUTES, t) };
      return lasting(
        slowerThan === null ? t('alerts.is.test', what) : t('alerts.is.testSlow', { ...what, limit: formatNumber(slowerThan) }),
        forSeconds,
        t,
      );
    }
    case 'connection-lost':
      return t('alerts.is.connection-lost', { count: condition.losses, minutes: condition.minutes });
    default: {
      return lasting(whatOf(condition, fences, t), forSeconds, t);
    }
  }
}

const lasting = (what: string, forSeconds: number, t: TFunction): string =>
  forSeconds === 0 ? what : t('alerts.is.for', { what, span: spanText(forSeconds, t) });

type Others = Exclude<
  alerts.Condition,
  {
    readonly kind:
      | 'reading'
      | 'offline'
      | 'position-silent'
      | 'data-use'
      | 'subscription-ends'
      | 'connection-lost'
      | 'test'
      | 'rollout-failed';
  }
>;

function whatOf(condition: Others, fences: GeofenceNames | undefined, t: TFunction): string {
  if (condition.kind === 'geofence') return crossingText(condition, fences, t);
  if (condition.kind !== 'diagnosis') return t(`alerts.is.${condition.kind}`);
  return condition.diagnosis === null ? t('alerts.is.diagnosis') : t(`devices.diagnosis.${condition.diagnosis}`);
}

function crossingText(
  { event, geofence }: Extract<alerts.Condition, { kind: 'geofence' }>,
  fences: GeofenceNames | undefined,
  t: TFunction,
): string {
  if (geofence === null) return t(`alerts.is.geofence.${event}Any`);
  const name = fences?.get(geofence) ?? (fences === undefined ? '' : t('alerts.rules.missing'));
  return t(`alerts.is.geofence.${event}`, { name });
}

/** What an alert says of its device: the geofence, the value, or nothing more than its kind. */
export function alertValue(
  { value, reading, kind, geofence }: Pick<Alert, 'value' | 'reading' | 'kind' | 'geofence'>,
  temperatures: TemperatureUnit,
  t: TFunction,
): string {
  if (geofence !== null) return geofence;
  if (value === null) return '';
  if (kind === 'connection-lost') return t('alerts.losses', { count: value });
  if (kind === 'test') return t('alerts.milliseconds', { value: formatNumber(Math.round(value)) });
  if (kind === 'data-use') return t('alerts.megabytes', { value: formatNumber(Math.round(value)) });
  if (kind !== 'subscription-ends') return valueText(value, reading, temperatures);
  return value < 0 ? t('alerts.daysSince', { count: -value }) : t('alerts.daysLeft', { count: value });
}
