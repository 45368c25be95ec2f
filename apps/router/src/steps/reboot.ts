import { syncCommand } from '../model/definition.ts';

/** Device.Reboot() (TR-181): answered first; then the router restarts and reports it in Boot! with the command key. */
export const reboot = syncCommand([], ({ control, commandKey }) => control.reboot(commandKey));
