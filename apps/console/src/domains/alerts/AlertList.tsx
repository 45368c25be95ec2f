import { Button } from '../../ui/controls/Button.tsx';
import { IconAdjustments, IconUsers } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { filterOf } from '../../api/ListTools.tsx';
import { type List, useList } from '../../api/useList.ts';
import { useRoleFor, useSession } from '../../api/session.ts';
import { useDeviceFilter } from '../../entities/devices/useDeviceFilter.ts';
import { PlaceText } from '../../entities/places/PlaceText.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useTemperatureUnit } from '../../ui/units.ts';
import { useZone } from '../../ui/time/zone.ts';
import { AcknowledgeDialog } from './AcknowledgeDialog.tsx';
import { alertValue, countsText, durationText, stateTones } from './alert.ts';
import { type Alert, fetchAlerts, fetchAlertsFile, isAboutAll, isGroupedBy, rulesQuery } from './alerts.api.ts';
import './alerts.css';
import { alertList } from './alerts.lists.ts';
import { severityTones } from './severity.ts';

const idOf = ({ id }: Alert) => id;
const isReport = ({ kind }: Alert) => kind === 'report-failed';
const nameOf = (alert: Alert) => `${alert.ruleName} ${isReport(alert) ? alert.vehicle_number : alert.serial_number}`;

/** The rule; a report has none, and what it says is in the language of the reader. */
const ruleText = (alert: Alert, t: TFunction) => (isReport(alert) ? t('alerts.kind.report-failed') : alert.ruleName);

/** A way to what an alert is about: the device, or the saved summaries. */
function SubjectLink({ alert, children }: { alert: Alert; children: ReactNode }): ReactNode {
  if (isReport(alert))
    return (
      <Link to="/summaries" search={{}}>
        {children}
      </Link>
    );
  return (
    <Link to="/devices/setting" search={{ device: alert.device }}>
      {children}
    </Link>
  );
}

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

/** The storm that a line stands for; a line of a list that is not grouped stands for one alert. */
const stormOf = ({ storm }: Alert, isGrouped: boolean) => (isGrouped && storm !== null && storm.count > 1 ? storm : null);

/** The vehicle, or how many vehicles, as text. */
function whatText(alert: Alert, isGrouped: boolean, t: TFunction): string {
  const storm = stormOf(alert, isGrouped);
  if (storm !== null) return t('alerts.storm', { count: storm.count, shown: formatNumber(storm.count) });
  return alert.vehicle_number === '' ? alert.serial_number : alert.vehicle_number;
}

/** The carrier, or those of a storm; '' where none is known. */
function carrierText(alert: Alert, isGrouped: boolean, t: TFunction): string {
  const counts = stormOf(alert, isGrouped)?.carriers;
  if (counts === undefined) return alert.carrier ?? '';
  return counts.every(({ name }) => name === '') ? '' : (countsText(counts, t) ?? '');
}

/** On a phone the rule leads to what the alert is about. */
function PhoneTitle({ alert, isGrouped }: { alert: Alert; isGrouped: boolean }): ReactNode {
  const { t } = useTranslation();
  const storm = stormOf(alert, isGrouped);
  if (storm === null) return <SubjectLink alert={alert}>{ruleText(alert, t)}</SubjectLink>;
  return (
    <Link to="/alerts" search={(before) => ({ ...before, page: undefined, storm: storm.id })}>
      {alert.ruleName}
    </Link>
  );
}

/** The vehicle; of alerts that fired together how many there are, with a way to them (ALR-06). */
function Vehicle({ alert, isGrouped }: { alert: Alert; isGrouped: boolean }): ReactNode {
  const { t } = useTranslation();
  const storm = stormOf(alert, isGrouped);
  const { vehicle_number: name, serial_number: serial } = alert;
  if (storm === null) return <SubjectLink alert={alert}>{name === '' ? serial : name}</SubjectLink>;
  return (
    <span className="alert-what">
      <Link to="/alerts" search={(before) => ({ ...before, page: undefined, storm: storm.id })}>
        {t('alerts.storm', { count: storm.count, shown: formatNumber(storm.count) })}
      </Link>
      {storm.open < storm.count && <span className="dim">{t('alerts.stillOpen', { count: storm.open })}</span>}
    </span>
  );
}

