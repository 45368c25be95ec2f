import type { Traits } from '../traits.ts';
import { async, between, hidden, object, oneOf, readOnly, readWrite, sync, writeOnce } from './definition.ts';
import type { ObjectDefinition, SupportedModel } from './definition.ts';
import { networkObjects } from './networks.ts';

// Objects of TR-181 Device:2, without any vendor extension. This kind of router lacks an eUICC, ForceCollection(), a power sensor
// and an SSH server.

const INFO = 'Device.DeviceInfo.';
const AGENT = 'Device.LocalAgent.';

type Objects = Readonly<Record<string, ObjectDefinition>>;

const alias = { Alias: readWrite.string() };
const byAlias = { uniqueKeys: [['Alias']] };
const credentials = ['URL', 'Username', 'Password'];
const checks = ['FileSize', 'CheckSumAlgorithm', 'CheckSum'];

/** The supported data model for these traits. */
export function supportedModel(traits: Traits): SupportedModel {
  return new Map(
    Object.entries({
      ...device(traits),
      ...localAgent(traits),
      ...cellular,
      ...(traits.hasNetworks ? networkObjects : {}),
      ...(traits.hasUsers ? users : {}),
      ...(traits.hasLocation ? location : {}),
      ...(traits.hasDiagnostics ? diagnostics : {}),
      ...(traits.hasFirmwareImages ? firmwareImages : {}),
      ...(traits.hasConfigFiles ? configFiles(traits) : {}),
      ...(traits.hasBulkData ? bulkData(traits) : {}),
    }),
  );
}

const users: Objects = {
  'Device.Users.': object(),
  'Device.Users.User.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      Username: readWrite.string(),
      Password: hidden((value) => value.length <= 64),
    },
    uniqueKeys: [['Alias'], ['Username']],
  }),
};

function device({ hasPasswordReset, hasFirmwareImages }: Traits): Objects {
  return {
    'Device.': object({
      parameters: { RootDataModelVersion: readOnly.string('2.15') },
      commands: { 'Reboot()': sync(['Cause']), 'FactoryReset()': sync() },
      events: { 'Boot!': ['CommandKey', 'Cause', 'FirmwareUpdated', 'ParameterMap'] },
    }),
    [INFO]: object({
      parameters: {
        Manufacturer: readOnly.string(),
        ManufacturerOUI: readOnly.string(),
        ModelName: readOnly.string(),
        ProductClass: readOnly.string(),
        SerialNumber: readOnly.string(),
        HardwareVersion: readOnly.string(),
        SoftwareVersion: readOnly.string(),
        UpTime: readOnly.unsignedInt(),
        FriendlyName: readWrite.string('', (value) => value.length <= 32),
        ...(hasFirmwareImages ? { ActiveFirmwareImage: readOnly.string(), BootFirmwareImage: readWrite.string() } : {}),
      },
    }),
    [`${INFO}TemperatureStatus.`]: object(),
    [`${INFO}TemperatureStatus.TemperatureSensor.{i}.`]: object({
      parameters: { ...alias, Enable: readWrite.boolean('true'), Name: readOnly.string(), Value: readOnly.int('-274') },
      ...byAlias,
    }),
    'Device.Time.': object({
      parameters: {
        CurrentLocalTime: readOnly.dateTime(),
        LocalTimeZone: readWrite.string('UTC0'),
        NTPServer1: readWrite.string(),
      },
    }),
    'Device.UserInterface.': object({ commands: hasPasswordReset ? { 'PasswordReset()': sync() } : {} }),
  };
}

