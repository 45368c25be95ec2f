import type { ReactNode } from 'react';
import { FilterBar } from '../ui/filter/FilterBar.tsx';
import { useLetterCase } from '../ui/filter/useLetterCase.ts';
import type { Filter } from '../ui/filter/filter.ts';
import type { FilterOf, ListSpec } from '../ui/list/spec.ts';
import type { Column } from '../ui/table/column.ts';
import { ColumnChooser } from '../ui/table/ColumnChooser.tsx';
import type { List } from './useList.ts';

export interface ListToolsProps<Spec extends ListSpec, Row, Response> {
  /** Where the shown columns are stored; absent: under the id of the list. */
  readonly id?: string | undefined;
  readonly list: List<Spec, Row, Response>;
  readonly columns: readonly Column<Row>[];
  readonly fieldLabel: (field: Spec['fields'][number]) => string;
  readonly filters?: readonly Filter[] | undefined;
  /** Absent: a filter is the part of the address that has its name. */
  readonly onFilter?: ((name: string, value: string | undefined) => void) | undefined;
}

/** The tools above a list: search in one of its fields (the first by default), filters, and visible columns. */
export function ListTools<Spec extends ListSpec, Row, Response>(props: ListToolsProps<Spec, Row, Response>): ReactNode {
  const { list, columns, fieldLabel, filters = [] } = props;
  const { spec } = list;
  const { clear } = list.state;
  const search = list.state.search as { readonly field?: string; readonly search?: string; readonly ignoreCase?: 'true' };
  const letterCase = useLetterCase(search.ignoreCase);
  const change = list.state.change as (part: Readonly<Record<string, string | undefined>>, replace?: boolean) => void;
  return (
    <FilterBar
      search={{
        fields: spec.fields.map((field) => ({ value: field, label: fieldLabel(field), isListed: field !== spec.unlisted })),
        field: search.field ?? spec.fields[0] ?? '',
        value: search.search,
        onSearch: (field, text) => change({ field, search: text }, true),
      }}
      filters={[...filters, letterCase]}
      onFilter={props.onFilter ?? ((name, value) => change({ [name]: value }))}
      onClear={clear}
    >
      <ColumnChooser id={props.id ?? spec.id} columns={columns} />
    </FilterBar>
  );
}

/** Chips above a list without search and selects, as long as its address narrows it. */
export function ListChips<Spec extends ListSpec>({
  list,
  filters,
}: {
  readonly list: Pick<List<Spec, never, unknown>, 'state'>;
  readonly filters: readonly Filter[];
}): ReactNode {
  const change = list.state.change as (part: Readonly<Record<string, string | undefined>>) => void;
  if (filters.every(({ value }) => value === undefined)) return null;
  return (
    <FilterBar
      filters={filters}
      onFilter={(name) => change({ [name]: undefined })}
      onClear={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
    />
  );
}

/** A filter by one of the values that the list's spec has for it. @param all the label of no filter */
export function filterOf<Spec extends ListSpec, Name extends keyof Spec['filters'] & string>(
  { spec, state }: Pick<List<Spec, never, unknown>, 'spec' | 'state'>,
  name: Name,
  texts: { readonly label: string; readonly all: string; readonly of: (value: FilterOf<Spec['filters'][Name]>) => string },
): Filter {
  const values = spec.filters[name] as readonly FilterOf<Spec['filters'][Name]>[];
  const options = [{ value: '', label: texts.all }, ...values.map((value) => ({ value, label: texts.of(value) }))];
  return { name, label: texts.label, options, value: (state.search as Readonly<Record<string, string | undefined>>)[name] };
}
