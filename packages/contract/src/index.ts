import { accountOperations } from './accounts.ts';
import { colleagueOperations } from './colleagues.ts';
import { commandOperations } from './commands.ts';
import { configOperations } from './configs.ts';
import { deviceOperations } from './devices.ts';
import { deviceAddingOperations } from './device-adding.ts';
import { esimOperations } from './esims.ts';
import { propertyOperations } from './properties.ts';
import { remoteAccessOperations } from './remote-access.ts';
import { reportOperations } from './reports.ts';
import { analysisOperations } from './analysis.ts';
import { firmwareOperations } from './firmware.ts';
import { groupOperations } from './groups.ts';
import { inventoryOperations } from './inventory.ts';
import { liveOperations } from './live.ts';
import { logOperations } from './logs.ts';
import { notificationOperations } from './notifications.ts';
import type { Operation } from './operation.ts';
import { organizationOperations } from './organizations.ts';
import { rolloutOperations } from './rollouts.ts';
import { secondFactorOperations } from './second-factor.ts';
import { timelineOperations } from './timeline.ts';

export * as accounts from './accounts.ts';
export * as colleagues from './colleagues.ts';
export * as commands from './commands.ts';
export * as configs from './configs.ts';
export * as devices from './devices.ts';
export * as deviceAdding from './device-adding.ts';
export * as esims from './esims.ts';
export * as properties from './properties.ts';
export * as remoteAccess from './remote-access.ts';
export * as reports from './reports.ts';
export * as analysis from './analysis.ts';
export * from './report-windows.ts';
export * as firmware from './firmware.ts';
export * as groups from './groups.ts';
export * as inventory from './inventory.ts';
export * as live from './live.ts';
export * as logs from './logs.ts';
export * as notifications from './notifications.ts';
export * as organizations from './organizations.ts';
export * as rollouts from './rollouts.ts';
export * as secondFactor from './second-factor.ts';
export * as timeline from './timeline.ts';
export { isEmail, tidyEmail } from './email.ts';
export * from './errors.ts';
export * from './impact.ts';
export * from './operation.ts';
export * from './presence.ts';
export * from './rejection.ts';
export * from './questions.ts';
export * from './role-strings.ts';
export * from './subscription.ts';
export * from './conventions.ts';

/** Every operation of the product: the server registers exactly these, the tenant matrix tests exactly these. */
export const allOperations: readonly Operation[] = [
  ...accountOperations,
  ...secondFactorOperations,
  ...colleagueOperations,
  ...organizationOperations,
  ...deviceOperations,
  ...timelineOperations,
  ...deviceAddingOperations,
  ...groupOperations,
  ...firmwareOperations,
  ...configOperations,
  ...rolloutOperations,
  ...inventoryOperations,
  ...liveOperations,
  ...logOperations,
  ...notificationOperations,
  ...esimOperations,
  ...remoteAccessOperations,
  ...commandOperations,
  ...propertyOperations,
  ...analysisOperations,
  ...reportOperations,
];
