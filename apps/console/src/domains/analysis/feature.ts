import { IconChartLine } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';
import { parseAnalysis } from './address.ts';

const analysisRoute = createRoute({
  ...page('/reports/analysis', ['admin', 'user'], {
    order: 120,
    section: 'data',
    icon: IconChartLine,
    title: { 'en-US': 'Analysis', 'zh-TW': '分析' },
  }),
  validateSearch: parseAnalysis,
  component: screen(['analysis', 'reports'], () => import('./Analysis.tsx'), 'Analysis'),
});

export const routes = [analysisRoute] as const;

export const messages = {
  analysis: { 'en-US': () => import('./analysis.en-US.ts'), 'zh-TW': () => import('./analysis.zh-TW.ts') },
};
