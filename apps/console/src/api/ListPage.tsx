import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { withMessages } from '../i18n/i18n.ts';
import { useRoleFor, useSession } from './session.ts';
import type { ListSpec } from '../ui/list/spec.ts';
import { optionalPart } from '../ui/optional-part.ts';
import { PageHeader, type PageHeaderProps } from '../ui/page/PageHeader.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { DataTableProps } from '../ui/table/props.ts';
import { formatNumber } from '../ui/time/format.ts';
import { ListStatus } from './ListStatus.tsx';
import { ListTools, type ListToolsProps } from './ListTools.tsx';
import { tableOf } from './useList.ts';
import { useListView } from './views/useListView.ts';

const load = withMessages(['views'], () => import('./views/ViewMenu.tsx'));
const ViewMenu = optionalPart(async () => (await load()).ViewMenu);
const ViewNote = optionalPart(async () => (await load()).ViewNote);

type TableProps<Row> = Pick<
  DataTableProps<Row>,
  'caption' | 'columns' | 'emptyAction' | 'rowId' | 'highlighted' | 'onOpen' | 'linkOf' | 'selection' | 'bar'
>;

export interface ListPageProps<Spec extends ListSpec, Row, Response extends { readonly total: number }>
  extends
    Pick<PageHeaderProps, 'title' | 'back' | 'actions'>,
    TableProps<Row>,
    Partial<Pick<ListToolsProps<Spec, Row, Response>, 'fieldLabel' | 'filters' | 'onFilter'>>,
    Pick<ListToolsProps<Spec, Row, Response>, 'id' | 'list'> {
  /** How many rows there are, as text. */
  readonly count: (count: number, shown: string) => string;
  /** Between the title and the table. */
  readonly note?: ReactNode;
  /** Above the table, so high that the page scrolls instead of the table. */
  readonly top?: ReactNode;
  /** The list is a part of a page, which has the title. */
  readonly isPart?: boolean;
  /** Replaces the search and the filters. */
  readonly tools?: ReactNode;
  /** Below the search and the filters. */
  readonly below?: ReactNode;
  /** Below the table: dialogs. */
  readonly children?: ReactNode;
}

type CountProps = Pick<ListPageProps<ListSpec, never, { total: number }>, 'count'> & {
  readonly list: { readonly response: { readonly total: number } | undefined; readonly updatedAt: number };
};

/** The line below the title: how many rows there are, and how fresh they are. */
function Count({ list, count }: CountProps): ReactNode {
  const total = list.response?.total;
  // Reserves the space, so the layout does not shift when the response arrives.
  if (total === undefined) return <span>&nbsp;</span>;
  return (
    <>
      {count(total, formatNumber(total))} · <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** The page of a list: its title and how many rows it has, what can be done, search and filters, and the table (SHR-02). */
export function ListPage<Spec extends ListSpec, Row, Response extends { readonly total: number }>(
  props: ListPageProps<Spec, Row, Response>,
): ReactNode {
  const {
    list,
    id,
    title,
    back,
    actions,
    count,
    note,
    top,
    isPart = false,
    tools,
    below,
    children,
    fieldLabel = String,
    filters,
    onFilter,
    linkOf,
    ...table
  } = props;
  const role = useRoleFor('views');
  const { limitedTo } = useSession();
  const navigate = useNavigate();
  const listView = useListView(list, !isPart);
  return (
    <div className={isPart ? 'page-part' : top === undefined || top === false ? 'page page--list' : 'page'}>
      {isPart ? (
        <div className="page-header">
          <div className="page-header__titles page-header__sub">
            <Count list={list} count={count} />
          </div>
          <div className="page-header__actions">{actions}</div>
        </div>
      ) : (
        <PageHeader
          title={title}
          back={back}
          sub={<Count list={list} count={count} />}
          actions={
            <>
              {listView !== undefined && (
                <Suspense>
                  <ViewMenu listView={listView} mayShare={role !== 'user' && limitedTo === null} />
                </Suspense>
              )}
              {actions}
            </>
          }
        />
      )}
      {listView !== undefined && (listView.isGone || listView.missing.length > 0) && (
        <Suspense>
          <ViewNote listView={listView} />
        </Suspense>
      )}
      {note}
      {top}
      <DataTable
        {...tableOf(list)}
        otherFields={list.otherFields.map(({ field, ...found }) => ({ ...found, label: fieldLabel(field) }))}
        {...(id !== undefined && { id })}
        {...(linkOf !== undefined && { linkOf, onOpen: (row: Row) => void navigate(linkOf(row)) })}
        {...table}
        tools={
          tools ?? (
            <>
              <ListTools {...{ id, list, fieldLabel, filters, onFilter }} columns={table.columns} />
              {below}
            </>
          )
        }
      />
      {children}
    </div>
  );
}
