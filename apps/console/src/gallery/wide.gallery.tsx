import type { ReactNode } from 'react';
import { FilterBar } from '../ui/filter/FilterBar.tsx';
import type { Column } from '../ui/table/column.ts';
import { ColumnChooser } from '../ui/table/ColumnChooser.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { useFilters } from './filters.gallery.tsx';
import { ignore, useSay } from './parts.tsx';
import { selectionOf, useRows, type Vehicle } from './rows.ts';
import { useColumns } from './tables.gallery.tsx';

const ID = 'gallery-wide';

function useWideColumns(): readonly Column<Vehicle>[] {
  const say = useSay();
  const columns = useColumns().filter(({ optional }) => optional !== true);
  return [
    ...columns,
    { id: 'model', header: say('Model', '型號'), width: 130, cell: () => 'HL-R520 5G' },
    { id: 'firmware', header: say('Firmware', '韌體'), width: 110, numeric: true, cell: () => '2.9.0' },
    {
      id: 'note',
      header: say('Notes', '備註'),
      width: 220,
      grow: true,
      cell: (row) =>
        say(`Spare of ${row.name} for the evening service, washed on Mondays`, `${row.name} 的備用車，晚班使用，每週一清洗`),
    },
  ];
}

/**
 * A list as wide as the window, with its filters: the sections above end at 1,208 px, which hides what a table does with the space of a
 * large screen.
 */
export function Wide(): ReactNode {
  const say = useSay();
  const rows = useRows();
  const columns = useWideColumns();
  const [status, depot] = useFilters();
  const more = ['Group', 'Tag', 'Health'].map((label) => ({ ...status, name: label, label }));
  return (
    <section id="list-wide" className="gallery__section gallery__full" aria-labelledby="list-wide-title">
      <h2 id="list-wide-title">A list as wide as the window</h2>
      <div className="gallery__state card" data-wide>
        <DataTable
          id={ID}
          caption="wide"
          columns={columns}
          rowId={(row) => row.id}
          source={{ rows, total: 1234, fetching: false, error: undefined, retry: ignore }}
          view={{ page: 2, size: 5, sort: 'name' }}
          defaultSize={5}
          onView={ignore}
          onOpen={ignore}
          selection={selectionOf(rows.slice(0, 1), false)}
          tools={
            <FilterBar
              search={{ fields: [{ value: 'name', label: say('Name', '名稱') }], field: 'name', value: 'Bus', onSearch: ignore }}
              filters={[{ ...status, value: 'online' }, depot, ...more]}
              onFilter={ignore}
              onClear={ignore}
            >
              <ColumnChooser id={ID} columns={columns} />
            </FilterBar>
          }
        />
      </div>
    </section>
  );
}
