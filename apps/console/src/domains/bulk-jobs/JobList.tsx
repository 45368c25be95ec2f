import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import type { Column } from '../../ui/table/column.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { fetchJobs, type Job } from './bulk-jobs.api.ts';
import { jobList } from './bulk-jobs.lists.ts';
import { jobSentence, resultText } from './job.ts';
import { Progress } from './Progress.tsx';

function jobColumns(t: TFunction): readonly Column<Job>[] {
  return [
    {
      id: 'what',
      header: t('bulkJobs.column.what'),
      pinned: true,
      clip: 420,
      cell: (job) => (
        <Link to="/jobs/detail" search={{ job: job.id }}>
          {jobSentence(t, job)}
        </Link>
      ),
    },
    { id: 'state', header: t('bulkJobs.column.state'), cell: (job) => t(`bulkJobs.state.${job.state}`) },
    {
      id: 'result',
      header: t('bulkJobs.column.result'),
      cell: (job) => (
        <span className="job-result">
          <Progress job={job} />
          {resultText(t, job)}
        </span>
      ),
    },
    { id: 'by', header: t('bulkJobs.column.by'), clip: 240, cell: (job) => job.by },
    { id: 'created', header: t('bulkJobs.column.created'), cell: (job) => <RelativeTime moment={job.created} /> },
  ];
}

/** /jobs: changes of many devices with their progress, live (BLK-01). */
export function JobList(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const columns = useMemo(() => jobColumns(t), [t]);
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
      rowId={(job) => job.id}
      onOpen={({ id }) => void navigate({ to: '/jobs/detail', search: { job: id } })}
    />
  );
}
