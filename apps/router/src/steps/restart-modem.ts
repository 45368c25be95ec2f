import { syncCommand } from '../model/definition.ts';

/** Device.Cellular.Interface.{i}.X_HIGHLINE_Restart(): answered first; then the modem registers again, and the connection with it. */
export const restartModem = syncCommand([], ({ control }) => control.restartModem());
