import type { alerts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { weekdays } from './empty-draft.ts';

interface HoursChoiceProps {
  readonly value: alerts.Hours;
  readonly onChange: (hours: alerts.Hours) => void;
}

/** Days of the week, and from when until when. */
export function HoursChoice({ value, onChange }: HoursChoiceProps): ReactNode {
  const { t } = useTranslation();
  const { days, from, until, zone } = value;
  return (
    <fieldset className="rule-part">
      <legend>{t('alerts.form.hours', { zone })}</legend>
      <div className="rule-days">
        {weekdays.map((day, number) => (
          <Check
            key={day}
            label={t(`alerts.weekday.${day}`)}
            checked={days.includes(number)}
            onChange={(checked) =>
              onChange({
                ...value,
                days: checked ? [...days, number].toSorted((a, b) => a - b) : days.filter((each) => each !== number),
              })
            }
          />
        ))}
      </div>
      <div className="form__pair">
        <TextInput
          type="time"
          label={t('alerts.form.from')}
          value={from}
          onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('alerts.form.until')}
          description={t('alerts.form.untilHint')}
          value={until}
          onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
        />
      </div>
    </fieldset>
  );
}
