import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionIcon } from '../controls/Button.tsx';
import { TextInput } from '../controls/TextInput.tsx';
import { Popup } from '../Popup.tsx';
import { dayFromIso, dayPatterns, formatDay, isoFromDay, readTypedDay } from '../time/format.ts';
import { useLanguage } from '../language.ts';
import { Calendar } from './Calendar.tsx';
import './form.css';

export interface DateFieldProps {
  readonly label: string;
  /** MM/DD/YYYY, or ''. */
  readonly value: string;
  /** @param problem why what was typed is no day that can be chosen; `day` is '' then */
  readonly onChange: (day: string, problem?: string) => void;
  readonly description?: string;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** The earliest day that can be picked, MM/DD/YYYY. */
  readonly from?: string;
  readonly to?: string;
  readonly name?: string;
}

/**
 * A day, typed or picked, in the order of the language (NAV-07, SAY-11). Without a time it is never shifted by a zone, so it stays text. What
 * is no day is no value; it stays in the field, which says so when it is left, and makes its form invalid.
 */
export function DateField(props: DateFieldProps): ReactNode {
  const { t } = useTranslation();
  const pattern = dayPatterns[useLanguage()];
  const id = useId();
  const { label, value, onChange, description, error, required = false, disabled = false, name } = props;
  /** What was typed, while the field has the focus, and after that until it is a day. */
  const [typed, setTyped] = useState<{ readonly text: string; readonly isLeft: boolean }>();
  const [from, to] = [isoFromDay(props.from ?? ''), isoFromDay(props.to ?? '')];
  const problemOf = (text: string) => {
    if (text.trim() === '') return undefined;
    const iso = isoFromDay(readTypedDay(text));
    if (iso === '') return t('ui.form.format', { field: label });
    if (to !== '' && iso > to) return t('ui.date.tooLate', { day: formatDay(to) });
    return iso < from ? t('ui.date.tooEarly', { day: formatDay(from) }) : undefined;
  };
  const problem = typed === undefined ? undefined : problemOf(typed.text);
  // Its limits have moved, so it is no longer wrong, or nothing is to be typed: the field shows its value again.
  if (typed !== undefined && (disabled || (typed.isLeft && problem === undefined))) setTyped(undefined);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    setBefore(value);
    // Another day was set than the one that was typed.
    if (typed !== undefined && value !== '' && value !== readTypedDay(typed.text)) setTyped(undefined);
  }
  return (
    <TextInput
      id={id}
      label={label}
      value={typed?.text ?? formatDay(value)}
      ref={(input) => input?.setCustomValidity(problem ?? '')}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped({ text, isLeft: false });
        const wrong = problemOf(text);
        onChange(wrong === undefined ? readTypedDay(text) : '', wrong);
      }}
      onBlur={() => setTyped(problem === undefined || typed === undefined ? undefined : { ...typed, isLeft: true })}
      onInvalid={() => typed !== undefined && setTyped({ ...typed, isLeft: true })}
      placeholder={pattern}
      autoComplete="off"
      description={description}
      error={problem === undefined ? error : typed?.isLeft === true && problem}
      disabled={disabled}
      withAsterisk={required}
      aria-required={required}
      {...(name !== undefined && { name })}
      rightSection={
        <Popup
          align="end"
          label={t('ui.date.choose')}
          trigger={(trigger) => (
            <ActionIcon disabled={disabled} aria-label={t('ui.date.choose')} aria-describedby={`${id}-label`} {...trigger}>
              <IconCalendar size={16} aria-hidden="true" />
            </ActionIcon>
          )}
        >
          {(close) => (
            <Calendar
              chosen={isoFromDay(value)}
              from={from}
              to={to}
              onPick={(iso) => {
                setTyped(undefined);
                onChange(dayFromIso(iso));
                close();
              }}
            />
          )}
        </Popup>
      }
    />
  );
}
