import { reports } from '@highline/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '#i18n';
import { DateField } from '../../ui/form/DateField.tsx';
import { dayIn } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { HistoryNote } from './HistoryNote.tsx';
import { type Days, daysOfPreset } from './range.ts';

export interface DaysFieldsProps {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  readonly error?: string | undefined;
}

const choices = [...reports.dayPresets, 'custom'] as const;

/** Which days: one of the presets, or a range of whole days. */
export function DaysFields({ days, onChange, error }: DaysFieldsProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const zone = useZone();
  const now = useNow();
  const today = dayIn(now, zone);
  const chosen = days.day ?? 'today';
  const choose = (day: (typeof choices)[number]) => {
    if (day === 'today') onChange({});
    else if (day !== 'custom') onChange({ day });
    // The range begins as the days that were chosen before it.
    else if (chosen !== 'custom') onChange({ day, ...daysOfPreset(chosen, zone, now) });
  };
  const set = (part: Partial<Days>) => onChange({ ...days, ...part });
  return (
    <div
      className="days"
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <span id={`${id}-label`} className="field-label">
        {t('reports.field.days')}
      </span>
      <div className="days__presets">
        {choices.map((day) => (
          <button key={day} type="button" className="days__preset" aria-pressed={day === chosen} onClick={() => choose(day)}>
            {t(`reports.day.${day}`)}
          </button>
        ))}
      </div>
      {chosen === 'custom' && (
        <div className="days__range">
          <DateField label={t('reports.field.from')} value={days.from ?? ''} to={today} onChange={(from) => set({ from })} />
          <DateField label={t('reports.field.until')} value={days.until ?? ''} to={today} onChange={(until) => set({ until })} />
        </div>
      )}
      <HistoryNote />
      {error !== undefined && (
        <p id={`${id}-error`} className="bad days__error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
