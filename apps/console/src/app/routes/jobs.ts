import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { itemList, jobList } from '../../domains/bulk-jobs/bulk-jobs.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute } from './root-route.ts';

const jobListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs',
  validateSearch: (raw: Raw) => parseListSearch(jobList, raw),
  component: lazyRouteComponent(
    withMessages(['bulkJobs'], () => import('../../domains/bulk-jobs/JobList.tsx')),
    'JobList',
  ),
});

const jobDetailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/detail',
  validateSearch: (raw: Raw) => parseListSearch(itemList, raw),
  beforeLoad: requireSelection('job', () => '/jobs'),
  component: lazyRouteComponent(
    withMessages(['bulkJobs'], () => import('../../domains/bulk-jobs/JobDetail.tsx')),
    'JobDetail',
  ),
});

export const jobRoutes = [jobListRoute, jobDetailRoute] as const;
