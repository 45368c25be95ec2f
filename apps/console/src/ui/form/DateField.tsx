import { DateInput } from '@mantine/dates';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { dayFromIso, isoFromDay } from '../time/format.ts';
import 'dayjs/locale/zh-tw';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/dates/styles.css';
import './inputs.css';
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

/** Esc closes the open calendar, and not the dialog around it too: one layer at a time. */
function stopEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Escape' && event.currentTarget.querySelector('.mantine-Popover-dropdown') !== null) event.preventDefault();
}

/** The typed day, with or without leading zeros; null if it does not exist: 02/30 must not become 03/02. */
function parseTyped(text: string): string | null {
  return isoFromDay(text.replaceAll(/\b\d\b/gu, '0$&')) || null;
}

/** A day as MM/DD/YYYY (NAV-07), typed or picked. A date without time is never shifted by a zone, so it stays text. */
export function DateField(props: DateFieldProps): ReactNode {
  const { t, i18n } = useTranslation();
  const { label, value, onChange, description, error, required = false, disabled = false, from, to, name } = props;
  return (
    // The key belongs to the field inside.
    <div onKeyDownCapture={stopEscape}>
      <DateInput
        label={label}
        value={isoFromDay(value) || null}
        onChange={(iso) => onChange(iso === null ? '' : dayFromIso(iso))}
        valueFormat="MM/DD/YYYY"
        dateParser={parseTyped}
        // An invalid day clears the previous one, instead of keeping it invisibly.
        onInput={(event) => parseTyped(event.currentTarget.value) === null && onChange('')}
        placeholder="MM/DD/YYYY"
        locale={i18n.language === 'zh-TW' ? 'zh-tw' : 'en'}
        description={description}
        error={error}
        disabled={disabled}
        withAsterisk={required}
        required={false}
        aria-required={required}
        {...(name === undefined ? {} : { name })}
        {...(from === undefined ? {} : { minDate: isoFromDay(from) })}
        {...(to === undefined ? {} : { maxDate: isoFromDay(to) })}
        // Labels of the calendar for screen readers, and weekends in the colour of other days for contrast.
        ariaLabels={{
          previousMonth: t('ui.date.previousMonth'),
          nextMonth: t('ui.date.nextMonth'),
        }}
        hideOutsideDates
        weekendDays={[]}
        firstDayOfWeek={0}
        // Rendered in place, so that it is in the dialog's layer; fixed, so that the dialog does not clip it.
        popoverProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      />
    </div>
  );
}
