import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import type { Selection } from '../list/useSelection.ts';
import { type ListPreferences, useListPreferences } from '../preferences.ts';
import { EmptyState, ErrorState } from '../states.tsx';
import { useDelayed } from '../useDelayed.ts';
import { type Column, shownColumns } from './column.ts';
import { formatNumber } from '../time/format.ts';
import { useNarrow } from '../useNarrow.ts';
import { OtherFields } from './OtherFields.tsx';
import { phoneRow } from './phone.ts';
import { PhoneTools } from './PhoneTools.tsx';
import type { DataTableProps, OtherCase } from './props.ts';
import type { TableView } from './source.ts';
import { TableBody, TableSkeleton } from './TableBody.tsx';
import { TableFoot } from './TableFoot.tsx';
import { TableHead } from './TableHead.tsx';
import { useEdges } from './useEdges.ts';
import { useWholeText } from './useWholeText.tsx';
import { cssWidth, growing, PICK_WIDTH } from './widths.ts';
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

function Nothing<Row>({ filtered, onClearFilters, otherCase, otherFields = [], emptyAction }: DataTableProps<Row>): ReactNode {
  const { t } = useTranslation();
  if (filtered !== true) return <EmptyState text={t('ui.table.noRecords')} action={emptyAction} />;
  return (
    <EmptyState
      text={t('ui.table.noMatch')}
      action={
        <>
          {otherCase !== undefined && <OtherCaseButton {...otherCase} />}
          <OtherFields found={otherFields} />
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

/** The columns keep their widths, whatever their rows hold (P18): one of them takes the space that is left over. */
function Widths<Row>({
  columns,
  widths,
  picking,
}: {
  columns: readonly Column<Row>[];
  widths: ListPreferences['widths'];
  picking: boolean;
}): ReactNode {
  const grows = growing(columns, widths);
  return (
    <colgroup>
      {picking && <col style={{ width: PICK_WIDTH }} />}
      {columns.map((column) => (
        <col
          key={column.id}
          data-column={column.id}
          style={{ width: column.id === grows?.id ? undefined : cssWidth(column, widths) }}
        />
      ))}
    </colgroup>
  );
}

/** The least width of a table: that of its columns. */
function leastWidth<Row>(columns: readonly Column<Row>[], widths: ListPreferences['widths'], picking: boolean): string {
  const parts = columns.map((column) => cssWidth(column, widths));
  return `calc(${[picking ? `${PICK_WIDTH}px` : '0px', ...parts].join(' + ')})`;
}

function PhoneWidths(): ReactNode {
  return (
    <colgroup>
      <col style={{ width: PICK_WIDTH }} />
      <col />
    </colgroup>
  );
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
