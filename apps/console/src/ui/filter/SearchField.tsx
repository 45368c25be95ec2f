import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent as Key, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { composes, handleSearch } from '../composition.ts';

export interface SearchFieldProps {
  /** One that is not listed is shown while it is searched, and cannot be chosen. */
  readonly fields: readonly { readonly value: string; readonly label: string; readonly isListed?: boolean }[];
  readonly field: string;
  readonly value: string | undefined;
  /** Called when typing pauses, on Enter, and when another field is chosen. */
  readonly onSearch: (field: string, text: string) => void;
}

const PAUSE = 300;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog, [popover]') !== null;
}

/** `/` leads here from anywhere on the page (UX: keyboard). */
export function useSlash(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog:modal') !== null) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [focus]);
}

/** The typed text, and the ways to change it. */
export interface SearchText {
  readonly text: string;
  /** Show what is typed, and search for it when typing pauses. */
  readonly type: (next: string) => void;
  /** Show it, and do not search yet. */
  readonly show: (next: string) => void;
  /** Search for the typed text without waiting for a pause. */
  readonly now: () => void;
  readonly pick: (field: string) => void;
  /** Clear the input; the caller clears the address. */
  readonly reset: () => void;
}

/** Follows the address unless the user is typing. */
function useTyped(value: string, send: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = (next: string) => {
    clearTimeout(timer.current);
    sent.current = next;
    send(next);
  };
  const show = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
  };
  const type = (next: string) => {
    show(next);
    timer.current = setTimeout(() => now(next), PAUSE);
  };
  const reset = () => {
    clearTimeout(timer.current);
    sent.current = '';
    setText('');
  };
  return { text, show, type, now: () => now(text), reset };
}

/** The text of a search field while a user types. */
export function useSearchText({ field, value = '', onSearch }: Omit<SearchFieldProps, 'fields'>): SearchText {
  /** The field chosen last: the address may not be updated yet when the text is sent. */
  const chosen = useRef(field);
  useEffect(() => {
    chosen.current = field;
  }, [field]);
  const typed = useTyped(value, (text) => onSearch(chosen.current, text));
  const pick = (next: string) => {
    chosen.current = next;
    onSearch(next, typed.text);
  };
  return { ...typed, pick };
}

/** ↓ leads to the first row of the table below (P18). */
function focusFirstRow(event: Key<HTMLElement>): void {
  const row = event.currentTarget.closest('.table-card')?.querySelector<HTMLElement>('tbody tr[data-row]');
  if (row === null || row === undefined) return;
  event.preventDefault();
  row.focus();
}

/** The chosen field and the text to look for in it: a case-sensitive substring (SHR-05). */
export function SearchField({
  fields,
  field,
  typed,
  input,
}: Pick<SearchFieldProps, 'fields' | 'field'> & {
  readonly typed: SearchText;
  readonly input: RefObject<HTMLInputElement | null>;
}): ReactNode {
  const { t } = useTranslation();
  const focus = useCallback(() => input.current?.focus(), [input]);
  useSlash(focus);
  return (
    <search className="search">
      <IconSearch size={16} aria-hidden="true" />
      <select
        className="search__field"
        aria-label={t('ui.filter.field')}
        value={field}
        title={fields.find(({ value }) => value === field)?.label}
        onChange={(event) => typed.pick(event.currentTarget.value)}
      >
        {fields.map((one) => (
          <option key={one.value} value={one.value} hidden={one.isListed === false}>
            {one.label}
          </option>
        ))}
      </select>
      <input
        ref={input}
        className="search__text"
        type="search"
        aria-label={t('ui.filter.search')}
        placeholder={t('ui.filter.contains')}
        title={t('ui.filter.caseSensitive')}
        value={typed.text}
        autoComplete="off"
        spellCheck={false}
        {...handleSearch(typed.show, typed.type)}
        onKeyDown={(event) => {
          if (composes(event.nativeEvent)) return;
          if (event.key === 'Enter') typed.now();
          if (event.key === 'ArrowDown') focusFirstRow(event);
        }}
      />
      <kbd className="kbd mark" data-mark="/" />
    </search>
  );
}
