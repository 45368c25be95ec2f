import { withMessages } from '../../i18n/i18n.ts';

/** Users without pins do not load the charting code. */
export const loadPinnedCharts = withMessages(['analysis', 'reports'], () => import('./PinnedCharts.tsx'));
