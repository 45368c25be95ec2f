import { UspError, type OperationOutcome, type StringMap } from '@highline/usp';
import { capture as captureTraffic } from '../diagnostics/capture.ts';
import { lookUpName } from '../diagnostics/name-lookup.ts';
import { ping } from '../diagnostics/ping.ts';
import { putFile, type UploadTarget } from '../diagnostics/put-file.ts';
import type { ProtocolVersion } from '../diagnostics/resolve-host.ts';
import { traceRoute } from '../diagnostics/trace-route.ts';
import { testDownload, testUpload } from '../diagnostics/transfer-test.ts';
import type { CommandCall, RunCommand } from '../model/definition.ts';
import { formatTime } from '../model/params.ts';

/** A wrong argument; the message names it. */
class WrongArgument extends Error {}

type Outputs = Readonly<Record<string, string>>;

function command(
  inputs: readonly string[],
  outputs: readonly string[],
  run: (call: CommandCall) => Promise<Outputs>,
): RunCommand {
  return { kind: 'CMD_ASYNC', inputs, outputs, run: async (call) => outcomeOf(() => run(call)) };
}

async function outcomeOf(run: () => Promise<Outputs>): Promise<OperationOutcome> {
  try {
    return { type: 'req_output_args', outputArgs: new Map(Object.entries(await run())) };
  } catch (error) {
    const errCode = error instanceof WrongArgument ? UspError.invalidCommandArguments : UspError.commandFailure;
    return { type: 'cmd_failure', errCode, errMsg: error instanceof Error ? error.message : String(error) };
  }
}

const times = ['AverageResponseTime', 'MinimumResponseTime', 'MaximumResponseTime'];

/** IP.Diagnostics.IPPing() (TR-181). */
export const ipPing = command(
  ['Interface', 'ProtocolVersion', 'Host', 'NumberOfRepetitions', 'Timeout', 'DataBlockSize', 'DSCP'],
  ['Status', 'IPAddressUsed', 'SuccessCount', 'FailureCount', ...times, ...times.map((name) => `${name}Detailed`)],
  ({ args, control }) =>
    ping(
      {
        host: hostOf(args, 'Host'),
        version: versionOf(args),
        repetitions: numberOf(args, 'NumberOfRepetitions', [1, 100], 3),
        timeoutMs: numberOf(args, 'Timeout', [1, 60_000], 1_000),
        size: numberOf(args, 'DataBlockSize', [1, 1_472], 32),
      },
      control.diagnostics.signal,
    ),
);

/** IP.Diagnostics.TraceRoute() (TR-181). */
export const tracePath = command(
  ['Interface', 'ProtocolVersion', 'Host', 'NumberOfTries', 'Timeout', 'DataBlockSize', 'DSCP', 'MaxHopCount'],
  [
    'Status',
    'IPAddressUsed',
    'ResponseTime',
    ...['Host', 'HostAddress', 'ErrorCode', 'RTTimes'].map((name) => `RouteHops.{i}.${name}`),
  ],
  ({ args, control }) =>
    traceRoute(
      {
        host: hostOf(args, 'Host'),
        version: versionOf(args),
        tries: numberOf(args, 'NumberOfTries', [1, 3], 3),
        timeoutMs: numberOf(args, 'Timeout', [1, 10_000], 5_000),
        maxHops: numberOf(args, 'MaxHopCount', [1, 64], 30),
      },
      control.diagnostics.signal,
    ),
);

/** DNS.Diagnostics.NSLookupDiagnostics() (TR-181). */
export const nsLookup = command(
  ['Interface', 'HostName', 'DNSServer', 'Timeout', 'NumberOfRepetitions'],
  [
    'Status',
    'SuccessCount',
    ...['Status', 'AnswerType', 'HostNameReturned', 'IPAddresses', 'DNSServerIP', 'ResponseTime'].map(
      (name) => `Result.{i}.${name}`,
    ),
  ],
  ({ args, control }) =>
    lookUpName(
      {
        host: hostOf(args, 'HostName'),
        server: args.get('DNSServer') ?? '',
        repetitions: numberOf(args, 'NumberOfRepetitions', [1, 10], 1),
        timeoutMs: numberOf(args, 'Timeout', [1, 60_000], 5_000),
      },
      control.diagnostics.signal,
    ),
);

