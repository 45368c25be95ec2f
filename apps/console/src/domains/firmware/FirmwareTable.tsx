import { type ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ListBar, MOST_IN_JOB } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { fetchFirmware, type Firmware } from './firmware.api.ts';
import { firmwareList } from './firmware.lists.ts';
import './firmware.css';

const idOf = ({ pk }: Firmware) => pk;
const nameOf = ({ version, profile }: Firmware) => `${version} (${profile})`;

export interface FirmwareTableProps {
  readonly title: string;
  readonly columns: readonly Column<Firmware>[];
  readonly actions?: ReactNode;
  /** What an empty catalogue offers. */
  readonly emptyAction?: ReactNode;
  /** What can be done with the selected images, besides their file. */
  readonly bar?: (selection: Selection<Firmware>) => ReactNode;
  /** Between the title and the table. */
  readonly note?: ReactNode;
}

/** The catalogue as a page: searched, sorted, paged, refetched every 60 s (FWR-01). */
export function FirmwareTable({ title, columns, actions, emptyAction, bar, note }: FirmwareTableProps): ReactNode {
  const { t } = useTranslation();
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: firmwareList,
    topics: ['firmware'],
    fetchPage: fetchFirmware,
  });
  return (
    <ListPage
      list={list}
      title={title}
      count={(count, shown) => t('firmware.count', { count, shown })}
      actions={actions}
      note={note}
      caption={t('firmware.caption')}
      emptyAction={emptyAction}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} most={MOST_IN_JOB} file={{ name: 'Firmware_export.csv', columns }}>
          {bar?.(selection)}
        </ListBar>
      }
      fieldLabel={(field) => t(`firmware.field.${field}`)}
    />
  );
}
