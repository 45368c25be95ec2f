import type { alerts } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { RowLink } from '../../ui/table/props.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useTemperatureUnit } from '../../ui/units.ts';
import { alertValue, durationText, stateTones } from './alert.ts';
import type { Alert } from './alerts.api.ts';

/** Alerts that no rule has to watch, with the page of what they are about. */
const systemPages: Readonly<Record<alerts.SystemKind, (alert: Alert) => RowLink>> = {
  'report-failed': () => ({ to: '/summaries', search: {} }),
  'backups-stopped': () => ({ to: '/backups', search: {} }),
  'rotation-stopped': () => ({ to: '/commands/passwords', search: {} }),
  'tests-stopped': () => ({ to: '/alerts/rules', search: {} }),
  'settings-waiting': ({ group }) => ({ to: '/groups/settings/devices', search: group === '' ? {} : { group } }),
};
const isSystemKind = (kind: alerts.AlertKind): kind is alerts.SystemKind => Object.hasOwn(systemPages, kind);

/** Whether an alert is about no device. */
export const isSystem = ({ kind }: Alert) => isSystemKind(kind);

/** The page of what an alert is about: the device, or of one without a rule what it names. */
export const pageOfAlert = (alert: Alert): RowLink =>
  isSystemKind(alert.kind) ? systemPages[alert.kind](alert) : { to: '/devices/setting', search: { device: alert.device } };

/** The rule; one that has none says what it is about in the language of the reader. */
const ruleText = (alert: Alert, t: TFunction) => (isSystem(alert) ? t(`alerts.kind.${alert.kind}`) : alert.ruleName);

/** A way to what an alert is about. */
function SubjectLink({ alert, children }: { alert: Alert; children: ReactNode }): ReactNode {
  return <Link {...pageOfAlert(alert)}>{children}</Link>;
}

/** The state of an alert, and who acknowledged it or why it ended. */
export function State({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const state = stateOf(alert);
  // The newest alert of a storm can be acknowledged or over before others of it.
  const { acknowledgedBy, resolution, note } = state === alert.state ? alert : nothingKnown;
  const storm = stormOf(alert);
  const more = resolution === null ? (state === 'acknowledged' ? acknowledgedBy : '') : t(`alerts.resolution.${resolution}`);
  return (
    <span className="alert-state">
      <StatusDot tone={stateTones[state]} title={note === '' ? undefined : note}>
        {t(`alerts.state.${state}`)}
      </StatusDot>
      {storm !== null && storm.firing > 0 && storm.firing < storm.open && (
        <span className="dim">{t('alerts.notAcknowledged', { count: storm.firing, shown: formatNumber(storm.firing) })}</span>
      )}
      {more !== '' && <span className="dim">{more}</span>}
      {note !== '' && <span className="alert-state__note">{t('alerts.noted', { note })}</span>}
    </span>
  );
}

const nothingKnown = { acknowledgedBy: '', resolution: null, note: '' };

/** The storm that a line stands for; null = it stands for one alert. */
export const stormOf = ({ storm }: Alert) => (storm !== null && storm.count > 1 ? storm : null);

/** The state of an alert; of a storm that of all of its alerts. */
export const stateOf = (alert: Alert): alerts.AlertState => stormOf(alert)?.state ?? alert.state;

/** How many alerts of a line no one has acknowledged. */
export const countFiring = (alert: Alert): number => stormOf(alert)?.firing ?? Number(alert.state === 'firing');

/** On a phone the rule leads to what the alert is about. */
export function PhoneTitle({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const storm = stormOf(alert);
  if (storm === null) return <SubjectLink alert={alert}>{ruleText(alert, t)}</SubjectLink>;
  return (
    <Link to="/alerts" search={(before) => ({ ...before, page: undefined, storm: storm.id })}>
      {alert.ruleName}
    </Link>
  );
}

/** The vehicle; of alerts that fired together how many there are, with a way to them (ALR-06). */
export function Vehicle({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const storm = stormOf(alert);
  const { vehicle_number: name, serial_number: serial } = alert;
  if (storm === null) return <SubjectLink alert={alert}>{name === '' ? serial : name}</SubjectLink>;
  return (
    <span className="alert-what">
      <Link to="/alerts" search={(before) => ({ ...before, page: undefined, storm: storm.id })}>
        {t('alerts.storm', { count: storm.count, shown: formatNumber(storm.count) })}
      </Link>
      {storm.open < storm.count && <span className="dim">{t('alerts.stillOpen', { count: storm.open })}</span>}
    </span>
  );
}

/** The rule, and what it found. */
export function RuleName({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const temperatures = useTemperatureUnit();
  const value = stormOf(alert) === null ? alertValue(alert, temperatures, t) : '';
  return (
    <span className="alert-what">
      <span>{ruleText(alert, t)}</span>
      {value !== '' && <span className="dim">{value}</span>}
    </span>
  );
}

/** How long the condition has held, or did hold. */
export function Duration({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  const { since } = alert;
  const resolved = stateOf(alert) === alert.state ? alert.resolved : null;
  return (
    <span className={resolved === null ? undefined : 'dim'}>{durationText((resolved ?? now.getTime() / 1_000) - since, t)}</span>
  );
}
