import { downloadTest, ipPing, nsLookup, tracePath, uploadLog, uploadTest } from '../../steps/diagnostics.ts';
import type { ObjectDef } from '../definition.ts';
import { fixed, flag, whole } from '../params.ts';

/** Tests that the router runs itself (TR-181 Device.IP.Diagnostics, Device.DNS.Diagnostics). */
const ipDiagnostics: ObjectDef = {
  path: 'Device.IP.Diagnostics.',
  params: {
    IPv4PingSupported: flag(() => true),
    IPv6PingSupported: flag(() => true),
    IPv4TraceRouteSupported: flag(() => true),
    IPv6TraceRouteSupported: flag(() => true),
  },
  commands: {
    'IPPing()': ipPing,
    'TraceRoute()': tracePath,
    'DownloadDiagnostics()': downloadTest,
    'UploadDiagnostics()': uploadTest,
  },
};

const dnsDiagnostics: ObjectDef = {
  path: 'Device.DNS.Diagnostics.',
  params: {},
  commands: { 'NSLookupDiagnostics()': nsLookup },
};

/** Events since the start of the router. */
const vendorLogFile: ObjectDef = {
  path: 'Device.DeviceInfo.VendorLogFile.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Name']] },
  params: {
    Alias: fixed('events'),
    Name: fixed('events.log'),
    MaximumSize: whole(() => 0),
    Persistent: flag(() => false),
  },
  commands: { 'Upload()': uploadLog },
};

export const diagnosticsObjects: readonly ObjectDef[] = [ipDiagnostics, dnsDiagnostics, vendorLogFile];
