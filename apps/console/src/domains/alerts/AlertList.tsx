import { Button } from '../../ui/controls/Button.tsx';
import { IconAdjustments } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useZone } from '../../ui/time/zone.ts';
import { AcknowledgeDialog } from './AcknowledgeDialog.tsx';
import { alertValue, stateTones } from './alert.ts';
import { type Alert, fetchAlerts, fetchAlertsFile, rulesQuery } from './alerts.api.ts';
import './alerts.css';
import { alertList } from './alerts.lists.ts';
import { severityTones } from './severity.ts';

const idOf = ({ id }: Alert) => id;
const nameOf = ({ ruleName, serial_number: serial }: Alert) => `${ruleName} ${serial}`;

/** The state of an alert, and who acknowledged it or why it ended. */
function State({ alert }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const { state, acknowledgedBy, resolution, note } = alert;
  const more = resolution === null ? (state === 'acknowledged' ? acknowledgedBy : '') : t(`alerts.resolution.${resolution}`);
  return (
    <span className="alert-state">
      <StatusDot tone={stateTones[state]} title={note === '' ? undefined : note}>
        {t(`alerts.state.${state}`)}
      </StatusDot>
      {more !== '' && <span className="dim">{more}</span>}
      {note !== '' && <span className="alert-state__note">{t('alerts.noted', { note })}</span>}
    </span>
  );
}

/** The rule, and how many alerts of it fired together with a way to them (ALR-06). */
function RuleName({ alert: { ruleName, storm }, grouped }: { alert: Alert; grouped: boolean }): ReactNode {
  const { t } = useTranslation();
  if (storm === null || !grouped) return ruleName;
  const { id, count } = storm;
  return (
    <span className="alert-state">
      {ruleName}
      <Link to="/alerts" search={(before) => ({ ...before, page: undefined, storm: id })}>
        {t('alerts.storm', { count, shown: formatNumber(count) })}
      </Link>
    </span>
  );
}

