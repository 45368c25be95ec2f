import type { SupportedObject } from '@highline/usp';
import { CONFIG_FILES, FIRMWARE_IMAGES, MODEMS, SIMS, USERS } from '../../kernel/tr181.ts';
import type {
  AccessOperation,
  IpVersion,
  OfferedOperation,
  OfferedFile,
  PasswordOperation,
  RouterDiagnostic,
  RouterOperation,
  RouterService,
} from '../../platform/ports/index.ts';

/** The object of each operation in a data model, `{i}` for instances, and its command or parameter: TR-181 and our extensions of it. */
const commands: Readonly<Record<OfferedOperation, readonly [object: string, name: string]>> = {
  reboot: ['Device.', 'Reboot()'],
  'factory-reset': ['Device.', 'FactoryReset()'],
  identify: ['Device.', 'X_HIGHLINE_Identify()'],
  'restart-modem': [`${MODEMS}{i}.`, 'X_HIGHLINE_Restart()'],
  'install-firmware': [`${FIRMWARE_IMAGES}{i}.`, 'Download()'],
  'restore-config': [`${CONFIG_FILES}{i}.`, 'Restore()'],
  'backup-config': [`${CONFIG_FILES}{i}.`, 'Backup()'],
  'download-profile': [`${SIMS}{i}.`, 'X_HIGHLINE_DownloadProfile()'],
  'enable-profile': [`${SIMS}{i}.Profile.{i}.`, 'X_HIGHLINE_Enable()'],
  'delete-profile': [`${SIMS}{i}.Profile.{i}.`, 'X_HIGHLINE_Delete()'],
  'open-tunnel': ['Device.', 'X_HIGHLINE_OpenTunnel()'],
  'open-client-tunnel': ['Device.', 'X_HIGHLINE_OpenClientTunnel()'],
  'close-tunnel': ['Device.', 'X_HIGHLINE_CloseTunnel()'],
  'grant-access': ['Device.', 'X_HIGHLINE_GrantAccess()'],
  'revoke-access': ['Device.', 'X_HIGHLINE_RevokeAccess()'],
  'reset-password': ['Device.UserInterface.', 'PasswordReset()'],
  'set-password': [`${USERS}{i}.`, 'Password'],
  ping: ['Device.IP.Diagnostics.', 'IPPing()'],
  traceroute: ['Device.IP.Diagnostics.', 'TraceRoute()'],
  dns: ['Device.DNS.Diagnostics.', 'NSLookupDiagnostics()'],
  download: ['Device.IP.Diagnostics.', 'DownloadDiagnostics()'],
  upload: ['Device.IP.Diagnostics.', 'UploadDiagnostics()'],
  capture: ['Device.', 'PacketCaptureDiagnostics()'],
  logUpload: ['Device.DeviceInfo.VendorLogFile.{i}.', 'Upload()'],
};

/** Operations, each with where a data model has its command or parameter. */
export const commandsOfModel = Object.entries(commands).map(([operation, [object, name]]) => ({
  operation: operation as OfferedOperation,
  object,
  name,
}));

/** Where the data model has an operation. */
export function commandOf(operation: OfferedOperation): ModelEntry {
  const [object, name] = commands[operation];
  return { object, name };
}

interface ModelEntry {
  readonly object: string;
  readonly name: string;
}

/** Whether a supported data model has a command, or a parameter that can be set. */
export function hasEntry(objects: readonly SupportedObject[], { object, name }: ModelEntry): boolean {
  return objects.some(
    ({ supportedObjPath, supportedCommands, supportedParams }) =>
      supportedObjPath === object &&
      (supportedCommands.some(({ commandName }) => commandName === name) ||
        supportedParams.some(({ paramName, access }) => paramName === name && access !== 'PARAM_READ_ONLY')),
  );
}

/** An operation that is one command. */
export type CommandOperation = Exclude<Extract<RouterOperation, { type: OfferedOperation }>, PasswordOperation>;

/** A command of an agent, with its input arguments (TR-369 Operate). */
export interface UspCommand {
  readonly command: string;
  readonly inputArgs: ReadonlyMap<string, string>;
}

/** An operation as a command with its input arguments (TR-369 Operate). @param modem instance of the modem in use */
export function toUspCommand(operation: CommandOperation, modem: number): UspCommand {
  const { object, name } = commandOf(operation.type);
  const path = instanceOf(operation, modem) ?? object;
  return { command: `${path}${name}`, inputArgs: new Map(Object.entries(argumentsOf(operation))) };
}

