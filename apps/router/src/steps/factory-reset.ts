import { type CommandDef, DONE } from '../model/definition.ts';

/** Device.FactoryReset() (TR-181): deletes every setting and subscription, keeps the firmware, and restarts. */
export const factoryReset: CommandDef = {
  kind: 'CMD_SYNC',
  inputs: [],
  outputs: [],
  run({ control, commandKey }) {
    control.factoryReset(commandKey);
    return DONE;
  },
};
