import { z } from 'zod';
import {
  anything,
  deletion,
  email,
  groupKey,
  language,
  pageOf,
  paging,
  tenantBody,
  tenantQuery,
  typedName,
} from '../conventions.ts';
import { everyRole, managers, operation } from '../operation.ts';
import { separators } from './formats.ts';
import { summaryKinds, summarySums } from './kinds.ts';

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
  /** Only devices of this group; only of this carrier as routers report it; only with this tag. Where the kind has it. */
  group: groupKey.optional(),
  carrier: z.string().max(100).optional(),
  tag: z.string().max(100).optional(),
  /** What a row stands for, where the kind has a choice. */
  sumBy: z.enum(summarySums).optional(),
  /** Ids of columns in their order, separated by commas; all without it. */
  columns: z
    .string()
    .max(1_000)
    .meta({ examples: ['name,serial'] })
    .optional(),
  language,
});
export type SummaryQuery = z.output<typeof summaryQuery>;

export const summary = z.object({
  title: z.string(),
  /** Whose, of which days, in which zone, of which group. */
  lines: z.array(z.string()),
  columns: z.array(z.object({ title: z.string(), isNumber: z.boolean() })),
  /** All that it can have. */
  allColumns: z.array(z.object({ id: z.string(), title: z.string() })),
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
    'A report about a period: data used, availability, outages, signal, coverage, alerts, people’s acts, remote sessions; or about now: inventory, settings, subscriptions. Its first rows (RPM-01).',
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
  query: summaryQuery.extend({ format: z.enum(summaryFormats).optional(), separator: z.enum(separators).optional() }),
  response: z.string(),
  sends: 'file',
  fileTypes: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'],
});

/** The most saved summaries of an organization, or of a main account itself; and recipients of one. */
export const MOST_SUMMARIES = 50;
export const MOST_SUMMARY_RECIPIENTS = 20;

export const summaryIntervals = ['never', 'day', 'week', 'month'] as const;
export type SummaryInterval = (typeof summaryIntervals)[number];

/** A saved summary, and when it is sent. */
export const savedSummary = z.object({
  id: z.string(),
  /** Null: the main account with all of its organizations. */
  org: z.string().nullable(),
  orgName: z.string(),
  name: z.string(),
  kind: z.enum(summaryKinds),
  format: z.enum(summaryFormats),
  /** Key of a group; null = every device. */
  group: z.string().nullable(),
  carrier: z.string().nullable(),
  tag: z.string().nullable(),
  /** Null: the usual rows of its kind. */
  sumBy: z.enum(summarySums).nullable(),
  /** Ids of columns in their order; null = all. */
  columns: z.array(z.string()).nullable(),
  separator: z.enum(separators),
  zone: z.string(),
  language: z.enum(['en-US', 'zh-TW']),
  /** It is about the day, the seven days or the month before. */
  every: z.enum(summaryIntervals),
  /** Of the week, 1 = Monday; or of the month: a day that a month lacks is its last one. */
  onDay: z.number().int(),
  /** Of the zone. */
  hour: z.number().int(),
  recipients: z.array(z.string()),
  /** Recipients outside who have not confirmed yet: they get nothing. */
  unconfirmed: z.array(z.string()),
  /** Recipients whose mail servers rejected three summaries in a row: they get nothing until someone resumes them. */
  paused: z.array(z.string()),
  /** When the next is sent: once its days are over in the zone of its figures too. */
  nextAt: z.string().nullable(),
  /** When files were sent that are still kept, the newest first; at most 12. */
  sentFiles: z.array(z.string()),
  lastRun: z.object({ at: z.string(), state: z.enum(['waiting', 'sent', 'failed']), reason: z.string() }).nullable(),
  created: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  version: z.string(),
});
export type SavedSummary = z.infer<typeof savedSummary>;

const fields = {
  name: typedName(80).min(1),
  kind: z.enum(summaryKinds),
  format: z.enum(summaryFormats),
  group: groupKey.min(1).nullable().optional(),
  carrier: typedName(100).min(1).nullable().optional(),
  tag: typedName(100).min(1).nullable().optional(),
  sumBy: z.enum(summarySums).nullable().optional(),
  columns: z.array(z.string().min(1).max(40)).min(1).max(40).nullable().optional(),
  separator: z.enum(separators).optional(),
  zone: z.string().min(1).max(60),
  language: z.enum(['en-US', 'zh-TW']),
  every: z.enum(summaryIntervals),
  onDay: z.number().int().min(1).max(31),
  hour: z.number().int().min(0).max(23),
  recipients: z.array(email).max(MOST_SUMMARY_RECIPIENTS),
};
const bodyExample = {
  columns: ['name', 'serial'],
  zone: 'America/Chicago',
  onDay: 1,
  hour: 6,
};
const PATH = '/data_manager/v1/dm/summaries';
const path = z.object({ summary: z.string() });

export const listSummaries = operation({
  id: 'summaries.list',
  method: 'GET',
  path: PATH,
  summary: 'Saved summaries with their schedule and last run, the newest first (RPM-03).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend(paging.shape),
  response: pageOf(savedSummary),
});

export const createSummary = operation({
  id: 'summaries.create',
  method: 'POST',
  path: PATH,
  summary: 'Save a summary, and send it on a schedule; addresses outside confirm first (RPM-03).',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend(fields),
  bodyExample,
  response: z.object({ result: savedSummary }),
});

