import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useTemperatureUnit } from '../../ui/units.ts';
import { conditionText, type GeofenceNames } from './alert.ts';
import type { Rule } from './alerts.api.ts';
import { severityTones } from './severity.ts';

interface RuleRowProps {
  readonly rule: Rule;
  readonly scopeText: (scope: Rule['scope']) => string;
  readonly fences: GeofenceNames | undefined;
  readonly onOpen: ((rule: Rule) => void) | undefined;
  readonly t: TFunction;
}

export function RuleRow({ rule, scopeText, fences, onOpen, t }: RuleRowProps): ReactNode {
  const temperatures = useTemperatureUnit();
  const { id, name, enabled, severity, condition, forSeconds, scope, missing, open } = rule;
  return (
    <tr>
      <td>
        {onOpen === undefined ? (
          <span className="strong">{name}</span>
        ) : (
          <button type="button" className="link" onClick={() => onOpen(rule)}>
            {name}
          </button>
        )}
      </td>
      <td>
        <StatusDot tone={severityTones[severity]}>{t(`alerts.severity.${severity}`)}</StatusDot>
      </td>
      <td>{conditionText(condition, forSeconds, fences, temperatures, t)}</td>
      <td>
        {scopeText(scope)}
        {missing && !(condition.kind === 'geofence' && scope.kind === 'all') && (
          <span className="bad"> {t('alerts.rules.missing')}</span>
        )}
      </td>
      <td>
        <Informed rule={rule} />
      </td>
      <td>
        {enabled ? t('alerts.rules.on') : <span className="dim">{t('alerts.rules.off')}</span>}
        {rule.failingChannels > 0 && <span className="bad"> {t('alerts.rules.failing', { count: rule.failingChannels })}</span>}
      </td>
      <td className="numeric">
        {open === 0 ? (
          <span className="dim">{formatNumber(0)}</span>
        ) : (
          <Link to="/alerts" search={{ rule: id, state: 'open' }}>
            {formatNumber(open)}
          </Link>
        )}
      </td>
    </tr>
  );
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
        <span title={informed.join('\n')}>{parts.join(t('alerts.comma'))}</span>
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
