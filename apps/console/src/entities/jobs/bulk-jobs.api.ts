import { bulkJobs, devices } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, callFile, type CallInput } from '../../api/client.ts';
import { changedEffect } from '../../api/confirmed.ts';
import { nullIfMissing } from '../../api/errors.ts';
import { type Page, pageOf, pagesOf, REFRESH_MS } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Job = bulkJobs.BulkJob;
export type JobItem = bulkJobs.JobItem;
export type JobPreview = bulkJobs.JobPreview;
export type JobAction = z.input<typeof bulkJobs.deviceAction>;

/** The chosen devices, or all that match the filter of a list; of one organization, or of the whole scope. */
export interface Chosen {
  readonly selection: z.input<typeof bulkJobs.deviceSelection>;
  readonly org?: string | undefined;
  /** How many there are, as the list counted them. */
  readonly count: number;
}

const bodyOf = (chosen: Chosen, action: JobAction) => ({
  action,
  selection: chosen.selection,
  ...(chosen.org === undefined ? {} : { org: chosen.org }),
});

/** What a job would do. */
export async function previewJob(chosen: Chosen, action: JobAction): Promise<JobPreview> {
  return (await call(bulkJobs.previewJob, { body: bodyOf(chosen, action) })).result;
}

/** Start a job; one of few devices is done when it answers. @param seen what the user has confirmed; undefined = not compared */
export async function startJob(chosen: Chosen, action: JobAction, seen?: JobPreview): Promise<Job> {
  const confirmed = seen?.arrivals?.confirmation;
  // The user confirms of a move what its group starts, and nothing where it starts nothing.
  const what = confirmed === undefined ? { preview: seen?.confirmation } : { confirmed };
  return (await call(bulkJobs.startJob, { body: { ...bodyOf(chosen, action), ...what } })).result;
}

/**
 * Start a job with what it does as the user has confirmed it; if that changes in between, ask again (BLK-01). A deletion has the devices that were
 * counted, whatever the filter matches by then; only with more than a selection can name is it compared.
 * @param ask whether to go on; `isAgain`: the devices changed since the question before
 * @returns undefined when the user declined
 */
export async function startConfirmed(
  chosen: Chosen,
  action: JobAction,
  ask: (preview: JobPreview, isAgain: boolean) => Promise<boolean>,
): Promise<Job | undefined> {
  for (let isAgain = false; ; isAgain = true) {
    // Each question follows from the response before it.
    const seen = await previewJob(chosen, action);
    if (!(await ask(seen, isAgain))) return undefined;
    const devices = seen.ids ?? [];
    try {
      return await startJob(devices.length === 0 ? chosen : { ...chosen, selection: { devices } }, action, seen);
    } catch (error) {
      if (changedEffect(error) === undefined) throw error;
    }
  }
}

/** Delete rows of a list as one job; one of few rows is done when it answers. @param confirmed as for the deletion in one call */
export async function startRemoval(
  { list, org }: { readonly list: bulkJobs.RowList; readonly org?: string | undefined },
  rows: readonly string[],
  confirmed?: string,
): Promise<Job> {
  const body = {
    action: { kind: 'remove', list } as const,
    selection: { rows: [...rows] },
    ...(org === undefined ? {} : { org }),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
  return (await call(bulkJobs.startJob, { body })).result;
}

const input = (job: string): CallInput<typeof bulkJobs.cancelJob> => ({ params: { job }, body: {} });

export async function cancelJob(id: string): Promise<Job> {
  return (await call(bulkJobs.cancelJob, input(id))).result;
}

/** Do it again for the devices that failed. @returns the new job */
export async function retryJob(id: string): Promise<Job> {
  return (await call(bulkJobs.retryJob, input(id))).result;
}

/** Restore the former values. @returns the new job */
export async function undoJob(id: string): Promise<Job> {
  return (await call(bulkJobs.undoJob, input(id))).result;
}

/** One page of the jobs, the newest first. */
export const fetchJobs = pagesOf(bulkJobs.listJobs);

/** One page of the results of a job. */
export async function fetchItems(
  job: string,
  query: { readonly limit: number; readonly offset?: number; readonly state?: bulkJobs.ItemState | undefined },
  signal: AbortSignal,
): Promise<Page<JobItem>> {
  return pageOf(await call(bulkJobs.listItems, { params: { job }, query, signal }));
}

/** A job, or null if it does not exist. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) =>
      nullIfMissing(async () => (await call(bulkJobs.getJob, { params: { job: id }, query: {}, signal })).result),
    refetchInterval: REFRESH_MS,
    meta: { topics: ['jobs'] },
  });

/** The chosen devices as CSV. */
export function fetchChosenFile(
  chosen: Chosen,
  layout: 'devices' | 'organizations',
  options: { readonly zone: string; readonly language: Language; readonly columns: string | undefined },
): Promise<Blob> {
  const { selection, org } = chosen;
  const whose = org === undefined ? {} : { org };
  if ('filter' in selection)
    return callFile(devices.exportDevices, { query: { ...selection.filter, ...whose, layout, ...options } });
  return callFile(devices.exportChosen, { body: { ...whose, devices: selection.devices, layout, ...options } });
}