export const saveSummary = operation({
  id: 'summaries.save',
  method: 'PUT',
  path: `${PATH}/{summary}`,
  summary: 'Replace a saved summary. Accepts If-Match with its `version` (RPM-03).',
  scope: 'tenant',
  roles: managers,
  params: path,
  body: tenantBody.extend(fields),
  bodyExample,
  response: z.object({ result: savedSummary }),
});

export const deleteSummary = operation({
  id: 'summaries.delete',
  method: 'DELETE',
  path: `${PATH}/{summary}`,
  summary: 'Delete a saved summary; nothing more is sent (RPM-03).',
  scope: 'tenant',
  roles: managers,
  params: path,
  body: tenantBody,
  response: deletion,
});

export const sendSummary = operation({
  id: 'summaries.send',
  method: 'POST',
  path: `${PATH}/{summary}/send`,
  summary: 'Send a saved summary to its recipients now (RPM-03).',
  scope: 'tenant',
  roles: managers,
  params: path,
  body: tenantBody,
  response: z.object({ result: savedSummary }),
});

export const resumeRecipient = operation({
  id: 'summaries.resume',
  method: 'POST',
  path: `${PATH}/{summary}/resume`,
  summary: 'Send to a recipient of `paused` again, of all summaries of the organization or main account (RPM-03).',
  scope: 'tenant',
  roles: managers,
  params: path,
  body: tenantBody.extend({ mail: email }),
  response: z.object({ result: savedSummary }),
});

export const sentFile = operation({
  id: 'summaries.sentFile',
  method: 'GET',
  path: `${PATH}/{summary}/sent`,
  summary: 'The file that a saved summary sent at a time of `sentFiles`, as long as the organization keeps it (RPM-03).',
  scope: 'tenant',
  roles: managers,
  params: path,
  query: tenantQuery.extend({ at: z.string().max(40).optional() }),
  response: z.string(),
  sends: 'file',
  fileTypes: ['application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'],
});

/** Of a logo: bytes, and pixels of each side and in all. */
export const MAX_LOGO_BYTES = 512 * 1024;
export const MAX_LOGO_SIDE = 2_000;
export const MAX_LOGO_PIXELS = 1_000_000;
/** Days for which files that were sent are kept: at least as long as their mails can be sent again. */
export const LEAST_FILES_DAYS = 31;
export const MOST_FILES_DAYS = 731;
export const USUAL_FILES_DAYS = 35;
export const MOST_CARRIER_TARGETS = 20;

const carrierTarget = z.object({ carrier: typedName(100).min(1), target: z.number().min(0).max(100) });
const percent = z.number().min(0).max(100);
const targets = {
  /** Availability that is agreed, percent; null = none. */
  target: percent.nullable(),
  /** The same of one carrier, as routers report it. */
  carrierTargets: z.array(carrierTarget).max(MOST_CARRIER_TARGETS),
  filesDays: z.number().int().min(LEAST_FILES_DAYS).max(MOST_FILES_DAYS),
};
export const reportSettings = z.object({ ...targets, hasLogo: z.boolean(), version: z.string() });
export type ReportSettings = z.infer<typeof reportSettings>;

export const readSettings = operation({
  id: 'summaries.settings',
  method: 'GET',
  path: `${PATH}/settings`,
  summary:
    'What the reports of an organization have in common: availability that is agreed, logo, how long files are kept (RPM-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: reportSettings }),
});

export const saveSettings = operation({
  id: 'summaries.saveSettings',
  method: 'PUT',
  path: `${PATH}/settings`,
  summary: 'Replace it, all but the logo. Accepts If-Match with its `version` (RPM-05).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend(targets),
  bodyExample: { filesDays: USUAL_FILES_DAYS },
  response: z.object({ result: reportSettings }),
});

export const saveLogo = operation({
  id: 'summaries.saveLogo',
  method: 'POST',
  path: `${PATH}/settings/logo`,
  summary: 'Put a PNG or JPEG file at the head of documents (RPM-02).',
  scope: 'organization',
  roles: managers,
  body: tenantBody,
  bodyKind: 'multipart',
  response: z.object({ result: reportSettings }),
});

export const deleteLogo = operation({
  id: 'summaries.deleteLogo',
  method: 'DELETE',
  path: `${PATH}/settings/logo`,
  summary: 'Print documents without a logo (RPM-02).',
  scope: 'organization',
  roles: managers,
  body: tenantBody,
  response: z.object({ result: reportSettings }),
});

export const answerLink = operation({
  id: 'summaries.answerLink',
  method: 'POST',
  path: '/dmp_aa/api/v1/summaries/link',
  summary: 'Confirm an address, or end its mails with one click (RFC 8058), by the link of a mail (RPM-03).',
  scope: 'public',
  roles: [],
  query: z.object({ token: z.string().max(1_000) }),
  body: anything,
  response: z.object({ result: z.object({ purpose: z.enum(['confirmed', 'unsubscribed']) }) }),
});

export const topics = ['summaries'] as const;
export const schemaNames = {
  PeriodSummary: summary,
  SavedSummary: savedSummary,
  SavedSummaryBody: createSummary.body,
  ReportSettings: reportSettings,
  CarrierTarget: carrierTarget,
};
