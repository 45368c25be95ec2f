import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import type { Selection } from '../list/useSelection.ts';
import { type ListPreferences, useListPreferences } from '../preferences.ts';
import { ErrorState } from '../states.tsx';
import { useDelayed } from '../useDelayed.ts';
import { useNarrow } from '../useNarrow.ts';
import { Nothing } from './NothingFound.tsx';
import { PhoneTools } from './PhoneTools.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import { TableBody } from './TableBody.tsx';
import { TableFoot } from './TableFoot.tsx';
import { TableHead } from './TableHead.tsx';
import { Widths, PhoneWidths } from './column-widths.tsx';
import { type Column, shownColumns } from './column.ts';
import { phoneRow } from './phone.ts';
import type { DataTableProps } from './props.ts';
import type { TableView } from './source.ts';
import { useEdges } from './useEdges.ts';
import { useWholeText } from './useWholeText.tsx';
import { cssWidth, PICK_WIDTH } from './widths.ts';
import './table.css';

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

/** The least width of a table: that of its columns. */
function leastWidth<Row>(columns: readonly Column<Row>[], widths: ListPreferences['widths'], picking: boolean): string {
  const parts = columns.map((column) => cssWidth(column, widths));
  return `calc(${[picking ? `${PICK_WIDTH}px` : '0px', ...parts].join(' + ')})`;
}

/**
 * How rows are picked: by their checkboxes, and in a mode by a press anywhere. On a phone they have checkboxes only once the person
 * chose to select, or pressed a row for long (SAY-09).
 */
function usePicker<Row>(picking: Selection<Row> | undefined, isNarrow: boolean) {
  const [isChosen, setChosen] = useState(false);
  const isSelecting = isNarrow && picking !== undefined && (isChosen || picking.selected.size > 0);
  return {
    hasBoxes: picking !== undefined && (!isNarrow || isSelecting || picking.active),
    picks: picking?.active === true || isSelecting,
    choose: (next: boolean) => {
      setChosen(next);
      if (!next) picking?.leave();
    },
  };
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
  useEdges(region);
  const whole = useWholeText();
  const pending = source.rows === undefined && source.error === undefined;
  const skeleton = useDelayed(pending);
  const shown = shownColumns(columns, preferences);
  const rows = source.rows ?? [];
  const renew = selection?.renew;
  useEffect(() => renew?.(source.rows ?? []), [renew, source.rows]);
  const picking = selection?.active === true || selection?.always === true ? selection : undefined;
  const isNarrow = useNarrow();
  const phone = isNarrow ? phoneRow(columns, preferences) : undefined;
  const picker = usePicker(picking, isNarrow);
  const boxes = picker.hasBoxes ? picking : undefined;

  return (
    <div
      className="card table-card"
      data-density={preferences.density ?? 'comfortable'}
      data-wrap={preferences.wrap === true || undefined}
    >
      {props.tools}
      {isNarrow && rows.length > 0 && (
        <PhoneTools
          columns={columns}
          rows={rows}
          sort={view.sort}
          onSort={(sort) => props.onView({ sort })}
          selection={picking}
          isSelecting={picker.hasBoxes}
          onSelecting={picker.choose}
        />
      )}
      <div className="table-frame" data-picking={boxes !== undefined || undefined}>
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
            <table
              className={isNarrow ? 'table table--phone' : 'table'}
              style={isNarrow ? undefined : { minWidth: leastWidth(shown, preferences.widths, picking !== undefined) }}
            >
              <caption className="unseen">{props.caption}</caption>
              {isNarrow ? (
                boxes !== undefined && <PhoneWidths />
              ) : (
                <>
                  <Widths columns={shown} widths={preferences.widths} picking={picking !== undefined} />
                  <TableHead
                    id={props.id}
                    columns={shown}
                    rows={rows}
                    sort={view.sort}
                    onSort={(sort) => props.onView({ sort })}
                    selection={picking}
                  />
                </>
              )}
              {pending && skeleton && (
                <TableSkeleton
                  columns={isNarrow ? shown.slice(0, 1) : shown}
                  rows={Math.min(view.size, 12)}
                  picking={boxes !== undefined}
                />
              )}
              {rows.length > 0 && (
                <TableBody
                  {...props}
                  columns={shown}
                  rows={rows}
                  picking={picking}
                  hasBoxes={picker.hasBoxes}
                  picks={picker.picks}
                  phone={phone}
                  whole={whole}
                />
              )}
            </table>
          )}
          {source.rows !== undefined && rows.length === 0 && <Nothing {...props} />}
        </div>
      </div>
      {whole.node}
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
