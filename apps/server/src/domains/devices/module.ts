import type { Module } from '../../platform/modules/module.ts';
import { computeDeviceHealth } from './device-health.job.ts';
import { mergeDeviceCounts } from './devices.counts.ts';
import { purgeArchivedDevices, purgeDevicesOf } from './devices.purge.ts';
import { registerDeviceRoutes, type DeviceRoutesDeps } from './devices.routes.ts';
import { registerFleetMetricsRoutes } from './fleet-metrics.routes.ts';
import { recordOnlineShares } from './online-shares.ts';
import { markPlannedWork } from './planned-work.job.queries.ts';
import { purgeCarrierColorsOf } from './carrier-colors.store.ts';

const MINUTE = 60_000;

export const devicesModule: Module<DeviceRoutesDeps> = {
  open(routes, deps) {
    registerDeviceRoutes(routes, deps);
    registerFleetMetricsRoutes(routes, deps);
    const { database } = deps;
    /** Shares are counted from the first run of this process on. */
    let since: Date | undefined;
    return {
      jobs: [
        { name: 'archived devices', everyMs: 60 * MINUTE, run: (now) => purgeArchivedDevices(database, now) },
        { name: 'counts of devices', everyMs: 10_000, run: () => mergeDeviceCounts(database) },
        { name: 'devices that rollouts work on', everyMs: 3_000, run: (now) => markPlannedWork(database, now) },
        { name: 'health of devices', everyMs: MINUTE, run: () => computeDeviceHealth(database) },
        { name: 'online shares', everyMs: MINUTE, run: (now) => recordOnlineShares(database, now, (since ??= now)) },
      ],
    };
  },
  organizationEnd: { purgeInSteps: purgeDevicesOf, purge: purgeCarrierColorsOf },
};
