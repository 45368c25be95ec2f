import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { ActionIcon } from '../controls/Button.tsx';
import { useLanguage } from '../language.ts';
import { monthOf, moveDay, weeksOf } from './days.ts';
import './calendar.css';

export interface CalendarProps {
  /** ISO day, or ''. */
  readonly chosen: string;
  /** The first and the last day that can be picked, ISO; '' = any. */
  readonly from: string;
  readonly to: string;
  readonly onPick: (iso: string) => void;
}

/** A Sunday, for the names of the weekdays. */
const SUNDAY = Date.UTC(2026, 1, 1);
const DAY = 86_400_000;

/** The days of a month to pick one from, by pointer or by arrow keys, PageUp and PageDown, Home and End. */
export function Calendar({ chosen, from, to, onPick }: CalendarProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const [active, setActive] = useState(() => chosen || within(new Date().toISOString().slice(0, 10), from, to));
  const grid = useRef<HTMLTableElement>(null);
  const write = (iso: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(iso));
  const isOff = (iso: string) => (from !== '' && iso < from) || (to !== '' && iso > to);

  /** A day that a key led to has the focus; after a month was turned, its button keeps it. */
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
  }, [active]);

  const move = (key: string, isFollowed: boolean): boolean => {
    const next = moveDay(active, key);
    if (next === undefined) return false;
    follows.current = isFollowed;
    setActive(within(next, from, to));
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (move(event.key, true)) event.preventDefault();
  };
  const weekdays = Array.from({ length: 7 }, (_, index) => new Date(SUNDAY + index * DAY).toISOString());

  return (
    <div className="calendar">
      <div className="calendar__head">
        <ActionIcon aria-label={t('ui.date.previousMonth')} onClick={() => move('PageUp', false)}>
          <IconChevronLeft size={16} aria-hidden="true" />
        </ActionIcon>
        <span aria-live="polite">{write(active, { month: 'long', year: 'numeric' })}</span>
        <ActionIcon aria-label={t('ui.date.nextMonth')} onClick={() => move('PageDown', false)}>
          <IconChevronRight size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid is a table that is operated by arrow keys */}
      <table ref={grid} role="grid" onKeyDown={onKeyDown} aria-label={write(active, { month: 'long', year: 'numeric' })}>
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" abbr={write(day, { weekday: 'long' })}>
                {write(day, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(monthOf(active)).map((week, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the weeks of a month have no other name
            <tr key={index}>
              {week.map((iso, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a place without a day has no other name
                <td key={iso ?? at} aria-selected={iso === undefined ? undefined : iso === chosen}>
                  {iso !== undefined && (
                    <button
                      type="button"
                      className="calendar__day"
                      tabIndex={iso === active ? 0 : -1}
                      disabled={isOff(iso)}
                      data-day={iso}
                      data-chosen={iso === chosen || undefined}
                      aria-label={write(iso, { dateStyle: 'full' })}
                      onClick={() => onPick(iso)}
                    >
                      {Number(iso.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function within(iso: string, from: string, to: string): string {
  if (from !== '' && iso < from) return from;
  return to !== '' && iso > to ? to : iso;
}
