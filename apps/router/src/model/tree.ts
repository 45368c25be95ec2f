import type { ObjectDef } from './definition.ts';
import { type Model, createModel } from './model.ts';
import { bulkDataObjects } from './objects/bulk-data.ts';
import { cellularObjects } from './objects/cellular.ts';
import { deviceInfoObjects } from './objects/device-info.ts';
import { diagnosticsObjects } from './objects/diagnostics.ts';
import { deviceObject } from './objects/device.ts';
import { forwardingObjects } from './objects/forwarding.ts';
import { localAgentObjects } from './objects/local-agent.ts';
import { euiccObjects, uiccObjects } from './objects/sim.ts';
import { remoteObjects } from './objects/remote.ts';
import { uplinkObjects } from './objects/uplinks.ts';
import { userObject } from './objects/users.ts';
import { vehicleObjects } from './objects/vehicle.ts';
import { wifiObjects } from './objects/wifi.ts';

const common: readonly ObjectDef[] = [
  deviceObject,
  ...deviceInfoObjects,
  ...diagnosticsObjects,
  ...cellularObjects,
  ...uplinkObjects,
  ...wifiObjects,
  ...forwardingObjects,
  ...vehicleObjects,
  userObject,
  ...remoteObjects,
  ...localAgentObjects,
  ...bulkDataObjects,
];

/** Every object of a router with an eUICC (TR-181 Device:2.19 and our extensions). */
export const routerObjects: readonly ObjectDef[] = [...common, ...euiccObjects];

let withEuicc: Model | undefined;
let withCard: Model | undefined;

/** The model of a Highline router, built once per process. @param hasEuicc false: its SIM is a card without profiles */
export function routerModel(hasEuicc = true): Model {
  if (hasEuicc) return (withEuicc ??= createModel(routerObjects));
  return (withCard ??= createModel([...common, ...uiccObjects]));
}
