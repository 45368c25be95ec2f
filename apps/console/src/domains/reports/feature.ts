import { IconReport } from '@tabler/icons-react';
import { createRoute, redirect } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { reportList, reportTypes } from './reports.lists.ts';

/** An unknown type leads to the list; `goto` is the same list, reached from a chart (RPT-02). */
const reportListRoute = createRoute({
  ...page('/reports/list/$type', ['admin', 'user'], {
    path: '/reports/list/record',
    order: 110,
    section: 'data',
    icon: IconReport,
    title: { 'en-US': 'Reports', 'zh-TW': '報表' },
    alsoActive: ['/reports/list/goto'],
  }),
  validateSearch: listSearch(reportList),
  beforeLoad: ({ params: { type } }) => {
    if (!reportTypes.some((known) => known === type))
      throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
  component: screen(['reports'], () => import('./ReportList.tsx'), 'ReportList'),
});

const reportsRoute = createRoute({
  ...page('/reports/list', ['admin', 'user']),
  beforeLoad: () => {
    throw redirect({ to: '/reports/list/$type', params: { type: 'record' }, search: {}, replace: true });
  },
});

export const routes = [reportListRoute, reportsRoute] as const;

export const messages = {
  reports: { 'en-US': () => import('./reports.en-US.ts'), 'zh-TW': () => import('./reports.zh-TW.ts') },
};