function localAgent({ hasTransferEvents }: Traits): Objects {
  const transfer = ['Command', 'CommandKey', 'Requestor', 'TransferType', 'Affected', 'TransferURL', 'StartTime', 'CompleteTime'];
  return {
    [AGENT]: object({
      parameters: {
        EndpointID: readOnly.string(),
        SoftwareVersion: readOnly.string(),
        SupportedProtocols: readOnly.string('WebSocket'),
      },
      events: {
        'Periodic!': [],
        ...(hasTransferEvents ? { 'TransferComplete!': [...transfer, 'FaultCode', 'FaultString'] } : {}),
      },
    }),
    [`${AGENT}Controller.{i}.`]: object({
      parameters: {
        ...alias,
        EndpointID: readWrite.string(),
        Enable: readWrite.boolean(),
        PeriodicNotifInterval: readWrite.unsignedInt('86400', between(1, 4_294_967_295)),
        USPNotifRetryMinimumWaitInterval: readWrite.unsignedInt('5', between(1, 65_535)),
        USPNotifRetryIntervalMultiplier: readWrite.unsignedInt('2000', between(1_000, 65_535)),
      },
      uniqueKeys: [['Alias'], ['EndpointID']],
    }),
    [`${AGENT}Controller.{i}.MTP.{i}.`]: object({
      parameters: { ...alias, Enable: readWrite.boolean(), Protocol: readWrite.string('WebSocket', oneOf('WebSocket')) },
      ...byAlias,
    }),
    [`${AGENT}Controller.{i}.MTP.{i}.WebSocket.`]: object({
      parameters: {
        Host: readWrite.string(),
        Port: readWrite.unsignedInt('443', between(0, 65_535)),
        Path: readWrite.string(),
        EnableEncryption: readWrite.boolean('true'),
        KeepAliveInterval: readWrite.unsignedInt('30', between(1, 4_294_967_295)),
        CurrentRetryCount: readOnly.unsignedInt(),
        SessionRetryMinimumWaitInterval: readWrite.unsignedInt('5', between(1, 65_535)),
        SessionRetryIntervalMultiplier: readWrite.unsignedInt('2000', between(1_000, 65_535)),
      },
    }),
    [`${AGENT}Subscription.{i}.`]: object({
      parameters: {
        ...alias,
        Enable: readWrite.boolean(),
        Recipient: readOnly.string(),
        ID: writeOnce.string('', (value) => value !== '' && value.length <= 64),
        CreationDate: readOnly.dateTime(),
        NotifType: writeOnce.string('', oneOf('Event', 'OperationComplete', 'ValueChange', 'ObjectCreation', 'ObjectDeletion')),
        ReferenceList: writeOnce.string(),
        Persistent: readWrite.boolean(),
        TimeToLive: readWrite.unsignedInt(),
        NotifRetry: readWrite.boolean(),
        NotifExpiration: readWrite.unsignedInt(),
      },
      uniqueKeys: [['Alias'], ['ID', 'Recipient']],
      isCreatable: true,
    }),
    [`${AGENT}Request.{i}.`]: object({
      parameters: {
        Originator: readOnly.string(),
        Command: readOnly.string(),
        CommandKey: readOnly.string(),
        Status: readOnly.string('Requested'),
      },
      commands: { 'Cancel()': sync() },
      uniqueKeys: [['Command', 'CommandKey']],
    }),
  };
}

const cellular: Objects = {
  'Device.Cellular.': object({
    parameters: { RoamingEnabled: readWrite.boolean(), RoamingStatus: readOnly.string('Home') },
  }),
  'Device.Cellular.Interface.{i}.': object({
    parameters: {
      ...alias,
      Enable: readWrite.boolean('true'),
      Status: readOnly.string('Up'),
      IMEI: readOnly.string(),
      CurrentAccessTechnology: readOnly.string('LTE'),
      NetworkInUse: readOnly.string(),
      X_HIGHLINE_CellID: readOnly.string(),
      RSSI: readOnly.int(),
      RSRP: readOnly.int(),
      RSRQ: readOnly.int(),
    },
    ...byAlias,
  }),
  'Device.Cellular.Interface.{i}.USIM.': object({
    parameters: {
      Status: readOnly.string('Valid'),
      IMSI: readOnly.string(),
      ICCID: readOnly.string(),
      MSISDN: readOnly.string(),
    },
  }),
  'Device.Cellular.Interface.{i}.Stats.': object({
    parameters: { BytesSent: readOnly.unsignedInt(), BytesReceived: readOnly.unsignedInt() },
  }),
};