/** The rule, and what it found. */
function RuleName({ alert, isGrouped }: { alert: Alert; isGrouped: boolean }): ReactNode {
  const { t } = useTranslation();
  const temperatures = useTemperatureUnit();
  const value = stormOf(alert, isGrouped) === null ? alertValue(alert, temperatures, t) : '';
  return (
    <span className="alert-what">
      <span>{ruleText(alert, t)}</span>
      {value !== '' && <span className="dim">{value}</span>}
    </span>
  );
}

/** How long the condition has held, or did hold. */
function Duration({ alert: { since, resolved } }: { alert: Alert }): ReactNode {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <span className={resolved === null ? undefined : 'dim'}>{durationText((resolved ?? now.getTime() / 1_000) - since, t)}</span>
  );
}

function alertColumns(t: TFunction, isMain: boolean, isGrouped: boolean): readonly Column<Alert>[] {
  const organization: Column<Alert> = {
    id: 'organization',
    header: t('alerts.column.organization'),
    width: 180,
    cell: ({ projectName }) => projectName,
  };
  return [
    {
      id: 'severity',
      header: t('alerts.column.severity'),
      width: 100,
      sort: 'severity',
      pinned: true,
      phone: 'line',
      phoneCell: ({ severity }) => t(`alerts.severity.${severity}`),
      cell: ({ severity }) => <StatusDot tone={severityTones[severity]}>{t(`alerts.severity.${severity}`)}</StatusDot>,
    },
    {
      id: 'vehicle',
      header: t('devices.column.vehicle'),
      phone: 'line',
      phoneCell: (alert) => whatText(alert, isGrouped, t),
      width: 155,
      cell: (alert) => <Vehicle alert={alert} isGrouped={isGrouped} />,
    },
    {
      id: 'rule',
      header: t('alerts.column.rule'),
      width: 175,
      grow: true,
      wrap: true,
      phone: 'title',
      phoneCell: (alert) => <PhoneTitle alert={alert} isGrouped={isGrouped} />,
      cell: (alert) => <RuleName alert={alert} isGrouped={isGrouped} />,
    },
    {
      id: 'state',
      header: t('alerts.column.state'),
      width: 130,
      wrap: true,
      phone: 'state',
      phoneCell: ({ state }) => <StatusDot tone={stateTones[state]}>{t(`alerts.state.${state}`)}</StatusDot>,
      cell: (alert) => <State alert={alert} />,
    },
    ...(isMain ? [organization] : []),
    {
      id: 'carrier',
      header: t('alerts.column.carrier'),
      phone: 'line',
      phoneCell: (alert) => carrierText(alert, isGrouped, t),
      width: 115,
      wrap: true,
      cell: (alert) => <Counted counts={stormOf(alert, isGrouped)?.carriers}>{alert.carrier ?? NOT_REPORTED}</Counted>,
    },
    {
      id: 'group',
      header: t('devices.column.group'),
      width: 130,
      wrap: true,
      cell: (alert) => <Counted counts={stormOf(alert, isGrouped)?.groups}>{alert.groupName}</Counted>,
    },
    {
      id: 'place',
      header: t('alerts.column.place'),
      width: 130,
      wrap: true,
      cell: (alert) => (
        <Counted counts={stormOf(alert, isGrouped)?.places} unnamed={t('alerts.elsewhere')}>
          <Place alert={alert} />
        </Counted>
      ),
    },
    {
      id: 'duration',
      header: t('alerts.column.duration'),
      width: 85,
      cell: (alert) => <Duration alert={alert} />,
    },
    {
      id: 'fired',
      header: t('alerts.column.fired'),
      width: 95,
      sort: 'fired',
      phone: 'aside',
      cell: ({ fired }) => <RelativeTime moment={fired} />,
    },
    {
      id: 'acknowledgedBy',
      header: t('alerts.column.acknowledgedBy'),
      optional: true,
      width: 190,
      cell: ({ acknowledgedBy }) => acknowledgedBy,
    },
    {
      id: 'serial',
      header: t('devices.column.serial'),
      optional: true,
      width: 150,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
    {
      id: 'since',
      header: t('alerts.column.since'),
      optional: true,
      width: 110,
      cell: ({ since }) => <RelativeTime moment={since} />,
    },
  ];
}

interface CountedProps {
  /** Of a storm; undefined = it is one alert. */
  readonly counts: Parameters<typeof countsText>[0];
  readonly unnamed?: string;
  /** Of one alert. */
  readonly children: ReactNode;
}

/** The names of a storm with how many there are of each; nothing is said where none has a name. */
function Counted({ counts, unnamed, children }: CountedProps): ReactNode {
  const { t } = useTranslation();
  if (counts === undefined) return children;
  return counts.every(({ name }) => name === '') ? NOT_REPORTED : countsText(counts, t, unnamed);
}

/** Where the vehicle was when its alert fired, with a way to it on the map. */
function Place({ alert }: { alert: Alert }): ReactNode {
  const { place, device } = alert;
  if (place === null) return NOT_REPORTED;
  return (
    <Link to="/map" search={{ vehicle: device }}>
      {place.geofence ?? <PlaceText {...place} />}
    </Link>
  );
}

/** What the list can be narrowed by. */
function useAlertFilters(list: Pick<List<typeof alertList, never, unknown>, 'spec' | 'state'>): readonly Filter[] {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const { search } = list.state;
  const usualState = t(isAboutAll(search) ? 'alerts.filter.allStates' : 'alerts.state.open');
  const rules = useQuery({ ...rulesQuery, enabled: !isMain && search.rule !== undefined }).data ?? [];
  const device = useDeviceFilter(search.device, { label: t('alerts.filter.device'), unnamed: t('alerts.filter.oneDevice') });
  return [
    {
      name: 'state',
      label: t('alerts.column.state'),
      // Without a choice the list shows what is open, or everything about one thing.
      options: [
        { value: '', label: usualState },
        ...alertList.filters.state
          .map((value) => ({ value, label: t(value === 'all' ? 'alerts.filter.allStates' : `alerts.state.${value}`) }))
          .filter(({ label }) => label !== usualState),
      ],
      value: search.state,
      ...(search.state !== undefined && {
        shown: t(search.state === 'all' ? 'alerts.filter.allStates' : `alerts.state.${search.state}`),
      }),
    },
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
    device,
  ];
}

/** /alerts: what is open, by severity; also what was acknowledged or is resolved (ALR-03, SAY-06). */
export function AlertList(): ReactNode {
  const { t } = useTranslation();
  const role = useRoleFor('alerts');
  const zone = useZone();
  const isMain = role === 'main';
  const navigate = useNavigate();
  const [isAcknowledging, setAcknowledging] = useState(false);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({ spec: alertList, topics: ['alerts'], fetchPage: fetchAlerts });
  const { search } = list.state;
  const isGrouped = isGroupedBy(search);
  const columns = useMemo(() => alertColumns(t, isMain, isGrouped), [t, isMain, isGrouped]);
  const filters = useAlertFilters(list);
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
            <>
              <Button
                leftSection={<IconUsers size={16} />}
                renderRoot={(props) => <Link to="/alerts/people" search={{}} {...props} />}
              >
                {t('alerts.people.title')}
              </Button>
              <Button
                leftSection={<IconAdjustments size={16} />}
                renderRoot={(props) => <Link to="/alerts/rules" search={{}} {...props} />}
              >
                {t('alerts.rules.open')}
              </Button>
            </>
          )}
        </>
      }
      caption={t('alerts.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      onOpen={(alert) => {
        const storm = stormOf(alert, isGrouped);
        if (isReport(alert)) void navigate({ to: '/summaries', search: {} });
        else if (storm === null) void navigate({ to: '/devices/setting', search: { device: alert.device } });
        else list.state.change({ storm: storm.id });
      }}
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
      filters={filters}
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
