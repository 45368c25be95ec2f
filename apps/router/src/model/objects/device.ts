import { packetCapture } from '../../steps/diagnostics.ts';
import { factoryReset } from '../../steps/factory-reset.ts';
import { identify } from '../../steps/identify.ts';
import { reboot } from '../../steps/reboot.ts';
import { closeTunnel, grantAccess, openClientTunnel, openTunnel, revokeAccess } from '../../steps/remote.ts';
import type { ObjectDef } from '../definition.ts';
import { fixed } from '../params.ts';

/** The root object. To add a command, add one file in `steps/` and one line here. */
export const deviceObject: ObjectDef = {
  path: 'Device.',
  params: { RootDataModelVersion: fixed('2.19') },
  commands: {
    'Reboot()': reboot,
    'FactoryReset()': factoryReset,
    'PacketCaptureDiagnostics()': packetCapture,
    'X_HIGHLINE_Identify()': identify,
    'X_HIGHLINE_OpenTunnel()': openTunnel,
    'X_HIGHLINE_OpenClientTunnel()': openClientTunnel,
    'X_HIGHLINE_CloseTunnel()': closeTunnel,
    'X_HIGHLINE_GrantAccess()': grantAccess,
    'X_HIGHLINE_RevokeAccess()': revokeAccess,
  },
  events: { 'Boot!': ['CommandKey', 'Cause', 'FirmwareUpdated', 'ParameterMap'] },
};
