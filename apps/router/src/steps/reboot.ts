import { type CommandDef, DONE } from '../model/definition.ts';

/** Device.Reboot() (TR-181): answered first; then the router restarts and reports it in Boot! with the command key. */
export const reboot: CommandDef = {
  kind: 'CMD_SYNC',
  inputs: [],
  outputs: [],
  run({ control, commandKey }) {
    control.reboot(commandKey);
    return DONE;
  },
};
