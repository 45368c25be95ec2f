import { Button } from '../controls/Button.tsx';
import { IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../ActionButton.tsx';
import { Check } from '../Check.tsx';
import { Popup } from '../Popup.tsx';
import { columnWidths, type Density, type ListPreferences, storeForList, useListPreferences } from '../preferences.ts';
import { type Column, inOrder, isShown } from './column.ts';
import { storeWidth } from './Resizer.tsx';
import { widthOf } from './widths.ts';

export interface ColumnChooserProps<Row> {
  readonly id: string;
  readonly columns: readonly Column<Row>[];
}

const densities: readonly Density[] = ['comfortable', 'compact'];

/** The ids of the columns with one of them before its predecessor. */
function movedUp<Row>(columns: readonly Column<Row>[], index: number): readonly string[] {
  const ids = columns.map(({ id }) => id);
  return [...ids.slice(0, index - 1), ids[index]!, ids[index - 1]!, ...ids.slice(index + 1)];
}

/** The width of a column in px, for those who cannot drag its edge. */
function WidthField<Row>({
  list,
  columns,
  column,
  widths,
}: {
  list: string;
  columns: readonly Column<Row>[];
  column: Column<Row>;
  widths: ListPreferences['widths'];
}): ReactNode {
  const { t } = useTranslation();
  const width = widthOf(column, widths);
  return (
    <input
      className="chooser__width"
      type="number"
      key={width}
      min={columnWidths.least}
      max={columnWidths.most}
      step={10}
      aria-label={t('ui.table.width', { column: column.header })}
      title={t('ui.table.width', { column: column.header })}
      defaultValue={width}
      onBlur={({ currentTarget: { valueAsNumber: next } }) => {
        if (next !== width) storeWidth({ list, columns, column }, Number.isNaN(next) ? null : next);
      }}
    />
  );
}

function Choices<Row>({ id, columns }: ColumnChooserProps<Row>): ReactNode {
  const { t } = useTranslation();
  const { columns: chosen, order, density = 'comfortable', widths, wrap = false } = useListPreferences(id);
  const ordered = inOrder(columns, order);
  const choose = (column: Column<Row>, shown: boolean) => storeForList(id, { columns: { ...chosen, [column.id]: shown } });
  return (
    <div className="chooser">
      <fieldset>
        <legend>{t('ui.table.columns')}</legend>
        {ordered.map((column, index) => (
          <div key={column.id} className="chooser__column">
            <Check
              label={column.header}
              checked={isShown(column, chosen)}
              disabled={column.pinned === true}
              onChange={(checked) => choose(column, checked)}
            />
            {isShown(column, chosen) && <WidthField list={id} columns={columns} column={column} widths={widths} />}
            {column.pinned !== true && ordered[index - 1] !== undefined && ordered[index - 1]?.pinned !== true && (
              <IconButton
                label={t('ui.table.moveUp', { column: column.header })}
                icon={<IconArrowUp size={14} />}
                onClick={() => storeForList(id, { order: movedUp(ordered, index) })}
              />
            )}
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('ui.table.density')}</legend>
        {densities.map((one) => (
          <label key={one} className="chooser__radio">
            <input
              type="radio"
              name={`${id}-density`}
              checked={density === one}
              onChange={() => storeForList(id, { density: one })}
            />
            {t(`ui.table.${one}`)}
          </label>
        ))}
      </fieldset>
      <Check label={t('ui.table.wrap')} checked={wrap} onChange={(next) => storeForList(id, { wrap: next })} />
      <button
        type="button"
        className="link"
        onClick={() =>
          storeForList(id, { columns: undefined, density: undefined, order: undefined, widths: undefined, wrap: undefined })
        }
      >
        {t('ui.table.resetColumns')}
      </button>
    </div>
  );
}

/** The visible columns, their order and widths, and the height of rows, stored per user and list. */
export function ColumnChooser<Row>(props: ColumnChooserProps<Row>): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup
      align="end"
      role="dialog"
      label={t('ui.table.columns')}
      trigger={(trigger) => (
        <Button className="chooser__open" variant="subtle" leftSection={<IconColumns3 size={16} />} {...trigger}>
          <span className="chooser__name">{t('ui.table.columns')}</span>
        </Button>
      )}
    >
      {() => <Choices {...props} />}
    </Popup>
  );
}
