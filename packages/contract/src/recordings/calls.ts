import { z } from 'zod';
import { ANY_FILE, columnsOf, fileFormat, language, pageOf, pageQuery, tenantBody, tenantQuery } from '../conventions.ts';
import { adminOnly, operation } from '../operation.ts';
import { RECORDING_DAYS } from './limits.ts';
import { terminalEnds } from '../remote-access/calls.ts';
import { clientTarget } from '../remote-access/client-target.ts';

/** The largest recording, bytes that its terminal showed. The session ends there. */
export const MAX_RECORDING_BYTES = 20 * 1_048_576;

/** Why a recording ended: with its terminal, or `interrupted`, because the server that wrote it stopped. */
export const recordingEnds = [...terminalEnds, 'interrupted'] as const;
export type RecordingEnd = (typeof recordingEnds)[number];

export const recordingSettings = z.object({
  /** Whether terminals that are opened from now on are recorded. */
  recorded: z.boolean(),
  days: z.number().int().min(RECORDING_DAYS.least).max(RECORDING_DAYS.most),
});
export type RecordingSettings = z.infer<typeof recordingSettings>;

export const storedRecordingSettings = recordingSettings.extend({
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredRecordingSettings = z.infer<typeof storedRecordingSettings>;

export const getRecordingSettings = operation({
  id: 'recordings.settings',
  method: 'GET',
  path: '/data_manager/v1/dm/recordings/settings',
  summary: 'Whether terminals in the browser are recorded, and how many days recordings are kept (LIV-07).',
  scope: 'organization',
  roles: adminOnly,
  query: tenantQuery,
  response: z.object({ result: storedRecordingSettings }),
});

export const saveRecordingSettings = operation({
  id: 'recordings.saveSettings',
  method: 'PUT',
  path: '/data_manager/v1/dm/recordings/settings',
  summary:
    'Have terminals in the browser recorded from now on, or not. Fewer days delete older recordings within the hour. Accepts If-Match with its `version`.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(recordingSettings.shape),
  bodyExample: { recorded: true, days: RECORDING_DAYS.usual },
  response: z.object({ result: storedRecordingSettings }),
});

/** A client of the vehicle's network to whose SSH server a terminal led. */
export const recordedClient = clientTarget.omit({ service: true });
export type RecordedClient = z.infer<typeof recordedClient>;

export const recording = z.object({
  id: z.string(),
  device: z.string(),
  /** Vehicle number, or the serial number where there is none. */
  name: z.string(),
  serial: z.string(),
  /** Null: the terminal was the router's own. */
  client: recordedClient.nullable(),
  /** Email address of the user at the terminal. */
  by: z.string(),
  /** Epoch seconds; `ended` is null while it goes on. */
  began: z.number().int(),
  ended: z.number().int().nullable(),
  end: z.enum(recordingEnds).nullable(),
  /** Shown by its terminal. */
  bytes: z.number().int(),
});
export type Recording = z.infer<typeof recording>;

export const recordingQuery = tenantQuery.extend(pageQuery.shape).extend({
  /** Id of one device, of one recording. */
  device: z.string().max(60).optional(),
  recording: z.string().max(60).optional(),
  field: z.enum(['person', 'vehicle', 'serial']).optional(),
});
export type RecordingQuery = z.output<typeof recordingQuery>;

export const listRecordings = operation({
  id: 'recordings.list',
  method: 'GET',
  path: '/data_manager/v1/dm/recordings',
  summary: 'Recorded terminals, the newest first.',
  scope: 'organization',
  roles: adminOnly,
  query: recordingQuery,
  response: pageOf(recording),
});

export const recordingColumns = ['name', 'serial', 'client', 'by', 'began', 'ended', 'end', 'bytes'] as const;

export const exportRecordings = operation({
  id: 'recordings.export',
  method: 'GET',
  path: '/data_manager/v1/dm/recordings/export',
  summary: 'The same list as CSV or Excel workbook.',
  scope: 'organization',
  roles: adminOnly,
  query: recordingQuery.extend({
    format: fileFormat,
    columns: columnsOf(recordingColumns),
    language,
    /** IANA name, for the times; UTC without it. */
    zone: z.string().max(60).optional(),
  }),
  response: z.string(),
  sends: 'file',
});

const recordingPath = z.object({ recording: z.string() });

export const readRecording = operation({
  id: 'recordings.file',
  method: 'GET',
  path: '/data_manager/v1/dm/recordings/{recording}/file',
  summary: 'A recording as an asciicast file (version 2), also while it goes on. Each call is logged.',
  scope: 'organization',
  roles: adminOnly,
  params: recordingPath,
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: [ANY_FILE],
});

/**
 * `unbroken`: it is as it was when it ended, by the hash in the log. `changed`: it is not. `open`: it goes on. `log-deleted`: the log entry with
 * its hash was deleted after its retention.
 */
export const seals = ['unbroken', 'changed', 'open', 'log-deleted'] as const;
export type RecordingSeal = (typeof seals)[number];

export const verifyRecording = operation({
  id: 'recordings.verify',
  method: 'GET',
  path: '/data_manager/v1/dm/recordings/{recording}/seal',
  summary: 'Whether a recording is unchanged: its chain of SHA-256 hashes is calculated again, and compared with the log.',
  scope: 'organization',
  roles: adminOnly,
  params: recordingPath,
  query: tenantQuery,
  response: z.object({ result: z.object({ seal: z.enum(seals), sha256: z.string() }) }),
});

export const topics = ['recordings'] as const;

export const schemaNames = {
  RecordingSettings: storedRecordingSettings,
  TerminalRecording: recording,
};
