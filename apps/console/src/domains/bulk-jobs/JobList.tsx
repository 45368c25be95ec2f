import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { ListBar } from '../../api/ListBar.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useEach } from '../../api/useEach.ts';
import { useList } from '../../api/useList.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { type Selection, useSelection } from '../../ui/list/useSelection.ts';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { cancelJob, fetchJobs, type Job } from '../../entities/jobs/bulk-jobs.api.ts';
import { jobList } from './bulk-jobs.lists.ts';
import { jobSentence, resultText } from '../../entities/jobs/job.ts';
import { Progress } from './Progress.tsx';

function jobColumns(t: TFunction): readonly Column<Job>[] {
  return [
    {
      id: 'what',
      header: t('bulkJobs.column.what'),
      text: (job) => jobSentence(t, job),
      pinned: true,
      width: 380,
      phone: 'title',
      cell: (job) => (
        <Link to="/jobs/detail" search={{ job: job.id }}>
          {jobSentence(t, job)}
        </Link>
      ),
    },
    {
      id: 'state',
      phone: 'line',
      header: t('bulkJobs.column.state'),
      text: (job) => t(`bulkJobs.state.${job.state}`),
      width: 120,
    },
    {
      id: 'result',
      phone: 'line',
      phoneCell: (job) => resultText(t, job),
      header: t('bulkJobs.column.result'),
      text: (job) => resultText(t, job),
      width: 260,
      cell: (job) => (
        <span className="job-result">
          <Progress job={job} />
          {resultText(t, job)}
        </span>
      ),
    },
    { id: 'by', header: t('bulkJobs.column.by'), text: ({ by }) => by, width: 220 },
    {
      id: 'created',
      phone: 'aside',
      header: t('bulkJobs.column.created'),
      text: ({ created }) => created,
      width: 130,
      cell: (job) => <RelativeTime moment={job.created} />,
    },
  ];
}

const idOf = ({ id }: Job) => id;

/** Cancels the selected jobs that have not ended. */
function CancelChosen({ selection, reload }: { selection: Selection<Job>; reload: () => void }): ReactNode {
  const { t } = useTranslation();
  const running = [...selection.selected.values()].filter(({ ended }) => ended === null);
  const cancel = useEach<Job>({
    nameOf: (job) => jobSentence(t, job),
    run: ({ id }) => cancelJob(id),
    done: () => t('bulkJobs.toast.cancelled'),
    onEnd: (failed) => {
      selection.leave();
      selection.setMany(failed, true);
      reload();
    },
  });
  return (
    <ActionButton
      loading={cancel.busy}
      disabledReason={running.length === 0 ? t('bulkJobs.noneRuns') : undefined}
      onClick={() => cancel.run(running)}
    >
      {t('bulkJobs.cancel')}
    </ActionButton>
  );
}

/** /jobs: changes of many devices with their progress, live (BLK-01). */
export function JobList(): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => jobColumns(t), [t]);
  const nameOf = useCallback((job: Job) => jobSentence(t, job), [t]);
  const selection = useSelection(idOf, undefined, 'always', nameOf);
  const list = useList({
    spec: jobList,
    topics: ['jobs'],
    fetchPage: ({ limit, offset = 0 }, signal) => fetchJobs({ limit, offset }, signal),
  });
  return (
    <ListPage
      list={list}
      title={t('bulkJobs.title')}
      count={(count, shown) => t('bulkJobs.count', { count, shown })}
      note={<p className="dim">{t('bulkJobs.hint')}</p>}
      tools={<></>}
      caption={t('bulkJobs.caption')}
      columns={columns}
      rowId={idOf}
      selection={selection}
      bar={
        <ListBar list={list} selection={selection} file={{ name: 'Jobs_export.csv', columns }}>
          <CancelChosen selection={selection} reload={list.reload} />
        </ListBar>
      }
      linkOf={({ id }) => ({ to: '/jobs/detail', search: { job: id } })}
    />
  );
}
