import type { Chosen, Job } from '../../entities/jobs/bulk-jobs.api.ts';

/** A dialog that asks for the value of a job. */
export interface ChoiceProps {
  readonly chosen: Chosen;
  readonly onClose: () => void;
  readonly onStarted: (job: Job) => void;
}
