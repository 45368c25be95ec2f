import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import type { TemperatureUnit } from '../../ui/units.ts';
import { conditionText, type GeofenceNames } from './alert.ts';
import type { Rule } from './alerts.api.ts';
import { severityTones } from './severity.ts';

export interface RuleTexts {
  readonly scopeText: (scope: Rule['scope']) => string;
  readonly fences: GeofenceNames | undefined;
  readonly temperatures: TemperatureUnit;
}

/** The columns of the alert rules. @param onOpen left out: a rule is only read */
export function ruleColumns(
  t: TFunction,
  { scopeText, fences, temperatures }: RuleTexts,
  onOpen: ((rule: Rule) => void) | undefined,
): readonly Column<Rule>[] {
  return [
    {
      id: 'name',
      header: t('alerts.rules.column.name'),
      phone: 'title',
      cell: (rule) =>
        onOpen === undefined ? (
          <span className="strong">{rule.name}</span>
        ) : (
          <button type="button" className="link" onClick={() => onOpen(rule)}>
            {rule.name}
          </button>
        ),
    },
    {
      id: 'severity',
      header: t('alerts.rules.column.severity'),
      phone: 'state',
      cell: ({ severity }) => <StatusDot tone={severityTones[severity]}>{t(`alerts.severity.${severity}`)}</StatusDot>,
    },
    {
      id: 'condition',
      header: t('alerts.rules.column.condition'),
      phone: 'line',
      cell: ({ condition, forSeconds }) => conditionText(condition, forSeconds, fences, temperatures, t),
    },
    {
      id: 'devices',
      header: t('alerts.rules.column.devices'),
      phone: 'line',
      cell: ({ scope, missing, condition }) => (
        <>
          {scopeText(scope)}
          {missing && !(condition.kind === 'geofence' && scope.kind === 'all') && (
            <span className="bad"> {t('alerts.rules.missing')}</span>
          )}
        </>
      ),
    },
    {
      id: 'informed',
      header: t('alerts.rules.column.informed'),
      phone: 'line',
      cell: (rule) => <Informed rule={rule} />,
    },
    {
      id: 'active',
      header: t('alerts.rules.column.active'),
      phone: 'line',
      cell: ({ enabled, failingChannels }) => (
        <>
          {enabled ? t('alerts.rules.on') : <span className="dim">{t('alerts.rules.off')}</span>}
          {failingChannels > 0 && <span className="bad"> {t('alerts.rules.failing', { count: failingChannels })}</span>}
        </>
      ),
    },
    {
      id: 'open',
      header: t('alerts.rules.column.open'),
      numeric: true,
      phone: 'line',
      cell: ({ id, open }) =>
        open === 0 ? (
          <span className="dim">{formatNumber(0)}</span>
        ) : (
          <Link to="/alerts" search={{ rule: id, state: 'open' }}>
            {formatNumber(open)}
          </Link>
        ),
    },
  ];
}

/** Whom the alerts of a rule are sent to: the first address and how many more; a rule that is on and informs no one says so. */
function Informed({ rule: { informed, informedCount, channels, enabled, action } }: { rule: Rule }): ReactNode {
  const { t } = useTranslation();
  const webhooks = channels.webhooks?.length ?? 0;
  const parts = [
    ...(informed[0] === undefined ? [] : [informed[0]]),
    ...(informedCount > 1 ? [t('alerts.people.more', { count: informedCount - 1 })] : []),
    ...(webhooks > 0 ? [t('alerts.rules.webhooks', { count: webhooks })] : []),
    ...(channels.firstAdmin === true && informedCount === 0 ? [t('alerts.rules.noAdmin')] : []),
  ];
  return (
    <>
      {parts.length === 0 ? (
        <span className={enabled ? 'bad' : 'dim'}>{t('alerts.rules.noOne')}</span>
      ) : (
        <span title={informed.join('\n')}>{parts.join(t('ui.between'))}</span>
      )}
      {action !== null && (
        <div className="dim">
          {t(action.dryRun ? 'alerts.rules.triesOut' : 'alerts.rules.acts', {
            what: t(`alerts.actions.does.${action.does.kind}`),
          })}
        </div>
      )}
    </>
  );
}
