import { Readable } from 'node:stream';
import { recordings as calls } from '@highline/contract';
import { checkZone, required, withVersion, type OrganizationScope } from '../../kernel/index.ts';
import { announceFile, fileNameOf, sendSavedContent, type Routes } from '../../platform/calls/index.ts';
import { chosenColumns, sendCsv } from '../../platform/csv/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordingColumns } from './recordings.export.ts';
import { findRecording, readRecordingSettings, recordingList } from './recordings.queries.ts';
import { readCast, saveSettings, verifySeal } from './recordings.service.ts';

export type RecordingRoutesDeps = Pick<Deps, 'database' | 'reader' | 'streams' | 'clock'>;

/** Registers the operations on recorded terminals (LIV-07). */
export function registerRecordingRoutes(routes: Routes, deps: RecordingRoutesDeps): void {
  const { database, streams } = deps;
  const getRecording = async (scope: OrganizationScope, id: string) =>
    required(await findRecording(database.read, scope, id), 'not_found', { field: 'recording' });

  const readSettings = (scope: OrganizationScope) => readRecordingSettings(database.read, scope);

  routes.on(calls.getRecordingSettings, async ({ scope }) => ({ result: withVersion(await readSettings(scope)) }));

  routes.on(calls.saveRecordingSettings, (call) => {
    const { scope, actor, body } = call;
    const { recorded, days } = body;
    return sendSavedContent(
      call,
      (isCurrent) => saveSettings(deps, scope, actor, { recorded, days }, isCurrent),
      () => readSettings(scope),
    );
  });

  routes.on(calls.listRecordings, async ({ scope, query }) => recordingList.respond(deps, scope, query));

  routes.on(calls.exportRecordings, async (call) => {
    const { scope, query } = call;
    const zone = query.zone === undefined || query.zone === '' ? 'UTC' : query.zone;
    checkZone(zone, 'zone');
    const columns = chosenColumns(recordingColumns(zone, query.language), query.columns, calls.recordingColumns);
    return sendCsv(call, 'terminal_recordings', columns, recordingList.rows(streams, scope, query));
  });

  routes.on(calls.readRecording, async ({ scope, actor, params, reply }) => {
    const recording = await getRecording(scope, params.recording);
    const lines = await readCast(deps, scope, actor, recording);
    const { serial, began_at: began } = recording;
    announceFile(
      reply,
      `${fileNameOf(`${serial} ${began.toISOString().slice(0, 16)}`, 'terminal')}.cast`,
      'application/octet-stream',
    );
    return Readable.from(lines, { objectMode: false });
  });

  routes.on(calls.verifyRecording, async ({ scope, params }) => ({
    result: await verifySeal(database.read, scope, await getRecording(scope, params.recording)),
  }));
}