const location: Objects = {
  [`${INFO}Location.{i}.`]: object({
    parameters: {
      Source: readOnly.string('GPS'),
      AcquiredTime: readOnly.dateTime(),
      ExternalSource: readOnly.string(),
      DataObject: readOnly.string(),
    },
    uniqueKeys: [['Source', 'ExternalSource']],
  }),
};

const pingArguments = ['Interface', 'ProtocolVersion', 'Host', 'NumberOfRepetitions', 'Timeout', 'DataBlockSize', 'DSCP'];

const diagnostics: Objects = {
  'Device.IP.Diagnostics.': object({
    commands: {
      'IPPing()': async(pingArguments, ['Host']),
      'DownloadDiagnostics()': async(['Interface', 'DownloadURL'], ['DownloadURL']),
    },
  }),
};

const firmwareImages: Objects = {
  [`${INFO}FirmwareImage.{i}.`]: object({
    parameters: {
      ...alias,
      Name: readOnly.string(),
      Version: readOnly.string(),
      Available: readWrite.boolean(),
      Status: readOnly.string('NoImage'),
      BootFailureLog: readOnly.string(),
    },
    commands: {
      'Download()': async([...credentials, 'AutoActivate', ...checks], ['URL']),
      'Activate()': async(['TimeWindow.{i}.']),
    },
    ...byAlias,
  }),
};

const configFiles = ({ hasConfigBackup }: Traits): Objects => ({
  [`${INFO}VendorConfigFile.{i}.`]: object({
    parameters: {
      ...alias,
      Name: readOnly.string(),
      Version: readOnly.string(),
      Date: readOnly.dateTime(),
      Description: readOnly.string(),
      UseForBackupRestore: readOnly.boolean('true'),
    },
    commands: {
      ...(hasConfigBackup ? { 'Backup()': async(credentials, ['URL']) } : {}),
      'Restore()': async([...credentials, 'TargetFileName', ...checks], ['URL']),
    },
    uniqueKeys: [['Alias'], ['Name']],
  }),
});

function bulkData({ mostRetainedReports, leastReportingSeconds }: Traits): Objects {
  return {
    'Device.BulkData.': object({
      parameters: {
        Enable: readWrite.boolean(),
        Status: readOnly.string('Enabled'),
        MinReportingInterval: readOnly.unsignedInt(String(leastReportingSeconds)),
        Protocols: readOnly.string('USPEventNotif'),
        EncodingTypes: readOnly.string('JSON'),
        ParameterWildCardSupported: readOnly.boolean('true'),
        MaxNumberOfProfiles: readOnly.int('-1'),
      },
    }),
    'Device.BulkData.Profile.{i}.': object({
      parameters: {
        ...alias,
        Enable: readWrite.boolean(),
        Name: readWrite.string(),
        NumberOfRetainedFailedReports: readWrite.int('0', between(0, mostRetainedReports)),
        Protocol: readWrite.string('USPEventNotif', oneOf('USPEventNotif')),
        EncodingType: readWrite.string('JSON', oneOf('JSON')),
        ReportingInterval: readWrite.unsignedInt('86400', between(Math.max(1, leastReportingSeconds), 4_294_967_295)),
      },
      events: { 'Push!': ['Data'] },
      ...byAlias,
      isCreatable: true,
    }),
    'Device.BulkData.Profile.{i}.Parameter.{i}.': object({
      parameters: { Name: readWrite.string(), Reference: readWrite.string() },
      isCreatable: true,
    }),
    'Device.BulkData.Profile.{i}.JSONEncoding.': object({
      parameters: {
        ReportFormat: readWrite.string('ObjectHierarchy', oneOf('ObjectHierarchy', 'NameValuePair')),
        ReportTimestamp: readWrite.string('Unix-Epoch', oneOf('Unix-Epoch', 'ISO-8601', 'None')),
      },
    }),
  };
}
