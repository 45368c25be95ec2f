import type { Module } from '../../platform/modules/module.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { purgeGeofenceEvents } from './geofence-events.job.queries.ts';
import { registerGeofenceRoutes } from './geofences.routes.ts';
import type { GeofenceDeps } from './geofences.service.ts';
import { completeCrossings } from './silence.ts';

type GeofenceModuleDeps = GeofenceDeps & {
  readonly settings: Pick<Settings, 'telemetryDays' | 'reportSeconds'>;
  /** What follows from crossings, in the transaction that stores them: alert rules. */
  readonly compareCrossings: (tx: Tx, deviceIds: readonly string[], now: Date) => Promise<void>;
};

export const geofencesModule: Module<GeofenceModuleDeps> = {
  open(routes, deps) {
    registerGeofenceRoutes(routes, deps);
    const { database, settings, compareCrossings } = deps;
    const { telemetryDays, reportSeconds } = settings;
    return {
      jobs: [
        { name: 'events of geofences', everyMs: 3_600_000, run: (now) => purgeGeofenceEvents(database, telemetryDays, now) },
        {
          name: 'silent routers at geofences',
          everyMs: 5_000,
          run: (now) =>
            completeCrossings(database, now, {
              reportSeconds,
              onCrossed: (tx, deviceIds) => compareCrossings(tx, deviceIds, now),
            }),
        },
      ],
    };
  },
  organizationEnd: { tables: ['geofences', 'geofence_events'] },
};
