import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { useErrorText } from '../../../api/useErrorText.ts';
import { useOtherCase } from '../../../api/useOtherCase.ts';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { FilterBar } from '../../../ui/filter/FilterBar.tsx';
import { useLetterCase } from '../../../ui/filter/useLetterCase.ts';
import { faultText } from '../../../entities/settings/fault-text.ts';
import { usePreferredSize } from '../../../ui/preferences.ts';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { reasonCode, stateTones } from './rollout.ts';
import { fetchTargets, type Rollout, type Target, targetsQuery, type TargetState, type TargetView } from './rollouts.api.ts';

const PAGE = 10;
const start = { page: 1, sort: undefined, field: 'serial', search: undefined, ignoreCase: undefined } as const;
const fields = ['serial', 'vehicle'] as const;
const idOf = (target: Target) => target.device;

/** Where a router is, why, and how its file was checked. */
function State({ target, rollout }: { target: Target; rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const { state, percent, reason, detail, attempt, checkedBy } = target;
  const word = t(`rollouts.state.${state}`);
  const code = reason === null ? undefined : reasonCode(reason);
  // Then the detail is both versions, or what is set; not a message of the router.
  const isDifference = code === 'not-in-force' || code === 'settings-returned' || code === 'settings-differ';
  const notes = [
    ...(reason === null ? [] : [code === undefined ? reason : t(`rollouts.reason.${code}`)]),
    ...(isDifference && detail !== null ? [rollout.kind === 'settings' ? faultText(t, detail) : detail] : []),
    ...(attempt > 1 ? [t('rollouts.attempt', { count: attempt })] : []),
    ...(checkedBy === 'sha256' ? [t('rollouts.sha256Only')] : []),
  ];
  return (
    <div className="target-state">
      <StatusDot tone={stateTones[state]}>
        {state === 'downloading' ? t('rollouts.percent', { state: word, percent }) : word}
      </StatusDot>
      {notes.length > 0 && <span className="target-state__why">{notes.join(' · ')}</span>}
      {detail !== null && !isDifference && (
        <span className="target-state__why">
          {t('rollouts.routerSays')}{' '}
          <Copyable text={detail} label={t('rollouts.routerMessage', { serial: target.serial_number })}>
            <q>{detail}</q>
          </Copyable>
        </span>
      )}
    </div>
  );
}

/** The current version, and during an update the target version. */
function Version({ target, rollout }: { target: Target; rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const { current } = target;
  if (current === null) return <span className="dim">--</span>;
  const isShownAlone = rollout.kind === 'config' || target.state === 'unsupported' || target.state === 'successful';
  if (isShownAlone || current === rollout.name) return current;
  return t('rollouts.toVersion', { from: current, to: rollout.name });
}

function targetColumns(t: TFunction, rollout: Rollout): readonly Column<Target>[] {
  // The result of each value is there.
  const tab = rollout.kind === 'settings' ? ({ tab: 'settings' } as const) : {};
  const columns: readonly Column<Target>[] = [
    {
      id: 'serial',
      header: t('rollouts.column.serial'),
      width: 190,
      sort: 'serial',
      pinned: true,
      phone: 'line',
      phoneCell: ({ serial_number: serial, vehicle_number: vehicle }) => (vehicle === '' ? '' : serial),
      cell: ({ device, serial_number: serial }) => (
        <Copyable text={serial} label={t('rollouts.column.serial')}>
          <Link className="mono strong" to="/devices/setting" search={{ device, ...tab }}>
            {serial}
          </Link>
        </Copyable>
      ),
    },
    {
      id: 'vehicle',
      phone: 'title',
      phoneCell: ({ device, serial_number: serial, vehicle_number: vehicle }) => (
        <Link to="/devices/setting" search={{ device, ...tab }}>
          {vehicle === '' ? serial : vehicle}
        </Link>
      ),
      header: t('rollouts.column.vehicle'),
      width: 140,
      cell: ({ device, vehicle_number: vehicle }) =>
        vehicle !== '' && (
          <Link to="/devices/setting" search={{ device, ...tab }}>
            {vehicle}
          </Link>
        ),
    },
    {
      id: 'state',
      phone: 'state',
      header: t('rollouts.column.state'),
      width: 320,
      grow: true,
      wrap: true,
      sort: 'state',
      cell: (target) => <State target={target} rollout={rollout} />,
    },
    {
      id: 'version',
      phone: 'line',
      header: t('rollouts.column.version'),
      width: 220,
      cell: (target) => <Version target={target} rollout={rollout} />,
    },
    {
      id: 'since',
      phone: 'aside',
      header: t('rollouts.column.since'),
      width: 130,
      sort: 'updated',
      numeric: true,
      cell: ({ updated }) => <RelativeTime moment={updated} />,
    },
  ];
  return rollout.kind === 'settings' ? columns.filter(({ id }) => id !== 'version') : columns;
}

export interface TargetTableProps {
  readonly rollout: Rollout;
  /** Only routers in this state. */
  readonly state: TargetState | undefined;
  readonly onState: (state: TargetState | undefined) => void;
}

/** The routers of a rollout, by state, with reasons. */
export function TargetTable({ rollout, state, onState }: TargetTableProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferred = usePreferredSize();
  const [view, setView] = useState<TargetView>({ ...start, size: preferred ?? PAGE });
  // Another state begins at its first page.
  const [shownState, setShownState] = useState(state);
  if (shownState !== state) {
    setShownState(state);
    setView({ ...view, page: 1 });
  }
  const columns = useMemo(() => targetColumns(t, rollout), [t, rollout]);
  const query = useQuery(targetsQuery(rollout.id, view, state));
  const change = (part: Partial<TargetView>) => setView((before) => ({ ...before, page: 1, ...part }));
  const letterCase = useLetterCase(view.ignoreCase);
  const found = query.isPlaceholderData ? undefined : query.data?.total;
  const otherCase = useOtherCase({
    enabled: view.search !== undefined && view.ignoreCase === undefined && found === 0,
    queryKey: ['rollouts', 'targets', rollout.id, state, view.field, view.search],
    count: async (signal) => (await fetchTargets(rollout.id, { ...view, size: 1, ignoreCase: 'true' }, state, signal)).total,
    show: () => change({ ignoreCase: 'true' }),
  });
  const search = (field: TargetView['field'], text: string) =>
    change({ field, search: text === '' ? undefined : text, ...(text === view.search ? {} : { ignoreCase: undefined }) });
  const clear = () => {
    change({ search: undefined, ignoreCase: undefined });
    onState(undefined);
  };
  return (
    <DataTable
      id={`rollout-${rollout.kind}`}
      caption={t('rollouts.table')}
      columns={columns}
      rowId={idOf}
      source={{
        rows: query.data?.rows,
        total: query.data?.total,
        fetching: query.isFetching,
        error: query.error === null ? undefined : errorText(query.error),
        retry: () => void query.refetch(),
      }}
      view={view}
      defaultSize={PAGE}
      onView={(part) => change(part as Partial<TargetView>)}
      filtered={view.search !== undefined || state !== undefined}
      onClearFilters={clear}
      otherCase={otherCase}
      tools={
        <FilterBar
          search={{
            fields: fields.map((field) => ({ value: field, label: t(`rollouts.column.${field}`) })),
            field: view.field,
            value: view.search,
            onSearch: (field, text) => search(fields.find((one) => one === field) ?? 'serial', text),
          }}
          filters={[
            {
              name: 'state',
              label: t('rollouts.column.state'),
              options: [],
              value: state,
              shown: state === undefined ? undefined : t(`rollouts.state.${state}`),
            },
            letterCase,
          ]}
          onFilter={(name) => (name === 'state' ? onState(undefined) : change({ ignoreCase: undefined }))}
          onClear={clear}
        />
      }
    />
  );
}
