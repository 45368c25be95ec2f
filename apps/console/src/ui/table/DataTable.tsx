import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useListPreferences } from '../preferences.ts';
import { EmptyState, ErrorState } from '../states.tsx';
import { useDelayed } from '../useDelayed.ts';
import { shownColumns } from './column.ts';
import { formatNumber } from '../time/format.ts';
import type { DataTableProps, OtherCase } from './props.ts';
import type { TableView } from './source.ts';
import { TableBody, TableSkeleton } from './TableBody.tsx';
import { TableFoot } from './TableFoot.tsx';
import { TableHead } from './TableHead.tsx';
import './table.css';

/** Shows rows that differ in case only. */
function OtherCaseButton({ count, show }: OtherCase): ReactNode {
  const { t } = useTranslation();
  return (
    <button type="button" className="link" onClick={show}>
      {t('ui.table.otherCase', { count, shown: formatNumber(count) })}
    </button>
  );
}

function Nothing<Row>({ filtered, onClearFilters, otherCase, emptyAction }: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation();
  if (filtered !== true) return <EmptyState text={t('ui.table.noRecords')} action={emptyAction} />;
  return (
    <EmptyState
      text={t('ui.table.noMatch')}
      action={
        <>
          {otherCase !== undefined && <OtherCaseButton {...otherCase} />}
          {onClearFilters !== undefined && (
            <button type="button" className="link" onClick={onClearFilters}>
              {t('ui.filter.clearAll')}
            </button>
          )}
        </>
      }
    />
  );
}

/** A new page or order starts at the top; a refresh of the same one moves nothing. */
function useScrollToTop(view: TableView) {
  const region = useRef<HTMLDivElement>(null);
  const key = `${view.page}/${view.size}/${view.sort ?? ''}`;
  const before = useRef(key);
  useEffect(() => {
    if (before.current !== key) region.current?.scrollTo({ top: 0 });
    before.current = key;
  }, [key]);
  return region;
}

/**
 * A list as a table (SHR-02): sorted and paged by the server, with sticky header and first column, a memory for columns
 * and density, rows that arrow keys walk, Space picks and Enter opens. It holds no state that the address should hold.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { source, view, selection, columns } = props;
  const { t } = useTranslation();
  const preferences = useListPreferences(props.id);
  const region = useScrollToTop(view);
  const pending = source.rows === undefined && source.error === undefined;
  const skeleton = useDelayed(pending);
  const shown = shownColumns(columns, preferences);
  const rows = source.rows ?? [];
  const picking = selection?.active === true || selection?.always === true ? selection : undefined;

  return (
    <div className="card table-card" data-density={preferences.density ?? 'comfortable'}>
      {props.tools}
      <div
        ref={region}
        className="table-region"
        aria-busy={source.fetching}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the region scrolls, so a keyboard must be able to reach it
        tabIndex={0}
        role="region"
        aria-label={props.caption}
      >
        {source.rows === undefined && source.error !== undefined ? (
          <ErrorState text={source.error} onRetry={source.retry} />
        ) : (
          <table className="table">
            <caption className="unseen">{props.caption}</caption>
            <TableHead
              columns={shown}
              rows={rows}
              sort={view.sort}
              onSort={(sort) => props.onView({ sort })}
              selection={picking}
            />
            {pending && skeleton && (
              <TableSkeleton columns={shown} rows={Math.min(view.size, 12)} picking={picking !== undefined} />
            )}
            {rows.length > 0 && <TableBody {...props} columns={shown} rows={rows} picking={picking} />}
          </table>
        )}
        {source.rows !== undefined && rows.length === 0 && <Nothing {...props} />}
      </div>
      {source.rows !== undefined && source.error !== undefined && (
        <div className="table-stale" role="status">
          {source.error}
          <button type="button" className="link" onClick={source.retry}>
            {t('ui.retry')}
          </button>
        </div>
      )}
      {source.rows !== undefined && (
        <TableFoot
          caption={props.caption}
          view={view}
          shown={rows.length}
          total={source.total}
          defaultSize={props.defaultSize}
          pager={props.pager}
          onView={props.onView}
        />
      )}
      {props.bar}
    </div>
  );
}
