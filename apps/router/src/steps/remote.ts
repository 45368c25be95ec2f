import { normalizeMac, type OperationOutcome, UspError } from '@highline/usp';
import { type CommandCall, syncCommand } from '../model/definition.ts';
import { type Service, services, type TunnelRequest } from '../remote/remote-control.ts';

const LONGEST_TEXT = 512;
const MAX_GRANT_SECONDS = 3_600;

/** Device.X_HIGHLINE_OpenTunnel(): open a tunnel to a service of the router; answered before it is open. */
export const openTunnel = syncCommand(['Address', 'User', 'Secret', 'HostKey', 'Service'], (call) => {
  const way = wayOf(call);
  if (typeof way === 'string') return wrong(way);
  const service = serviceOf(call);
  if (!service) return wrong('Service must be SSH or GUI');
  return ended(call.control.remote.open({ ...way, service }));
});

/** Device.X_HIGHLINE_OpenClientTunnel(): open a tunnel to a port of a device in the vehicle's network (LIV-08). */
export const openClientTunnel = syncCommand(
  ['Address', 'User', 'Secret', 'HostKey', 'MACAddress', 'IPAddress', 'Port'],
  (call) => {
    const way = wayOf(call);
    if (typeof way === 'string') return wrong(way);
    const mac = normalizeMac(argument(call, 'MACAddress') ?? '')
      ?.match(/../gu)
      ?.join(':');
    if (mac === undefined) return wrong('MACAddress must be six octets');
    const service = { mac, address: argument(call, 'IPAddress') ?? '', port: Number(argument(call, 'Port') ?? '') };
    return ended(call.control.remote.open({ ...way, service }));
  },
);

/** Device.X_HIGHLINE_CloseTunnel(): end a session's tunnel and all connections through it. */
export const closeTunnel = syncCommand(['User'], (call) => ended(call.control.remote.close(argument(call, 'User') ?? '')));

/** Device.X_HIGHLINE_GrantAccess(): credentials for one session, which expire after `Seconds`. */
export const grantAccess = syncCommand(['User', 'Username', 'Password', 'Service', 'Seconds'], (call) => {
  const [username, password] = [argument(call, 'Username'), argument(call, 'Password')];
  const service = serviceOf(call);
  const seconds = Number(argument(call, 'Seconds') ?? '');
  if (!username || !password || password.length < 12)
    return wrong('Username and a Password of at least 12 characters are needed');
  if (!service) return wrong('Service must be SSH or GUI');
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_GRANT_SECONDS)
    return wrong(`Seconds must be from 1 to ${MAX_GRANT_SECONDS}`);
  return ended(call.control.remote.grant(argument(call, 'User') ?? '', { username, password, service, seconds }));
});

/** Device.X_HIGHLINE_RevokeAccess(): accept no more sign-ins with a session's credentials. */
export const revokeAccess = syncCommand(['User'], (call) => ended(call.control.remote.revoke(argument(call, 'User') ?? '')));

/** Device.UserInterface.PasswordReset() (TR-181): reset the administrator's password to its default. */
export const passwordReset = syncCommand([], ({ control }) => {
  control.resetPassword();
});

/** Where a tunnel leads from, or what is wrong with it. */
function wayOf(call: CommandCall): Omit<TunnelRequest, 'service'> | string {
  const [address, user, secret, hostKey] = [
    argument(call, 'Address'),
    argument(call, 'User'),
    argument(call, 'Secret'),
    argument(call, 'HostKey'),
  ];
  if (!address || !user || !secret) return 'Address, User and Secret are needed, each of at most 512 characters';
  if (!hostKey?.startsWith('SHA256:')) return "HostKey must be 'SHA256:' and a digest in base64";
  return { address, user, secret, hostKey };
}

function argument({ args }: CommandCall, name: string): string | undefined {
  const text = args.get(name);
  return text !== undefined && text.length <= LONGEST_TEXT ? text : undefined;
}

function serviceOf(call: CommandCall): Service | undefined {
  return services.find((service) => service === argument(call, 'Service'));
}

function wrong(errMsg: string): OperationOutcome {
  return { type: 'cmd_failure', errCode: UspError.invalidCommandArguments, errMsg };
}

function ended(fault: string | undefined): OperationOutcome | undefined {
  return fault === undefined ? undefined : { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg: fault };
}
