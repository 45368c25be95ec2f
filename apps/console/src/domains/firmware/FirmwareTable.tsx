import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListStatus } from '../../api/ListStatus.tsx';
import { ListTools } from '../../api/ListTools.tsx';
import { type List, tableOf, useList } from '../../api/useList.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { fetchFirmware, type Firmware } from './firmware.api.ts';
import { firmwareList } from './firmware.lists.ts';
import './firmware.css';

type Catalogue = List<typeof firmwareList, Firmware>;

const idOf = ({ pk }: Firmware) => pk;

function Tools({ list, columns }: { list: Catalogue; columns: readonly Column<Firmware>[] }): ReactNode {
  const { t } = useTranslation();
  return <ListTools spec={firmwareList} list={list} columns={columns} fieldLabel={(field) => t(`firmware.field.${field}`)} />;
}

export interface FirmwareTableProps {
  readonly title: string;
  readonly columns: readonly Column<Firmware>[];
  readonly actions?: ReactNode;
  /** Between the title and the table. */
  readonly note?: ReactNode;
}

/** The catalogue as a page: searched, sorted, paged, refetched every 60 s (FWR-01). */
export function FirmwareTable({ title, columns, actions, note }: FirmwareTableProps): ReactNode {
  const { t } = useTranslation();
  const list: Catalogue = useList({
    spec: firmwareList,
    topics: ['firmware'],
    fetchPage: fetchFirmware,
  });
  const total = list.answer?.total;
  return (
    <div className="page page--list">
      <PageHeader
        title={title}
        sub={
          total === undefined ? (
            <span>&nbsp;</span>
          ) : (
            <>
              {t('firmware.count', { count: total, shown: formatNumber(total) })} · <ListStatus updatedAt={list.updatedAt} />
            </>
          )
        }
        actions={actions}
      />
      {note}
      <DataTable
        {...tableOf(firmwareList, list)}
        caption={t('firmware.caption')}
        columns={columns}
        rowId={idOf}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}
