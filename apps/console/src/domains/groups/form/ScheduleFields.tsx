import { rollouts } from '@highline/contract';
import { NativeSelect } from '../../../ui/controls/TextInput.tsx';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { Check } from '../../../ui/Check.tsx';
import { DateField } from '../../../ui/form/DateField.tsx';
import { useZone } from '../../../ui/time/zone.ts';
import { halfHours, nextEpoch, slotOf, slotsOf } from '../../../ui/time/slots.ts';

export interface PostponeFieldProps {
  /** The box is ticked: date and slot are enabled. */
  readonly postponed: boolean;
  readonly onPostponed: (postponed: boolean) => void;
  /** Epoch seconds; null = no date yet. */
  readonly value: number | null;
  /** @param problem why the day that was typed is none */
  readonly onChange: (postpone: number | null, problem?: string) => void;
  /** What is wrong with the time. */
  readonly error: string | undefined;
}

/** A checkbox that enables a date and a half-hour slot in the header's zone (GRP-07). */
function PostponeField({ postponed, onPostponed, value, onChange, error }: PostponeFieldProps): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const [gap, setGap] = useState<string>();
  // Chosen before the day is.
  const [early, setEarly] = useState(halfHours[0]!);
  const shown = value === null ? { day: '', slot: early } : slotOf(value, zone);
  const slots = shown.day === '' ? halfHours : slotsOf(shown.day, zone);
  const take = (day: string, slot: string, problem?: string) => {
    setEarly(slot);
    const epoch = day === '' ? undefined : nextEpoch({ day, slot }, zone);
    onChange(epoch ?? null, problem);
    const taken = epoch === undefined ? slot : slotOf(epoch, zone).slot;
    setGap(taken === slot ? undefined : t('groups.form.gap', { slot, taken }));
  };
  return (
    <div className="postpone">
      <Check label={t('groups.form.postpone')} checked={postponed} onChange={onPostponed} />
      <div className="postpone__pair">
        <DateField
          label={t('groups.form.postponeDay')}
          value={shown.day}
          disabled={!postponed}
          error={error}
          onChange={(day, problem) => take(day, shown.slot, problem)}
        />
        <NativeSelect
          label={t('groups.form.postponeSlot')}
          value={shown.slot}
          disabled={!postponed}
          data={[...new Set([...slots, shown.slot])].toSorted()}
          onChange={({ currentTarget: { value: slot } }) => (shown.day === '' ? setEarly(slot) : take(shown.day, slot))}
        />
      </div>
      {gap !== undefined && <p role="status">{gap}</p>}
      <p className="dim">{t('groups.form.postponeHint', { zone })}</p>
    </div>
  );
}

export interface ScheduleFieldsProps extends PostponeFieldProps {
  readonly schedule: rollouts.Schedule;
  /** Firmware and config are both Undefined: immediate, and nothing to choose (GRP-07). */
  readonly locked: boolean;
  /** Why it cannot be chosen. */
  readonly notAllowed: string | undefined;
  readonly onSchedule: (schedule: rollouts.Schedule) => void;
}

/** Immediate or at the next bootup, and how long that waits (GRP-07). */
export function ScheduleFields({ schedule, locked, notAllowed, onSchedule, ...postpone }: ScheduleFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <fieldset className="schedule" disabled={locked || notAllowed !== undefined}>
        <legend className="field-label">{t('groups.form.schedule')}</legend>
        {rollouts.schedules.map((one) => (
          <label key={one}>
            <input type="radio" name="schedule" checked={schedule === one} onChange={() => onSchedule(one)} />
            {t(`groups.schedule.${one}`)}
          </label>
        ))}
        {(locked || notAllowed !== undefined) && <p className="dim">{notAllowed ?? t('groups.form.scheduleNeedsFile')}</p>}
      </fieldset>
      {schedule === 'bootup' && notAllowed === undefined && <PostponeField {...postpone} />}
    </>
  );
}
