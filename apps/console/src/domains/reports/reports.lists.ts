import { reports } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/**
 * /reports/list/{type}: collected records (RPT-01). `from` and `until` are days, MM/DD/YYYY, of the day `custom`; `id` is
 * the query id; `after` is the cursor of a page beyond the counted rows.
 */
export const reportList = listSpec({
  id: 'reports',
  defaultSize: reports.REPORT_PAGE_SIZES[0],
  sorts: [],
  fields: [],
  filters: {
    day: [...reports.dayPresets, 'custom'],
    from: 'text',
    until: 'text',
    id: 'text',
    group: 'text',
    device: 'text',
    property: 'text',
    value: 'text',
    name: 'text',
    after: 'text',
  },
});

/** How the list was opened: from the sidebar, or from a chart whose data it shows (RPT-02). */
export const reportTypes = ['record', 'goto'] as const;
