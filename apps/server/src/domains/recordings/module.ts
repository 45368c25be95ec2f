import type { Module } from '../../platform/modules/module.ts';
import { createRecordingJobs } from './recordings.job.ts';
import { registerRecordingRoutes, type RecordingRoutesDeps } from './recordings.routes.ts';

export const recordingsModule: Module<RecordingRoutesDeps> = {
  open(routes, deps) {
    registerRecordingRoutes(routes, deps);
    return { jobs: createRecordingJobs(deps.database) };
  },
  organizationEnd: { tables: ['recording_chunks', 'recordings', 'recording_settings'] },
};
