import { IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { recordings as calls } from '@highline/contract';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useNotAllowed } from '../../api/useNotAllowed.ts';
import { useDeviceFilter } from '../../entities/devices/useDeviceFilter.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { formatBytes } from '../../ui/bytes.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatDateTime } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { clockOf } from './clock.ts';
import { addressOf, fetchRecordings, fetchRecordingsFile, type Recording, recordingSettingsQuery } from './recordings.api.ts';
import './recordings.css';
import { recordingList } from './recordings.lists.ts';
import { SettingsDialog } from './SettingsDialog.tsx';

function recordingColumns(t: TFunction, zone: string): readonly Column<Recording>[] {
  const lengthOf = ({ began, ended }: Recording) => (ended === null ? t('recordings.goesOn') : clockOf(ended - began));
  const endOf = ({ end }: Recording) => (end === null ? '' : t(`recordings.endOf.${end}`));
  return [
    {
      id: 'name',
      header: t('recordings.column.vehicle'),
      pinned: true,
      phone: 'title',
      width: 150,
      text: ({ name }) => name,
      cell: ({ id, name, began }) => (
        <Link
          to="/recordings/play"
          search={{ recording: id }}
          aria-label={t('recordings.playOf', { name, time: formatDateTime(began, zone) })}
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'client',
      header: t('recordings.column.client'),
      width: 160,
      phone: 'line',
      text: ({ client }) => addressOf(client),
      cell: ({ client }) => (client === null ? '' : <span title={client.mac}>{addressOf(client)}</span>),
    },
    { id: 'by', header: t('recordings.column.by'), width: 210, phone: 'line', text: ({ by }) => by, cell: ({ by }) => by },
    {
      id: 'began',
      header: t('recordings.column.began'),
      width: 195,
      phone: 'line',
      text: ({ began }) => formatDateTime(began, zone),
    },
    { id: 'ended', header: t('recordings.column.length'), width: 110, phone: 'aside', text: lengthOf, cell: lengthOf },
    { id: 'end', header: t('recordings.column.end'), width: 190, phone: 'line', text: endOf, cell: endOf },
    {
      id: 'bytes',
      header: t('recordings.column.size'),
      width: 110,
      numeric: true,
      text: ({ bytes }) => String(bytes),
      cell: ({ bytes }) => formatBytes(bytes),
    },
    {
      id: 'serial',
      header: t('recordings.column.serial'),
      width: 160,
      optional: true,
      text: ({ serial }) => serial,
      cell: ({ serial }) => <span className="mono">{serial}</span>,
    },
  ];
}

/** Whether terminals are recorded now. */
function Setting(): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(recordingSettingsQuery);
  return (
    <>
      <p className="dim">{t('recordings.intro')}</p>
      <p className="note">
        {data !== undefined && (data.recorded ? t('recordings.on', { count: data.days }) : t('recordings.off'))}
      </p>
    </>
  );
}

/** /recordings: recorded terminals, and whether terminals are recorded (LIV-07). */
export function RecordingList(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const settings = useQuery(recordingSettingsQuery).data;
  const [isSetting, setSetting] = useState(false);
  const notAllowed = useNotAllowed('recordings.saveSettings');
  const columns = useMemo(() => recordingColumns(t, zone), [t, zone]);
  const list = useList({
    spec: recordingList,
    topics: ['recordings'],
    fetchPage: ({ search, field, ignoreCase, limit, offset, device }, signal) =>
      fetchRecordings({ search, field, ignoreCase, limit, offset, device }, signal),
  });
  const { search, field, ignoreCase } = list.state.query;
  const { device } = list.state.search;
  const ofDevice = useDeviceFilter(device, { label: t('recordings.column.vehicle'), unnamed: t('recordings.ofDevice') });
  return (
    <ListPage
      list={list}
      title={t('recordings.title')}
      count={(count, shown) => t('recordings.count', { count, shown })}
      note={<Setting />}
      actions={
        <>
          <ActionButton
            icon={<IconSettings size={16} />}
            loading={settings === undefined}
            disabledReason={notAllowed}
            onClick={() => setSetting(true)}
          >
            {t('recordings.settings.open')}
          </ActionButton>
          <DownloadButton
            fileName="terminal_recordings.csv"
            list={{ id: recordingList.id, columns, known: calls.recordingColumns }}
            hasWorkbook
            fetchFile={(language, shown, format) =>
              fetchRecordingsFile({ search, field, ignoreCase, device, zone, language, columns: shown, format })
            }
          />
        </>
      }
      filters={[ofDevice]}
      caption={t('recordings.caption')}
      columns={columns}
      rowId={({ id }) => id}
      fieldLabel={(name) => t(`recordings.field.${name}`)}
    >
      {isSetting && settings !== undefined && <SettingsDialog settings={settings} onClose={() => setSetting(false)} />}
    </ListPage>
  );
}
