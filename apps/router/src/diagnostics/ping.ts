import { probe } from './probe.ts';
import { resolveHost, type ProtocolVersion } from './resolve-host.ts';

/** Arguments of IPPing() (TR-181 Device.IP.Diagnostics). */
export interface PingRequest {
  readonly host: string;
  readonly version: ProtocolVersion;
  readonly repetitions: number;
  readonly timeoutMs: number;
  /** Bytes. */
  readonly size: number;
}

/** Send the probes one after the other. @returns output arguments of IPPing() */
export async function ping(request: PingRequest, signal: AbortSignal): Promise<Record<string, string>> {
  const address = await resolveHost(request.host, request.version);
  if (address === undefined) return { Status: 'Error_CannotResolveHostName' };
  const times: number[] = [];
  for (let index = 0; index < request.repetitions; index += 1) {
    try {
      const time = await probe({ ...request, address, index, signal });
      if (time !== undefined) times.push(time);
    } catch {
      signal.throwIfAborted();
      return { Status: 'Error_NoRouteToHost', IPAddressUsed: address };
    }
  }
  return { Status: 'Complete', IPAddressUsed: address, ...outputsOf(times, request.repetitions) };
}

/** @param times microseconds */
function outputsOf(times: readonly number[], repetitions: number): Record<string, string> {
  const average = times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
  const least = times.length === 0 ? 0 : Math.min(...times);
  const most = times.length === 0 ? 0 : Math.max(...times);
  return {
    SuccessCount: String(times.length),
    FailureCount: String(repetitions - times.length),
    AverageResponseTime: String(Math.round(average / 1_000)),
    MinimumResponseTime: String(Math.round(least / 1_000)),
    MaximumResponseTime: String(Math.round(most / 1_000)),
    AverageResponseTimeDetailed: String(Math.round(average)),
    MinimumResponseTimeDetailed: String(least),
    MaximumResponseTimeDetailed: String(most),
  };
}
