import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionIcon } from '../controls/Button.tsx';
import { TextInput } from '../controls/TextInput.tsx';
import { Popup } from '../Popup.tsx';
import { dayFromIso, isoFromDay } from '../time/format.ts';
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

/** The typed day as ISO text, with or without leading zeros; '' if it does not exist: 02/30 must not become 03/02. */
function parseTyped(text: string): string {
  return isoFromDay(text.replaceAll(/\b\d\b/gu, '0$&'));
}

/** A day as MM/DD/YYYY (NAV-07), typed or picked. A date without time is never shifted by a zone, so it stays text. */
export function DateField(props: DateFieldProps): ReactNode {
  const { t } = useTranslation();
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
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        const iso = parseTyped(text);
        // An invalid day clears the previous one, instead of keeping it invisibly.
        onChange(iso !== '' && isWithin(iso) ? dayFromIso(iso) : '');
      }}
      onBlur={() => setTyped(undefined)}
      placeholder="MM/DD/YYYY"
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
