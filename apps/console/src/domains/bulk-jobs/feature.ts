import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen } from '../../routing/page.ts';
import { itemList, jobList } from './bulk-jobs.lists.ts';

const jobListRoute = createRoute({
  ...page('/jobs', ['main', 'admin']),
  validateSearch: listSearch(jobList),
  component: screen(['bulkJobs'], () => import('./JobList.tsx'), 'JobList'),
});

const jobDetailRoute = createRoute({
  ...page('/jobs/detail', ['main', 'admin']),
  validateSearch: listSearch(itemList),
  beforeLoad: requireSelection('job', () => jobListRoute),
  component: screen(['bulkJobs'], () => import('./JobDetail.tsx'), 'JobDetail'),
});

export const routes = [jobListRoute, jobDetailRoute] as const;

export const messages = {
  bulkJobs: { 'en-US': () => import('./bulk-jobs.en-US.ts'), 'zh-TW': () => import('./bulk-jobs.zh-TW.ts') },
};
