import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { percentOf } from '../../ui/percent.ts';
import { activeJobsQuery } from './active-jobs.api.ts';
import './active-jobs.css';

/** How far the running jobs are together, in percent; nothing while none is running. */
export function ActiveJobs(): ReactNode {
  const jobs = useQuery(activeJobsQuery).data ?? [];
  if (jobs.length === 0) return null;
  const total = jobs.reduce((sum, job) => sum + job.total, 0);
  const finished = jobs.reduce((sum, job) => sum + job.done + job.failed + job.skipped, 0);
  return <span className="active-jobs">{percentOf(finished, total)} %</span>;
}
