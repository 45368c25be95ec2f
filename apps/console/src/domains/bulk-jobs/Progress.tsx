import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatNumber } from '../../ui/time/format.ts';
import type { Job } from '../../entities/jobs/bulk-jobs.api.ts';
import './bulk-jobs.css';
import { finishedOf } from '../../entities/jobs/job.ts';

/** How far a job is, as a bar in the colours of its results. */
export function Progress({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  const { total, done, failed, skipped } = job;
  const share = (count: number) => `${total === 0 ? 0 : (100 * count) / total}%`;
  return (
    <span
      className="job-progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={finishedOf(job)}
      aria-label={t('bulkJobs.progress', { done: formatNumber(finishedOf(job)), total: formatNumber(total) })}
    >
      <span data-state="done" style={{ width: share(done) }} />
      <span data-state="skipped" style={{ width: share(skipped) }} />
      <span data-state="failed" style={{ width: share(failed) }} />
    </span>
  );
}
