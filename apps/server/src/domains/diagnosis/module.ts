import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { diagnoseDevices } from './diagnosis.job.ts';

const MINUTE = 60_000;

export const diagnosisModule: Module<Pick<Deps, 'database'>> = {
  open: (_, { database }) => ({
    jobs: [{ name: 'diagnosis of devices', everyMs: MINUTE, isShared: true, run: (now) => diagnoseDevices(database, now) }],
  }),
};
