import { syncCommand } from '../model/definition.ts';

/** Device.FactoryReset() (TR-181): deletes every setting and subscription, keeps the firmware, and restarts. */
export const factoryReset = syncCommand([], ({ control, commandKey }) => control.factoryReset(commandKey));
