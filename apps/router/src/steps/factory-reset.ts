import { type CommandDef, DONE } from '../model/definition.ts';

/** Device.FactoryReset() (TR-181): every setting and subscription is forgotten, the firmware stays, the router starts anew. */
export const factoryReset: CommandDef = {
  kind: 'CMD_SYNC',
  inputs: [],
  outputs: [],
  run({ control, commandKey }) {
    control.factoryReset(commandKey);
    return DONE;
  },
};
