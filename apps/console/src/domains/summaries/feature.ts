import { summaries } from '@highline/contract';
import { IconFileAnalytics } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';

const periods = ['7', '30', 'month', 'last-month', 'dates'] as const;

/** What the page shows, as its address says it. */
export interface SummarySearch {
  readonly kind?: summaries.SummaryKind | undefined;
  readonly period?: (typeof periods)[number] | undefined;
  /** ISO days, of the period `dates`. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly group?: string | undefined;
  readonly carrier?: string | undefined;
  readonly tag?: string | undefined;
  readonly sumBy?: summaries.SummarySum | undefined;
  /** Ids, separated by commas. */
  readonly columns?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 1_000) : undefined);
const day = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/u.test(value) ? value : undefined);

const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((each) => each === value);

/** The kind and the period are part of the address (RPM-01). */
const summariesRoute = createRoute({
  ...page('/summaries', ['main', 'admin', 'user'], {
    order: 315,
    section: 'data',
    icon: IconFileAnalytics,
    title: { 'en-US': 'Summaries', 'zh-TW': '定期報表' },
  }),
  validateSearch: (search: Record<string, unknown>): SummarySearch => ({
    kind: oneOf(search['kind'], summaries.summaryKinds),
    period: oneOf(String(search['period']), periods),
    from: day(search['from']),
    until: day(search['until']),
    group: text(search['group']),
    carrier: text(search['carrier']),
    tag: text(search['tag']),
    sumBy: oneOf(search['sumBy'], summaries.summarySums),
    columns: text(search['columns']),
  }),
  component: screen(['summaries'], () => import('./SummariesScreen.tsx'), 'SummariesScreen'),
});

export const routes = [summariesRoute] as const;

export const messages = {
  summaries: { 'en-US': () => import('./summaries.en-US.ts'), 'zh-TW': () => import('./summaries.zh-TW.ts') },
};
