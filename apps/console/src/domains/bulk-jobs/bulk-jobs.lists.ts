import { listSpec } from '../../ui/list/spec.ts';

/** /jobs: changes of many devices, the newest first (BLK-01). */
export const jobList = listSpec({ id: 'jobs', defaultSize: 10, sorts: [], fields: [], filters: {} });

/** /jobs/detail: the result of a job for each device (BLK-01). */
export const itemList = listSpec({
  id: 'job-devices',
  defaultSize: 10,
  sorts: [],
  fields: [],
  filters: { job: 'text', state: ['waiting', 'sending', 'done', 'failed', 'skipped'] },
  keeps: ['job'],
});