const transferTimes = ['Status', 'IPAddressUsed', 'ROMTime', 'BOMTime', 'EOMTime'];

/** IP.Diagnostics.DownloadDiagnostics() (TR-181). */
export const downloadTest = command(
  ['Interface', 'DownloadURL'],
  [...transferTimes, 'TestBytesReceived', 'TotalBytesReceived'],
  async ({ args, control, router }) => {
    const outputs = await testDownload(urlOf(args, 'DownloadURL'), control.diagnostics.signal);
    router.platform.modem.count?.(0, Number(outputs['TotalBytesReceived'] ?? 0));
    return outputs;
  },
);

/** IP.Diagnostics.UploadDiagnostics() (TR-181). */
export const uploadTest = command(
  ['Interface', 'UploadURL', 'TestFileLength'],
  [...transferTimes, 'TestBytesSent', 'TotalBytesSent'],
  async ({ args, control, router }) => {
    const size = numberOf(args, 'TestFileLength', [1, 1_000_000_000], 1_000_000);
    const outputs = await testUpload(urlOf(args, 'UploadURL'), size, control.diagnostics.signal);
    router.platform.modem.count?.(Number(outputs['TotalBytesSent'] ?? 0), 0);
    return outputs;
  },
);

/** PacketCaptureDiagnostics() (TR-181): of the router's connection to the cloud. */
export const packetCapture = command(
  ['Interface', 'Format', 'Duration', 'PacketCount', 'ByteCount', 'FileTarget', 'FilterExpression', 'Username', 'Password'],
  ['Status', ...['FileLocation', 'StartTime', 'EndTime', 'Count'].map((name) => `PacketCaptureResult.{i}.${name}`)],
  ({ args, control }) => {
    if ((args.get('FilterExpression') ?? '') !== '') throw new WrongArgument('FilterExpression is not supported by this router');
    const limits = {
      seconds: numberOf(args, 'Duration', [1, 300], 10),
      size: numberOf(args, 'ByteCount', [1_000, 100_000_000], 1_000_000),
    };
    const { signal } = control.diagnostics;
    return captureTraffic({ ...targetOf(args, 'FileTarget'), ...limits }, control.diagnostics, signal);
  },
);

/** DeviceInfo.VendorLogFile.{i}.Upload() (TR-181): of the events since its start. */
export const uploadLog = command(['URL', 'Username', 'Password'], [], async ({ args, control }) => {
  const { logEntries, signal } = control.diagnostics;
  const lines = logEntries().map(({ at, part, text }) => `${formatTime(at)} ${part}: ${text}\n`);
  await putFile(targetOf(args, 'URL'), Buffer.from(lines.join('')), signal);
  return {};
});

function hostOf(args: StringMap, name: string): string {
  const host = args.get(name) ?? '';
  if (!/^[\w.:%-]{1,255}$/u.test(host)) throw new WrongArgument(`${name} is no host name or address`);
  return host;
}

function urlOf(args: StringMap, name: string): string {
  const url = args.get(name) ?? '';
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
    throw new WrongArgument(`${name} must be http or https`);
  return url;
}

function targetOf(args: StringMap, name: string): UploadTarget {
  return { url: urlOf(args, name), username: args.get('Username') ?? '', password: args.get('Password') ?? '' };
}

function versionOf(args: StringMap): ProtocolVersion {
  const version = args.get('ProtocolVersion') || 'Any';
  if (version === 'Any' || version === 'IPv4' || version === 'IPv6') return version;
  throw new WrongArgument('ProtocolVersion is not Any, IPv4 or IPv6');
}

function numberOf(args: StringMap, name: string, [least, most]: readonly [number, number], otherwise: number): number {
  const text = args.get(name) ?? '';
  const value = text === '' ? otherwise : Number(text);
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new WrongArgument(`${name} must be from ${least} to ${most}`);
}
