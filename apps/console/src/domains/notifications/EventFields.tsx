import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { expiryEvents, happeningKinds, type NotificationEvent, withEvent } from './notification.ts';
import './notifications.css';

interface EventsProps<Event extends NotificationEvent> {
  readonly chosen: readonly Event[];
  readonly onChange: (chosen: readonly Event[]) => void;
}

/** The periods of emails about ending subscriptions: Today, This week, This month (SVC-02). */
export function PeriodFields({ chosen, onChange }: EventsProps<(typeof expiryEvents)[number]>): ReactNode {
  const { t } = useTranslation();
  return (
    <fieldset className="events">
      <legend className="field-label">{t('notifications.periods.label')}</legend>
      <div className="events__row">
        {expiryEvents.map((period) => (
          <Check
            key={period}
            label={t(`notifications.periods.${period}`)}
            checked={chosen.includes(period)}
            onChange={(on) => onChange(withEvent(chosen, period, on))}
          />
        ))}
      </div>
      <p className="dim events__hint">{t('notifications.periods.hint')}</p>
    </fieldset>
  );
}

/** The other events as checkboxes, by topic. */
export function HappeningFields({ chosen, onChange }: EventsProps<NotificationEvent>): ReactNode {
  const { t } = useTranslation();
  return (
    <fieldset className="events">
      <legend className="field-label">{t('notifications.others.label')}</legend>
      <div className="events__kinds">
        {(Object.keys(happeningKinds) as (keyof typeof happeningKinds)[]).map((kind) => (
          <div key={kind} role="group" aria-label={t(`notifications.others.${kind}`)} className="events__kind">
            <span className="dim" aria-hidden="true">
              {t(`notifications.others.${kind}`)}
            </span>
            <Check
              label={t('notifications.others.all', { topic: t(`notifications.others.${kind}`) })}
              checked={happeningKinds[kind].every((event) => chosen.includes(event))}
              onChange={(on) => onChange(happeningKinds[kind].reduce((events, event) => withEvent(events, event, on), chosen))}
            />
            {happeningKinds[kind].map((event) => (
              <Check
                key={event}
                label={t(`notifications.event.${event}`)}
                checked={chosen.includes(event)}
                onChange={(on) => onChange(withEvent(chosen, event, on))}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
