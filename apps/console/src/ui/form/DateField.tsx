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
  readonly onChange: (day: string) => void;
  readonly description?: string;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** The earliest day that can be picked, MM/DD/YYYY. */
  readonly from?: string;
  readonly to?: string;
  readonly name?: string;
}

/** A day, typed or picked, in the order of the language (NAV-07, SAY-11). Without a time it is never shifted by a zone, so it stays text. */
export function DateField(props: DateFieldProps): ReactNode {
  const { t } = useTranslation();
  const pattern = dayPatterns[useLanguage()];
  const id = useId();
  const { label, value, onChange, description, error, required = false, disabled = false, name } = props;
  /** While the field has the focus: what was typed so far. */
  const [typed, setTyped] = useState<string>();
  const [from, to] = [isoFromDay(props.from ?? ''), isoFromDay(props.to ?? '')];
  const isWithin = (iso: string) => (from === '' || iso >= from) && (to === '' || iso <= to);
  return (
    <TextInput
      id={id}
      label={label}
      value={typed ?? formatDay(value)}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        const day = readTypedDay(text);
        // An invalid day clears the previous one, instead of keeping it invisibly.
        onChange(day !== '' && isWithin(isoFromDay(day)) ? day : '');
      }}
      onBlur={() => setTyped(undefined)}
      placeholder={pattern}
      autoComplete="off"
      description={description}
      error={error}
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