/** The object in this router on which the operation runs, where there are several. */
function instanceOf(operation: CommandOperation, modem: number): string | undefined {
  if ('slot' in operation) return operation.slot;
  if ('sim' in operation) return operation.sim;
  if ('profile' in operation) return operation.profile;
  if (operation.type === 'logUpload') return operation.file;
  return operation.type === 'restart-modem' ? `${MODEMS}${modem}.` : undefined;
}

const services: Readonly<Record<RouterService, string>> = { ssh: 'SSH', gui: 'GUI' };
const versions: Readonly<Record<IpVersion, string>> = { any: 'Any', 4: 'IPv4', 6: 'IPv6' };

type Arguments = Readonly<Record<string, string>>;

function argumentsOf(operation: CommandOperation): Arguments {
  switch (operation.type) {
    case 'identify':
      return { Seconds: String(operation.seconds) };
    case 'install-firmware':
      return { ...download(operation.file), AutoActivate: String(operation.activates), ...checkSum(operation.file) };
    case 'restore-config':
      return { ...download(operation.file), TargetFileName: operation.name, ...checkSum(operation.file) };
    case 'backup-config':
      return { URL: operation.url, Username: '', Password: '' };
    case 'download-profile':
      return {
        ActivationCode: operation.activationCode,
        ConfirmationCode: operation.confirmationCode,
        ICCID: operation.iccid,
        Name: operation.name,
        APN: operation.apn,
        APN2: operation.apn2,
        Priority: String(operation.priority),
      };
    case 'open-tunnel':
    case 'open-client-tunnel':
    case 'close-tunnel':
    case 'grant-access':
    case 'revoke-access':
      return accessArguments(operation);
    case 'ping':
    case 'traceroute':
    case 'dns':
    case 'download':
    case 'upload':
    case 'capture':
    case 'logUpload':
      return diagnosticArguments(operation);
    default:
      return {};
  }
}

function download({ url, username, password, size }: OfferedFile): Arguments {
  return { URL: url, Username: username, Password: password, FileSize: String(size) };
}

function checkSum({ sha256 }: OfferedFile): Arguments {
  return { CheckSumAlgorithm: 'SHA-256', CheckSum: sha256 };
}

function accessArguments(operation: Extract<AccessOperation, { session: string }>): Arguments {
  const of = { User: operation.session };
  switch (operation.type) {
    case 'open-tunnel': {
      const { address, secret, hostKey, service } = operation;
      return { Address: address, ...of, Secret: secret, HostKey: hostKey, Service: services[service] };
    }
    case 'open-client-tunnel': {
      const { address, secret, hostKey, client } = operation;
      const to = { MACAddress: client.mac, IPAddress: client.address, Port: String(client.port) };
      return { Address: address, ...of, Secret: secret, HostKey: hostKey, ...to };
    }
    case 'grant-access': {
      const { username, password, service, seconds } = operation;
      return { ...of, Username: username, Password: password, Service: services[service], Seconds: String(seconds) };
    }
    default:
      return of;
  }
}

function diagnosticArguments(diagnostic: RouterDiagnostic): Arguments {
  switch (diagnostic.type) {
    case 'ping':
      return {
        Host: diagnostic.host,
        ProtocolVersion: versions[diagnostic.ipVersion],
        NumberOfRepetitions: String(diagnostic.repetitions),
        Timeout: String(diagnostic.timeoutMs),
        DataBlockSize: String(diagnostic.size),
      };
    case 'traceroute':
      return {
        Host: diagnostic.host,
        ProtocolVersion: versions[diagnostic.ipVersion],
        NumberOfTries: String(diagnostic.tries),
        Timeout: String(diagnostic.timeoutMs),
        MaxHopCount: String(diagnostic.maxHops),
      };
    case 'dns':
      return {
        HostName: diagnostic.host,
        DNSServer: diagnostic.server,
        NumberOfRepetitions: String(diagnostic.repetitions),
        Timeout: String(diagnostic.timeoutMs),
      };
    case 'download':
      return { DownloadURL: diagnostic.url };
    case 'upload':
      return { UploadURL: diagnostic.url, TestFileLength: String(diagnostic.size) };
    case 'capture':
      return {
        FileTarget: diagnostic.url,
        Username: diagnostic.username,
        Password: diagnostic.password,
        Interface: diagnostic.interface,
        FilterExpression: diagnostic.filter,
        Duration: String(diagnostic.seconds),
        ByteCount: String(diagnostic.size),
      };
    case 'logUpload':
      return { URL: diagnostic.url, Username: diagnostic.username, Password: diagnostic.password };
  }
}
