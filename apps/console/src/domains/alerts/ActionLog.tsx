import { alerts } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { call, callFile } from '../../api/client.ts';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { pageOf, useList } from '../../api/useList.ts';
import { useDeviceFilter } from '../../entities/devices/useDeviceFilter.ts';
import { StatusDot, type Tone } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import './alerts.css';
import { actionList } from './alerts.lists.ts';

type AlertAction = alerts.AlertAction;

const tones: Readonly<Record<AlertAction['state'], Tone>> = {
  waiting: 'busy',
  started: 'ok',
  'dry-run': 'idle',
  skipped: 'warn',
};

function actionColumns(t: TFunction): readonly Column<AlertAction>[] {
  return [
    {
      id: 'vehicle',
      phone: 'title',
      header: t('devices.column.vehicle'),
      pinned: true,
      width: 160,
      cell: ({ device, vehicle_number: vehicle, serial_number: serial }) => (
        <Link to="/devices/setting" search={{ device }}>
          {vehicle === '' ? serial : vehicle}
        </Link>
      ),
    },
    { id: 'rule', header: t('alerts.column.rule'), width: 220, phone: 'line', cell: ({ ruleName }) => ruleName },
    {
      id: 'does',
      phone: 'line',
      header: t('alerts.actions.column.does'),
      width: 180,
      cell: ({ does }) => t(`alerts.actions.does.${does}`),
    },
    {
      id: 'state',
      phone: 'state',
      header: t('alerts.actions.column.outcome'),
      width: 340,
      grow: true,
      wrap: true,
      cell: ({ state, reason }) => (
        <span className="alert-state">
          <StatusDot tone={tones[state]}>{t(`alerts.actions.state.${state}`)}</StatusDot>
          {reason !== null && <span className="dim">{t(`alerts.actions.reason.${reason}`)}</span>}
        </span>
      ),
    },
    {
      id: 'at',
      phone: 'aside',
      header: t('alerts.actions.column.at'),
      width: 120,
      sort: 'at',
      cell: ({ at }) => <RelativeTime moment={at} />,
    },
  ];
}

/** /alerts/actions: what rules did by themselves, would have done, or did not do and why (WIN-03). */
export function ActionLog(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const columns = useMemo(() => actionColumns(t), [t]);
  const list = useList({
    spec: actionList,
    topics: ['alerts'],
    fetchPage: async ({ around: _around, ...query }, signal) => pageOf(await call(alerts.listActions, { query, signal })),
  });
  const ofDevice = useDeviceFilter(list.state.search.device, {
    label: t('alerts.filter.device'),
    unnamed: t('alerts.filter.oneDevice'),
  });
  return (
    <ListPage
      list={list}
      title={t('alerts.actions.title')}
      back={
        <Link to="/alerts/rules" search={{}}>
          {t('alerts.rules.title')}
        </Link>
      }
      count={(count, shown) => t('alerts.actions.count', { count, shown })}
      actions={
        <DownloadButton
          fileName="Alert_actions_export.csv"
          hasWorkbook
          fetchFile={(language, _, format) =>
            callFile(alerts.exportActions, {
              query: { ...list.state.query, zone, language, ...(format !== undefined && { format }) },
            })
          }
        />
      }
      caption={t('alerts.actions.title')}
      columns={columns}
      rowId={({ id }) => id}
      fieldLabel={(field) => t(`alerts.field.${field}`)}
      filters={[
        filterOf(list, 'state', {
          label: t('alerts.actions.column.outcome'),
          all: t('alerts.actions.allOutcomes'),
          of: (state) => t(`alerts.actions.state.${state}`),
        }),
        {
          name: 'rule',
          label: t('alerts.column.rule'),
          options: [],
          value: list.state.search.rule,
          shown: list.response?.rows[0]?.ruleName ?? '',
        },
        ofDevice,
      ]}
    />
  );
}
