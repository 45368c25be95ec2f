import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { composes, useSearchInput } from './composition.ts';
import './popup.css';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

export interface OptionListProps {
  readonly label: string;
  readonly options: readonly Option[];
  /** The chosen value, marked with a tick. Absent: nothing carries a tick. */
  readonly selected?: string | undefined;
  readonly onPick: (value: string) => void;
  /** With a field that narrows the options. */
  readonly searchable?: boolean;
  readonly placeholder?: string;
  /** The caller searches; without it options are narrowed here by their label. */
  readonly onSearch?: (text: string) => void;
  readonly empty?: string;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
};

function matching(options: readonly Option[], text: string): readonly Option[] {
  const term = text.trim().toLowerCase();
  return term === '' ? options : options.filter(({ label }) => label.toLowerCase().includes(term));
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

/** Options to pick one from, by pointer or keyboard; long lists get a field to narrow them. */
export function OptionList(props: OptionListProps): ReactNode {
  const { label, options, selected, onPick, searchable = false, onSearch } = props;
  const { t } = useTranslation();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const chosen = options.findIndex(({ value }) => value === selected);
  const [active, setActive] = useState(Math.max(0, chosen));
  const { searched, input } = useSearchInput((text) => {
    setActive(0);
    onSearch?.(text);
  });
  const shown = searchable && onSearch === undefined ? matching(options, searched) : options;
  const at = Math.min(active, Math.max(0, shown.length - 1));
  const optionId = (index: number) => `${id}-${index}`;
  const activeId = shown.length > 0 ? optionId(at) : undefined;

  useEffect(() => {
    root.current?.querySelector<HTMLElement>('input, [role="listbox"]')?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    // A key that composes a character of Chinese picks no option.
    if (composes(event.nativeEvent)) return;
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(step(at, shown.length - 1));
    } else if (event.key === 'Enter' || (event.key === ' ' && !searchable)) {
      event.preventDefault();
      const option = shown[at];
      if (option !== undefined) onPick(option.value);
    }
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys are those of the field or list inside
    <div ref={root} className="options" onKeyDown={onKeyDown}>
      {searchable && (
        <input
          className="options__search"
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          placeholder={props.placeholder ?? t('ui.filter.find')}
          spellCheck={false}
          autoComplete="off"
          {...input}
        />
      )}
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className="options__list"
        tabIndex={searchable ? -1 : 0}
        aria-activedescendant={searchable ? undefined : activeId}
      >
        {shown.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys live at the list
          <div
            key={option.value}
            id={optionId(index)}
            role="option"
            aria-selected={option.value === selected}
            className="options__option"
            ref={index === at ? scrollIntoView : undefined}
            data-active={index === at || undefined}
            onPointerMove={() => setActive(index)}
            onClick={() => onPick(option.value)}
          >
            {option.icon}
            {option.label}
            {option.hint !== undefined && <span className="options__hint">{option.hint}</span>}
            {option.value === selected && <IconCheck size={16} className="menu__check" />}
          </div>
        ))}
      </div>
      {shown.length === 0 && <div className="options__none">{props.empty ?? t('ui.table.noMatch')}</div>}
    </div>
  );
}
