import { outages } from '@highline/contract';
import { filesOf } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';

export const fetchOutages = pagesOf(outages.listOutages);

export const fetchOutagesFile = filesOf(outages.exportOutages);

export const fetchSums = pagesOf(outages.sumOutages);

export const fetchSumsFile = filesOf(outages.exportSums);

/** The evidence pack, a PDF file. */
export const fetchEvidence = filesOf(outages.evidencePack);
