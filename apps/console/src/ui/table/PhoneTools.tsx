import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../ActionButton.tsx';
import type { Selection } from '../list/useSelection.ts';
import type { Column } from './column.ts';
import { PickPage } from './TableHead.tsx';

export interface PhoneToolsProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly selection: Selection<Row> | undefined;
  readonly isSelecting: boolean;
  readonly onSelecting: (isSelecting: boolean) => void;
}

/** What the header of a table offers elsewhere: the order of the rows, and the selection of all of them. */
export function PhoneTools<Row>(props: PhoneToolsProps<Row>): ReactNode {
  const { columns, rows, sort, onSort, selection, isSelecting, onSelecting } = props;
  const { t } = useTranslation();
  const sortable = columns.filter((column) => column.sort !== undefined);
  const by = sort?.replace(/^-/u, '') ?? '';
  const isDescending = sort?.startsWith('-') === true;
  if (sortable.length === 0 && selection === undefined) return null;
  return (
    <div className="phone-tools">
      {isSelecting && selection !== undefined && <PickPage rows={rows} selection={selection} />}
      {selection !== undefined && !selection.active && (
        <button type="button" className="link" onClick={() => onSelecting(!isSelecting)}>
          {t(isSelecting ? 'ui.table.done' : 'ui.table.select')}
        </button>
      )}
      <span className="spacer" />
      {sortable.length > 0 && (
        <label className="phone-tools__sort">
          {t('ui.table.sortBy')}
          <select
            value={by}
            onChange={({ currentTarget: { value } }) => onSort(value === '' ? undefined : isDescending ? `-${value}` : value)}
          >
            <option value="">{t('ui.table.usualOrder')}</option>
            {sortable.map((column) => (
              <option key={column.id} value={column.sort}>
                {column.header}
              </option>
            ))}
          </select>
        </label>
      )}
      {by !== '' && (
        <IconButton
          label={t(isDescending ? 'ui.table.ascending' : 'ui.table.descending')}
          icon={isDescending ? <IconArrowDown size={16} /> : <IconArrowUp size={16} />}
          onClick={() => onSort(isDescending ? by : `-${by}`)}
        />
      )}
    </div>
  );
}
