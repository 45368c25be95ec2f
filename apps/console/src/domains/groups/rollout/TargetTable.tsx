import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../api/useErrorText.ts';
import { Copyable } from '../../../ui/CopyButton.tsx';
import { FilterBar } from '../../../ui/filter/FilterBar.tsx';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { reasonCode, stateTones } from './rollout.ts';
import { type Rollout, type Target, targetsQuery, type TargetState, type TargetView } from './rollouts.api.ts';

const PAGE = 10;
const start: TargetView = { page: 1, size: PAGE, sort: undefined, field: 'serial', search: undefined };
const fields = ['serial', 'vehicle'] as const;
const idOf = (target: Target) => target.device;

/** Where a router is, why, and how its file was checked. */
function State({ target }: { target: Target }): ReactNode {
  const { t } = useTranslation();
  const { state, percent, reason, attempt, checkedBy } = target;
  const word = t(`rollouts.state.${state}`);
  const code = reason === null ? undefined : reasonCode(reason);
  const notes = [
    ...(reason === null ? [] : [code === undefined ? reason : t(`rollouts.reason.${code}`)]),
    ...(attempt > 1 ? [t('rollouts.attempt', { count: attempt })] : []),
    ...(checkedBy === 'sha256' ? [t('rollouts.sha256Only')] : []),
  ];
  return (
    <div className="target-state">
      <StatusDot tone={stateTones[state]}>
        {state === 'downloading' ? t('rollouts.percent', { state: word, percent }) : word}
      </StatusDot>
      {notes.length > 0 && <span className="target-state__why">{notes.join(' · ')}</span>}
    </div>
  );
}

/** What it runs, and on the way what it will run. */
function Version({ target, rollout }: { target: Target; rollout: Rollout }): ReactNode {
  const { t } = useTranslation();
  const { current } = target;
  if (current === null) return <span className="dim">--</span>;
  if (rollout.kind === 'config' || current === rollout.name || target.state === 'unsupported') return current;
  return t('rollouts.toVersion', { from: current, to: rollout.name });
}

function targetColumns(t: TFunction, rollout: Rollout): readonly Column<Target>[] {
  return [
    {
      id: 'serial',
      header: t('rollouts.column.serial'),
      sort: 'serial',
      pinned: true,
      cell: ({ serial_number: serial }) => (
        <Copyable text={serial} label={t('rollouts.column.serial')}>
          <span className="mono strong">{serial}</span>
        </Copyable>
      ),
    },
    { id: 'vehicle', header: t('rollouts.column.vehicle'), clip: 140, cell: (target) => target.vehicle_number },
    { id: 'state', header: t('rollouts.column.state'), cell: (target) => <State target={target} /> },
    {
      id: 'version',
      header: t('rollouts.column.version'),
      clip: 220,
      cell: (target) => <Version target={target} rollout={rollout} />,
    },
    {
      id: 'since',
      header: t('rollouts.column.since'),
      sort: 'updated',
      numeric: true,
      cell: ({ updated }) => <RelativeTime moment={updated} />,
    },
  ];
}

export interface TargetTableProps {
  readonly rollout: Rollout;
  /** Only routers in this state. */
  readonly state: TargetState | undefined;
  readonly onState: (state: TargetState | undefined) => void;
}

/** The routers of a rollout, by state, with reasons in words. */
export function TargetTable({ rollout, state, onState }: TargetTableProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [view, setView] = useState(start);
  // Another state begins at its first page.
  const [shownState, setShownState] = useState(state);
  if (shownState !== state) {
    setShownState(state);
    setView({ ...view, page: 1 });
  }
  const columns = useMemo(() => targetColumns(t, rollout), [t, rollout]);
  const query = useQuery(targetsQuery(rollout.id, view, state));
  const change = (part: Partial<TargetView>) => setView((before) => ({ ...before, page: 1, ...part }));
  const clear = () => {
    change({ search: undefined });
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
      tools={
        <FilterBar
          search={{
            fields: fields.map((field) => ({ value: field, label: t(`rollouts.column.${field}`) })),
            field: view.field,
            value: view.search,
            onSearch: (field, text) =>
              change({ field: fields.find((one) => one === field) ?? 'serial', search: text === '' ? undefined : text }),
          }}
          filters={[
            {
              name: 'state',
              label: t('rollouts.column.state'),
              options: [],
              value: state,
              shown: state === undefined ? undefined : t(`rollouts.state.${state}`),
            },
          ]}
          onFilter={() => onState(undefined)}
          onClear={clear}
        />
      }
    />
  );
}
