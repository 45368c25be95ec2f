import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { useList } from '../../api/useList.ts';
import { fetchItems, type Job, type JobItem, jobQuery } from '../../entities/jobs/bulk-jobs.api.ts';
import { jobSentence } from '../../entities/jobs/job.ts';
import { useJobActions } from '../../entities/jobs/useJobs.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { lastSearch } from '../../ui/list/last-search.ts';
import { useSelection } from '../../ui/list/useSelection.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { Progress } from './Progress.tsx';
import { itemList } from './bulk-jobs.lists.ts';
import { itemColumns } from './job-columns.tsx';

/** Retry, Undo and Cancel, where they are possible. */
function JobButtons({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const actions = useJobActions(({ id }) => void navigate({ to: '/jobs/detail', search: { job: id } }));
  return (
    <>
      {job.ended === null && (
        <Button loading={actions.cancel.busy} onClick={() => actions.cancel.run(job.id)}>
          {t('bulkJobs.cancel')}
        </Button>
      )}
      {job.undoable && (
        <Button loading={actions.undo.busy} onClick={() => actions.undo.run(job.id)}>
          {t('bulkJobs.undo')}
        </Button>
      )}
      {job.retriable && (
        <Button variant="filled" loading={actions.retry.busy} onClick={() => actions.retry.run(job.id)}>
          {t('bulkJobs.retry', { count: job.failed, shown: formatNumber(job.failed) })}
        </Button>
      )}
    </>
  );
}

function Summary({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const tags = [
    ...(job.add.length > 0 ? [t('bulkJobs.added', { tags: job.add.join(t('ui.between')) })] : []),
    ...(job.remove.length > 0 ? [t('bulkJobs.removed', { tags: job.remove.join(t('ui.between')) })] : []),
  ];
  return (
    <div className="job-summary">
      <Progress job={job} />
      <span>
        {t(`bulkJobs.state.${job.state}`)} · {job.by} · <RelativeTime moment={job.created} />
        {tags.length > 0 && ` · ${tags.join(' · ')}`}
      </span>
      {job.kind === 'send' && (
        <Link to="/commands/sent" search={{ job: job.id }}>
          {t('bulkJobs.toCommands')}
        </Link>
      )}
    </div>
  );
}

function Filters({ job, state, change }: { job: Job; state: string | undefined; change: (state: string | undefined) => void }) {
  const { t } = useTranslation();
  const counts = { done: job.done, failed: job.failed, skipped: job.skipped } as const;
  const names = (['done', 'failed', 'skipped'] as const).filter((name) => counts[name] > 0 || state === name);
  return (
    <div className="job-filters" role="group" aria-label={t('bulkJobs.column.result')}>
      <Button aria-pressed={state === undefined} onClick={() => change(undefined)}>
        {t('bulkJobs.filter.all')}
      </Button>
      {names.map((name) => (
        <Button key={name} aria-pressed={state === name} onClick={() => change(name)}>
          {t(`bulkJobs.result.${name}`, { shown: formatNumber(counts[name]) })}
        </Button>
      ))}
    </div>
  );
}

const idOf = ({ n }: JobItem) => String(n);
const nameOf = ({ row, vehicle_number: vehicle, serial_number: serial }: JobItem) =>
  row?.name ?? (vehicle === '' ? serial : vehicle);

function Results({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const isOfRows = job.kind === 'remove';
  const columns = useMemo(() => itemColumns(t, isOfRows), [t, isOfRows]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: itemList,
    topics: ['jobs'],
    key: [job.id],
    fetchPage: ({ limit, offset = 0, state }, signal) =>
      fetchItems(job.id, { limit, offset, ...(state === undefined ? {} : { state }) }, signal),
  });
  const { state } = list.state.search;
  return (
    <ListPage
      list={list}
      title={jobSentence(t, job)}
      back={
        <Link to="/jobs" search={lastSearch('/jobs')}>
          {t('bulkJobs.back')}
        </Link>
      }
      count={(count, shown) => t(isOfRows ? 'bulkJobs.rows' : 'bulkJobs.devices', { count, shown })}
      actions={<JobButtons job={job} />}
      note={<Summary job={job} />}
      tools={<Filters job={job} state={state} change={(value) => list.state.change({ state: value as typeof state })} />}
      caption={t('bulkJobs.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={<ListBar list={list} selection={selection} file={{ name: 'Job_export.csv', columns }} />}
    />
  );
}

/** /jobs/detail: one change of many devices, with the result for each (BLK-01). */
export function JobDetail(): ReactNode {
  const { job: id = '' } = useSearch({ from: '/signed-in/jobs/detail' });
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  if (job === null)
    return (
      <EmptyState
        text={t('bulkJobs.gone')}
        action={
          <Link to="/jobs" search={lastSearch('/jobs')}>
            {t('bulkJobs.all')}
          </Link>
        }
      />
    );
  if (job !== undefined) return <Results key={job.id} job={job} />;
  if (error !== null) return <ErrorState text={errorText(error)} onRetry={() => void refetch()} />;
  return <Skeleton lines={6} />;
}
