import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { StatusDot } from '../../ui/StatusDot.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { openAlertsQuery } from './alerts.api.ts';
import './open-alerts.css';
import { severityTones } from './severity.ts';

/** The open alerts of a device, on its page (ALR-03); nothing while there is none. */
export function OpenAlerts({ device }: { device: string }): ReactNode {
  const { t } = useTranslation();
  const open = useQuery(openAlertsQuery(device)).data ?? [];
  if (open.length === 0) return null;
  return (
    <section className="card panel open-alerts" aria-label={t('timeline.openAlerts')}>
      <ul>
        {open.map(({ id, severity, ruleName, geofence, fired, state, acknowledgedBy }) => (
          <li key={id}>
            <StatusDot tone={severityTones[severity]}>{geofence === null ? ruleName : `${ruleName}: ${geofence}`}</StatusDot>
            <span className="dim">
              <RelativeTime moment={fired} />
              {state === 'acknowledged' && ` · ${t('timeline.acknowledgedBy', { who: acknowledgedBy })}`}
            </span>
          </li>
        ))}
      </ul>
      <Link to="/alerts" search={{ device }}>
        {t('timeline.toAlerts')}
      </Link>
    </section>
  );
}
