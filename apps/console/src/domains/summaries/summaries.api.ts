import { summaries } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallInput, type CallQuery } from '../../api/client.ts';

export type SavedSummary = summaries.SavedSummary;
export type SummaryDraft = Required<Omit<CallInput<typeof summaries.saveSummary>['body'], 'org' | 'realm'>>;

/** The first rows of a summary. */
export const previewQuery = (query: CallQuery<typeof summaries.previewSummary>) =>
  queryOptions({
    queryKey: ['summaries', 'preview', query] as const,
    queryFn: async ({ signal }) => (await call(summaries.previewSummary, { query, signal })).result,
    placeholderData: keepPreviousData,
  });

/** The whole summary as a file. */
export const fetchSummaryFile = (query: CallQuery<typeof summaries.summaryFile>): Promise<Blob> =>
  callFile(summaries.summaryFile, { query });

/** All saved summaries: there are at most 50. */
export const savedQuery = queryOptions({
  queryKey: ['summaries', 'saved'] as const,
  queryFn: async ({ signal }) =>
    (await call(summaries.listSummaries, { query: { limit: summaries.MOST_SUMMARIES }, signal })).result,
  meta: { topics: ['summaries'] },
});

export type ReportSettings = summaries.ReportSettings;

/** What all reports of the organization have in common. */
export const settingsQuery = queryOptions({
  queryKey: ['summaries', 'settings'] as const,
  queryFn: async ({ signal }) => (await call(summaries.readSettings, { query: {}, signal })).result,
  meta: { topics: ['summaries'] },
});

/** @throws ApiError `conflict.stale` */
export const saveReportSettings = async (
  version: string,
  body: Pick<ReportSettings, 'target' | 'carrierTargets' | 'filesDays'>,
): Promise<ReportSettings> => (await call(summaries.saveSettings, { body, ifMatch: `"${version}"` })).result;

/** @throws ApiError `logo.unreadable`, `logo.too_many_pixels`, `logo.too_large` */
export const saveLogo = async (logo: File): Promise<ReportSettings> =>
  (await call(summaries.saveLogo, { body: {}, files: { logo } })).result;

export const deleteLogo = async (): Promise<ReportSettings> => (await call(summaries.deleteLogo, { body: {} })).result;

/** A file that was sent. */
export const fetchSentFile = ({ id, org }: SavedSummary, at: string): Promise<Blob> =>
  callFile(summaries.sentFile, { params: { summary: id }, query: { ...whose(org), at } });

const whose = (org: string | null) => (org === null ? {} : { org });

/** @throws ApiError `summary.too_many`, `summary.no_recipient` */
export const createSummary = async (draft: SummaryDraft): Promise<SavedSummary> =>
  (await call(summaries.createSummary, { body: draft })).result;

/** @throws ApiError `conflict.stale`, `summary.no_recipient` */
export const saveSummary = async ({ id, org }: SavedSummary, draft: SummaryDraft, version: string): Promise<SavedSummary> =>
  (await call(summaries.saveSummary, { params: { summary: id }, body: { ...whose(org), ...draft }, ifMatch: `"${version}"` }))
    .result;

export const deleteSummary = ({ id, org }: SavedSummary) =>
  call(summaries.deleteSummary, { params: { summary: id }, body: whose(org) });
/** Send to a recipient again that is paused. @throws ApiError `summary.not_paused` */
export const resumeRecipient = ({ id, org }: SavedSummary, mail: string) =>
  call(summaries.resumeRecipient, { params: { summary: id }, body: { ...whose(org), mail } });
/** Send it to its recipients now. */
export const sendSummary = ({ id, org }: SavedSummary) =>
  call(summaries.sendSummary, { params: { summary: id }, body: whose(org) });
