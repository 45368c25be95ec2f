import { z } from 'zod';
import { language, tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

/** What a summary is about. */
export const summaryKinds = ['data-use', 'availability', 'outages', 'signal', 'alerts', 'people', 'inventory'] as const;
export type SummaryKind = (typeof summaryKinds)[number];

export const summaryFormats = ['pdf', 'xlsx', 'csv'] as const;
export type SummaryFormat = (typeof summaryFormats)[number];

/** Rows of a preview. */
export const PREVIEW_ROWS = 50;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day, for example 2026-11-23');

export const summaryQuery = tenantQuery.extend({
  kind: z.enum(summaryKinds),
  /** First and last day, `2026-11-01`, of the zone; the last 30 days without them. At most 93 days. */
  from: day.optional(),
  until: day.optional(),
  /** IANA name; UTC without it. Data used counts by the days of the organization. */
  zone: z.string().max(60).optional(),
  /** Only devices of this group. */
  group: z.string().max(100).optional(),
  language,
});
export type SummaryQuery = z.output<typeof summaryQuery>;

export const summary = z.object({
  title: z.string(),
  /** Whose, of which days, in which zone, of which group. */
  lines: z.array(z.string()),
  columns: z.array(z.object({ title: z.string(), isNumber: z.boolean() })),
  /** The first of them. */
  rows: z.array(z.array(z.string())),
  /** There are more. */
  isCut: z.boolean(),
});
export type Summary = z.infer<typeof summary>;

export const previewSummary = operation({
  id: 'summaries.preview',
  method: 'GET',
  path: '/data_manager/v1/dm/summaries/preview',
  summary:
    'A report about a period: data used, availability, outages, signal, alerts, people’s acts or inventory; its first rows (RPM-01).',
  scope: 'tenant',
  roles: everyRole,
  query: summaryQuery,
  response: z.object({ result: summary }),
});

export const summaryFile = operation({
  id: 'summaries.file',
  method: 'GET',
  path: '/data_manager/v1/dm/summaries/file',
  summary:
    'The whole report as PDF (the first 2,000 rows), Excel workbook or CSV; its first lines say what, whose and when (RPM-02).',
  scope: 'tenant',
  roles: everyRole,
  query: summaryQuery.extend({ format: z.enum(summaryFormats).optional() }),
  response: z.string(),
  sends: 'file',
});

export const schemaNames = { PeriodSummary: summary };
