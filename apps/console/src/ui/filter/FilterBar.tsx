import { IconFilter, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import type { Filter } from './filter.ts';
import { FilterSelect } from './FilterSelect.tsx';
import { SearchField, type SearchFieldProps, useSearchText } from './SearchField.tsx';
import './filter.css';

export interface FilterBarProps {
  readonly search?: SearchFieldProps;
  readonly filters: readonly Filter[];
  readonly onFilter: (name: string, value: string | undefined) => void;
  /** Takes every filter and the search away. */
  readonly onClear: () => void;
  /** Replaces the search field, for example with a button that opens a search panel. */
  readonly lead?: ReactNode;
  /** Placed at the right end: the column chooser. */
  readonly children?: ReactNode;
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className="chip">
      {label}
      <button type="button" className="chip__remove" aria-label={t('ui.filter.remove', { filter: label })} onClick={onRemove}>
        <IconX size={14} />
      </button>
    </span>
  );
}

/** The label of a filter's value. */
function chosenOf(filter: Filter): string {
  return filter.options.find(({ value }) => value === filter.value)?.label ?? filter.shown ?? filter.value ?? '';
}

/** With more filters the row has no place for names that an icon says too. */
const FEW = 5;
const noSearch: SearchFieldProps = { fields: [], field: '', value: undefined, onSearch: () => undefined };

/**
 * Search and filters above a list in one row, active filters as removable chips in a second one, and Clear, which is always visible and
 * disabled while nothing is typed or selected (ORG-01, and the same on every list).
 */
export function FilterBar({ search, filters, onFilter, onClear, lead, children }: FilterBarProps): ReactNode {
  const { t } = useTranslation();
  const on = filters.filter(({ value }) => value !== undefined);
  const selects = filters.filter(({ options, onFind }) => options.length > 0 || onFind !== undefined);
  // On a narrow screen, where the filters would fill half of it.
  const [isOpen, setOpen] = useState(false);
  const typed = useSearchText(search ?? noSearch);
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    typed.reset();
    onClear();
    // The button is about to be disabled and would drop the focus.
    input.current?.focus();
  };
  return (
    <div className="filters" data-many={selects.length > FEW || undefined}>
      {search?.value !== undefined && (
        <span className="print-only">
          {t('ui.filter.chip', {
            filter: search.fields.find(({ value }) => value === search.field)?.label ?? t('ui.filter.search'),
            value: `“${search.value}”`,
          })}
        </span>
      )}
      {search !== undefined && <SearchField fields={search.fields} field={search.field} typed={typed} input={input} />}
      {lead}
      {selects.length > 0 && (
        <button type="button" className="filters__open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconFilter size={16} />
          {t('ui.filter.filters')}
        </button>
      )}
      <div className="filters__selects" data-open={isOpen || undefined}>
        {selects.map((filter) => (
          <FilterSelect
            key={filter.name}
            filter={filter}
            onPick={(value) => onFilter(filter.name, value === '' ? undefined : value)}
          />
        ))}
      </div>
      <button type="button" className="link" disabled={on.length === 0 && typed.text === ''} onClick={clear}>
        {t('ui.filter.clear')}
      </button>
      <span className="spacer" />
      {children}
      {on.length > 0 && (
        <div className="filters__chips">
          {on.map((filter) => (
            <Chip
              key={filter.name}
              label={t('ui.filter.chip', { filter: filter.label, value: chosenOf(filter) })}
              onRemove={() => onFilter(filter.name, undefined)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
