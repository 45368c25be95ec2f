import { outages } from '@highline/contract';
import { call, callFile, type CallQuery } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';

export async function fetchOutages(
  query: CallQuery<typeof outages.listOutages>,
  signal: AbortSignal,
): Promise<Page<outages.Outage>> {
  return pageOf(await call(outages.listOutages, { query, signal }));
}

export const fetchOutagesFile = (query: CallQuery<typeof outages.exportOutages>): Promise<Blob> =>
  callFile(outages.exportOutages, { query });

export async function fetchSums(
  query: CallQuery<typeof outages.sumOutages>,
  signal: AbortSignal,
): Promise<Page<outages.Availability>> {
  return pageOf(await call(outages.sumOutages, { query, signal }));
}

export const fetchSumsFile = (query: CallQuery<typeof outages.exportSums>): Promise<Blob> =>
  callFile(outages.exportSums, { query });

/** The evidence pack, a PDF file. */
export const fetchEvidence = (query: CallQuery<typeof outages.evidencePack>): Promise<Blob> =>
  callFile(outages.evidencePack, { query });
