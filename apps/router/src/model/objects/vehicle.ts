import type { ObjectDef } from '../definition.ts';
import { compactTrail } from '../../platform/pidf-lo.ts';
import { decimal, flag, whole } from '../params.ts';

/** Path of the recorded positions. */
export const GPS_TRAIL = 'Device.X_HIGHLINE_GPS.Trail';

/** Vendor extensions for position and vehicle, which the standard lacks. Controllers find them by GetSupportedDM. */
const position: ObjectDef = {
  path: 'Device.X_HIGHLINE_GPS.',
  params: {
    // Degrees (WGS 84), km/h, degrees from north.
    Latitude: decimal(5, ({ platform }) => platform.sensors.position().latitude),
    Longitude: decimal(5, ({ platform }) => platform.sensors.position().longitude),
    Speed: decimal(1, ({ platform }) => platform.sensors.position().speed),
    Heading: whole(({ platform }) => platform.sensors.position().heading, 'fluctuating'),
    Satellites: whole(({ platform }) => platform.sensors.position().satellites, 'fluctuating'),
    // What was recorded since the last report that included it.
    Trail: {
      type: 'PARAM_STRING',
      fluctuating: true,
      read: ({ platform, trail }) => compactTrail(platform.sensors.fixesSince(trail.from)),
    },
  },
};

const vehicle: ObjectDef = {
  path: 'Device.X_HIGHLINE_Vehicle.',
  params: {
    Ignition: flag(({ platform }) => platform.sensors.ignition()),
    BatteryCharge: whole(({ platform }) => platform.sensors.batteryPercent(), 'fluctuating'),
    BatteryLow: flag(({ alarms }) => alarms.batteryIsLow()),
  },
};

export const vehicleObjects: readonly ObjectDef[] = [position, vehicle];
