import { recordings } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, filesOf, ifMatch } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';

export type Recording = recordings.Recording;

const meta = { topics: ['recordings'] } as const;

/** Whether terminals are recorded, and how long recordings are kept. */
export const recordingSettingsQuery = queryOptions({
  queryKey: ['recordings', 'settings'],
  queryFn: async ({ signal }) => (await call(recordings.getRecordingSettings, { query: {}, signal })).result,
  meta,
});

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export const saveRecordingSettings = async (settings: recordings.RecordingSettings, etag: string | undefined) =>
  (await call(recordings.saveRecordingSettings, { body: settings, ...ifMatch(etag) })).result;

export const fetchRecordings = pagesOf(recordings.listRecordings);

export const fetchRecordingsFile = filesOf(recordings.exportRecordings);

/** A recording by its id; null = it does not exist. */
export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: ['recordings', 'one', id],
    queryFn: async ({ signal }) => (await fetchRecordings({ recording: id, limit: 1 }, signal)).rows[0] ?? null,
    meta,
  });

/** The asciicast file of a recording. Each call is logged. */
export const fetchCast = (id: string): Promise<Blob> =>
  callFile(recordings.readRecording, { params: { recording: id }, query: {} });

/** The file as text, once for a page: opening it again is logged again. */
export const castQuery = (id: string) =>
  queryOptions({
    queryKey: ['recordings', 'cast', id],
    queryFn: async () => (await fetchCast(id)).text(),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

export const verifyRecording = async (id: string) =>
  (await call(recordings.verifyRecording, { params: { recording: id }, query: {} })).result;

/** Where a recorded terminal led to in the vehicle's network; empty = to the router. */
export const addressOf = (client: Recording['client']): string => (client === null ? '' : `${client.address}:${client.port}`);
