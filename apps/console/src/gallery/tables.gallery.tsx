import type { ReactNode } from 'react';
import { ActionButton } from '../ui/ActionButton.tsx';
import { SelectionBar } from '../ui/list/SelectionBar.tsx';
import { storeForList } from '../ui/preferences.ts';
import { StatusDot } from '../ui/StatusDot.tsx';
import type { Column } from '../ui/table/column.ts';
import { DataTable } from '../ui/table/DataTable.tsx';
import { ShortTable } from '../ui/table/ShortTable.tsx';
import type { DataTableProps } from '../ui/table/props.ts';
import type { TableSource } from '../ui/table/source.ts';
import { NOT_REPORTED } from '../ui/time/format.ts';
import { RelativeTime } from '../ui/time/RelativeTime.tsx';
import { ignore, Section, State, useSay } from './parts.tsx';
import { selectionOf, useRows, type Vehicle } from './rows.ts';

const COMPACT = 'gallery-compact';
storeForList(COMPACT, { density: 'compact' });

/** The columns of the example tables. */
export function useColumns(): readonly Column<Vehicle>[] {
  const say = useSay();
  return [
    {
      id: 'name',
      header: say('Name', '名稱'),
      sort: 'name',
      pinned: true,
      width: 200,
      phone: 'title',
      phoneCell: (row) => row.name,
      cell: (row) => <a href="#table">{row.name}</a>,
    },
    {
      id: 'status',
      header: say('Status', '狀態'),
      sort: 'status',
      phone: 'state',
      cell: (row) => <StatusDot tone={row.tone}>{row.status}</StatusDot>,
    },
    { id: 'group', header: say('Group', '群組'), width: 180, phone: 'line', cell: (row) => row.group },
    {
      id: 'signal',
      header: 'RSSI',
      sort: 'signal',
      numeric: true,
      phone: 'aside',
      cell: (row) => row.signal ?? NOT_REPORTED,
    },
    { id: 'seen', header: say('Last seen', '最後連線'), phone: 'line', cell: (row) => <RelativeTime moment={row.lastSeen} /> },
    { id: 'serial', header: say('Serial number', '序號'), optional: true, cell: (row) => row.id },
  ];
}

/** A table with rows; a state changes what it needs. */
function useTable(): DataTableProps<Vehicle> & { source: TableSource<Vehicle> } {
  const rows = useRows();
  return {
    id: 'gallery',
    caption: 'rows',
    columns: useColumns(),
    rowId: (row) => row.id,
    source: { rows, total: rows.length, fetching: false, error: undefined, retry: ignore },
    view: { page: 1, size: 10, sort: 'name' },
    defaultSize: 10,
    onView: ignore,
    onOpen: ignore,
  };
}

/** Tables with rows, then without. */
export function Tables(): ReactNode {
  return (
    <>
      <Rows />
      <Picking />
      <NoRows />
      <Short />
    </>
  );
}

function Rows(): ReactNode {
  const table = useTable();
  return (
    <Section id="table" title="Tables">
      <State name="rows, one just changed" wide>
        <DataTable {...table} highlighted={new Set(['HL5200411'])} />
      </State>
      <State name="compact, sorted downwards, page 3 of many" wide>
        <DataTable
          {...table}
          id={COMPACT}
          caption="compact"
          source={{ ...table.source, total: 1234 }}
          view={{ page: 3, size: 5, sort: '-signal' }}
        />
      </State>
    </Section>
  );
}

function Picking(): ReactNode {
  const say = useSay();
  const table = useTable();
  const reason = say('This device is being updated.', '此裝置正在更新。');
  return (
    <Section id="table-picking" title="Tables: rows picked, and out of date">
      <State name="delete mode, two picked, one cannot be" wide>
        <DataTable {...table} caption="picking" selection={selectionOf(table.source.rows?.slice(1, 3) ?? [], true, reason)} />
      </State>
      <State name="what is selected, and what can be done with it" wide>
        <SelectionBar
          label={say('Selected devices', '已選取的裝置')}
          count={2}
          onClear={ignore}
          all={{ count: 1234, select: ignore }}
        >
          <ActionButton>{say('Move to group', '移至群組')}</ActionButton>
        </SelectionBar>
      </State>
      <State name="a refresh failed" wide>
        <DataTable
          {...table}
          caption="stale"
          source={{ ...table.source, error: say('The server does not answer.', '伺服器沒有回應。') }}
        />
      </State>
    </Section>
  );
}

function NoRows(): ReactNode {
  const say = useSay();
  const table = useTable();
  const none = { ...table.source, rows: [], total: 0 };
  return (
    <Section id="table-empty" title="Tables without rows">
      <State name="loading" wide>
        <DataTable {...table} caption="loading" view={{ ...table.view, size: 4 }} source={{ ...table.source, rows: undefined }} />
      </State>
      <State name="failed" wide>
        <DataTable
          {...table}
          caption="failed"
          source={{ ...none, rows: undefined, error: say('The list could not be loaded.', '無法載入清單。') }}
        />
      </State>
      <State name="empty, with an action" wide>
        <DataTable
          {...table}
          caption="empty"
          source={none}
          emptyAction={<ActionButton variant="filled">{say('Add device', '新增裝置')}</ActionButton>}
        />
      </State>
      <State name="nothing matches" wide>
        <DataTable
          {...table}
          caption="no match"
          source={none}
          filtered
          onClearFilters={ignore}
          otherCase={{ count: 2, show: ignore }}
        />
      </State>
    </Section>
  );
}

function Short(): ReactNode {
  return (
    <Section id="table-short" title="Tables of few rows">
      <State name="all rows" wide>
        <ShortTable caption="short" columns={useColumns()} rows={useRows()} rowId={(row) => row.id} className="card panel" />
      </State>
    </Section>
  );
}