function alertColumns(t: TFunction, isMain: boolean, isGrouped: boolean): readonly Column<Alert>[] {
  const vehicle: Column<Alert> = {
    id: 'vehicle',
    header: t('devices.column.vehicle'),
    phone: 'line',
    phoneCell: ({ vehicle_number: name, serial_number: serial }) => (name === '' ? serial : name),
    width: 150,
    cell: ({ device, vehicle_number: name, serial_number: serial }) => (
      <Link to="/devices/setting" search={{ device }}>
        {name === '' ? serial : name}
      </Link>
    ),
  };
  const organization: Column<Alert> = {
    id: 'organization',
    header: t('alerts.column.organization'),
    width: 220,
    cell: ({ projectName }) => projectName,
  };
  return [
    {
      id: 'severity',
      header: t('alerts.column.severity'),
      width: 104,
      pinned: true,
      phone: 'line',
      phoneCell: ({ severity }) => t(`alerts.severity.${severity}`),
      cell: ({ severity }) => <StatusDot tone={severityTones[severity]}>{t(`alerts.severity.${severity}`)}</StatusDot>,
    },
    vehicle,
    {
      id: 'state',
      header: t('alerts.column.state'),
      width: 220,
      phone: 'state',
      phoneCell: ({ state }) => <StatusDot tone={stateTones[state]}>{t(`alerts.state.${state}`)}</StatusDot>,
      cell: (alert) => <State alert={alert} />,
    },
    {
      id: 'serial',
      header: t('devices.column.serial'),
      width: 150,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
    {
      id: 'rule',
      header: t('alerts.column.rule'),
      width: 210,
      grow: true,
      phone: 'title',
      phoneCell: ({ device, ruleName }) => (
        <Link to="/devices/setting" search={{ device }}>
          {ruleName}
        </Link>
      ),
      cell: (alert) => <RuleName alert={alert} grouped={isGrouped} />,
    },
    ...(isMain ? [organization] : []),
    {
      id: 'value',
      header: t('alerts.column.value'),
      width: 160,
      numeric: true,
      phone: 'line',
      phoneCell: (alert) => alertValue(alert, t),
      cell: (alert) => alertValue(alert, t),
    },
    {
      id: 'since',
      header: t('alerts.column.since'),
      optional: true,
      width: 110,
      cell: ({ since }) => <RelativeTime moment={since} />,
    },
    {
      id: 'fired',
      header: t('alerts.column.fired'),
      width: 110,
      sort: 'fired',
      phone: 'aside',
      cell: ({ fired }) => <RelativeTime moment={fired} />,
    },
  ];
}

/** /alerts: what fires, was acknowledged or is resolved, the newest first (ALR-03). */
export function AlertList(): ReactNode {
  const { t } = useTranslation();
  const { role } = useSession();
  const zone = useZone();
  const isMain = role === 'main';
  const [isAcknowledging, setAcknowledging] = useState(false);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({ spec: alertList, topics: ['alerts'], fetchPage: fetchAlerts });
  const { search } = list.state;
  const isGrouped = search.storm === undefined;
  const columns = useMemo(() => alertColumns(t, isMain, isGrouped), [t, isMain, isGrouped]);
  const rules = useQuery({ ...rulesQuery, enabled: !isMain && search.rule !== undefined }).data ?? [];
  const ids = [...selection.selected.keys()];
  return (
    <ListPage
      list={list}
      title={t('alerts.title')}
      count={(count, shown) => t('alerts.count', { count, shown })}
      actions={
        <>
          <DownloadButton
            fileName="Alerts_export.csv"
            hasWorkbook
            fetchFile={(language, _, format) => fetchAlertsFile({ ...list.state.query, zone, language, format })}
          />
          {!isMain && (
            <Button
              leftSection={<IconAdjustments size={16} />}
              renderRoot={(props) => <Link to="/alerts/rules" search={{}} {...props} />}
            >
              {t('alerts.rules.open')}
            </Button>
          )}
        </>
      }
      caption={t('alerts.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      emptyAction={
        role === 'admin' && (
          <Button renderRoot={(props) => <Link to="/alerts/rules" search={{}} {...props} />}>{t('alerts.rules.first')}</Button>
        )
      }
      bar={
        <ListBar
          list={list}
          selection={selection}
          file={{
            name: 'Alerts_export.csv',
            columns: { id: alertList.id, columns, known: [] },
            fetch: ({ language, only }) => fetchAlertsFile({ ...list.state.query, zone, language, only }),
          }}
        >
          <Button variant="filled" onClick={() => setAcknowledging(true)}>
            {t('alerts.acknowledge.open')}
          </Button>
        </ListBar>
      }
      fieldLabel={(field) => t(`alerts.field.${field}`)}
      filters={[
        filterOf(list, 'state', {
          label: t('alerts.column.state'),
          all: t('alerts.filter.allStates'),
          of: (state) => t(`alerts.state.${state}`),
        }),
        filterOf(list, 'severity', {
          label: t('alerts.column.severity'),
          all: t('alerts.filter.allSeverities'),
          of: (severity) => t(`alerts.severity.${severity}`),
        }),
        filterOf(list, 'kind', {
          label: t('alerts.filter.kind'),
          all: t('alerts.filter.allKinds'),
          of: (kind) => t(`alerts.kind.${kind}`),
        }),
        {
          name: 'rule',
          label: t('alerts.column.rule'),
          options: [],
          value: search.rule,
          shown: rules.find(({ id }) => id === search.rule)?.name ?? search.rule,
        },
        {
          name: 'storm',
          label: t('alerts.filter.storm'),
          options: [],
          value: search.storm,
          shown: t('alerts.filter.oneStorm'),
        },
        {
          name: 'device',
          label: t('alerts.filter.device'),
          options: [],
          value: search.device,
          shown: t('alerts.filter.oneDevice'),
        },
      ]}
    >
      {isAcknowledging && (
        <AcknowledgeDialog
          ids={ids}
          onClose={() => setAcknowledging(false)}
          onDone={() => {
            setAcknowledging(false);
            selection.leave();
            list.reload();
          }}
        />
      )}
    </ListPage>
  );
}
