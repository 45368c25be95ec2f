import type { Module } from '../../platform/modules/module.ts';
import { registerFirmwareRoutes, type FirmwareRoutesDeps } from './firmware.routes.ts';
import { sweepFirmwareBlobs } from './firmware.service.ts';

export const firmwareModule: Module<FirmwareRoutesDeps> = {
  open(routes, deps) {
    registerFirmwareRoutes(routes, deps);
    const { database, blobs } = deps;
    return { jobs: [{ name: 'firmware files', everyMs: 3_600_000, run: (now) => sweepFirmwareBlobs(database, blobs, now) }] };
  },
};
