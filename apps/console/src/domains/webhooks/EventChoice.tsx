import { webhooks } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';

type Area = 'device' | 'rollout' | 'esim' | 'subscription' | 'remote' | 'log' | 'alert';
const byArea = [...Map.groupBy(webhooks.webhookEventTypes, (type) => type.split('.', 1)[0] as Area)];

export interface EventChoiceProps {
  readonly chosen: readonly webhooks.SubscribedEvent[];
  readonly onChange: (chosen: webhooks.SubscribedEvent[]) => void;
}

/** The events that a webhook is subscribed to, by kind of thing. Types have the names that programs see. */
export function EventChoice({ chosen, onChange }: EventChoiceProps): ReactNode {
  const { t } = useTranslation();
  const set = (types: readonly webhooks.SubscribedEvent[], isChosen: boolean) => {
    const others = chosen.filter((type) => !types.includes(type));
    onChange(isChosen ? [...others, ...types] : others);
  };
  return (
    <fieldset className="hook-events">
      <legend>{t('webhooks.form.events')}</legend>
      <p className="dim">{t('webhooks.form.eventsHint')}</p>
      <div className="hook-events__list">
        {byArea.map(([area, types]) => (
          <div key={area}>
            <label className="check-line">
              <Check
                bare
                label={t('webhooks.form.all', { area: t(`webhooks.area.${area}`) })}
                checked={types.every((type) => chosen.includes(type))}
                onChange={(checked) => set(types, checked)}
              />
              {t(`webhooks.area.${area}`)}
            </label>
            <div className="hook-events__types">
              {types.map((type) => (
                <label key={type} className="check-line mono">
                  <Check bare label={type} checked={chosen.includes(type)} onChange={(checked) => set([type], checked)} />
                  {type}
                </label>
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
