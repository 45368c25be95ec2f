import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { parseAnalysis } from '../../domains/analysis/address.ts';
import { logList } from '../../domains/logs/logs.lists.ts';
import { overviewList } from '../../domains/overview/overview.lists.ts';
import { reportList, reportTypes } from '../../domains/reports/reports.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { type Raw, signedInRoute } from './root-route.ts';

const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  validateSearch: (raw: Raw) => parseListSearch(overviewList, raw),
  component: lazyRouteComponent(
    withMessages([], () => import('../../domains/overview/Overview.tsx')),
    'Overview',
  ),
});

const logsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/logs',
  validateSearch: (raw: Raw) => parseListSearch(logList, raw),
  component: lazyRouteComponent(
    withMessages(['logs'], () => import('../../domains/logs/LogList.tsx')),
    'LogList',
  ),
});

/** An unknown type leads to the list; `goto` is the same list, reached from a chart (RPT-02). */
const reportListRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/list/$type',
  validateSearch: (raw: Raw) => parseListSearch(reportList, raw),
  beforeLoad: ({ params: { type } }) => {
    if (!reportTypes.some((known) => known === type))
      throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
  component: lazyRouteComponent(
    withMessages(['reports'], () => import('../../domains/reports/ReportList.tsx')),
    'ReportList',
  ),
});

const reportsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/list',
  beforeLoad: () => {
    throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
});

const analysisRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports/analysis',
  validateSearch: parseAnalysis,
  component: lazyRouteComponent(
    withMessages(['analysis', 'reports'], () => import('../../domains/analysis/Analysis.tsx')),
    'Analysis',
  ),
});

export const reportRoutes = [dashboardRoute, logsRoute, reportListRoute, reportsRoute, analysisRoute] as const;
