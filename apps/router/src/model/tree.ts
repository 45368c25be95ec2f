import type { ObjectDef } from './definition.ts';
import { type Model, createModel } from './model.ts';
import { bulkDataObjects } from './objects/bulk-data.ts';
import { cellularObjects } from './objects/cellular.ts';
import { deviceInfoObjects } from './objects/device-info.ts';
import { deviceObject } from './objects/device.ts';
import { localAgentObjects } from './objects/local-agent.ts';
import { remoteObjects } from './objects/remote.ts';
import { userObject } from './objects/users.ts';
import { vehicleObjects } from './objects/vehicle.ts';

/** Every object of this router (TR-181 Device:2.19 and our extensions). */
export const routerObjects: readonly ObjectDef[] = [
  deviceObject,
  ...deviceInfoObjects,
  ...cellularObjects,
  ...vehicleObjects,
  userObject,
  ...remoteObjects,
  ...localAgentObjects,
  ...bulkDataObjects,
];

let shared: Model | undefined;

/** The model of a Highline router, made once per process. */
export function routerModel(): Model {
  return (shared ??= createModel(routerObjects));
}
