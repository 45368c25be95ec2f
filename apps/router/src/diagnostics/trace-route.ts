import { probe } from './probe.ts';
import { resolveHost, type ProtocolVersion } from './resolve-host.ts';

/** Arguments of TraceRoute() (TR-181 Device.IP.Diagnostics). */
export interface TraceRequest {
  readonly host: string;
  readonly version: ProtocolVersion;
  readonly tries: number;
  readonly timeoutMs: number;
  readonly maxHops: number;
}

/**
 * Send probes that may pass one router, then two, until the host answers. The addresses of the routers between are in ICMP messages
 * that only a privileged process may read: these hops have none. @returns output arguments of TraceRoute()
 */
export async function traceRoute(request: TraceRequest, signal: AbortSignal): Promise<Record<string, string>> {
  const address = await resolveHost(request.host, request.version);
  if (address === undefined) return { Status: 'Error_CannotResolveHostName' };
  const outputs: Record<string, string> = {};
  for (let hop = 1; hop <= request.maxHops; hop += 1) {
    const times = await timesOf(request, address, hop, signal);
    const isThere = times.some((time) => time !== undefined);
    const row = `RouteHops.${hop}.`;
    outputs[`${row}Host`] = isThere ? request.host : '';
    outputs[`${row}HostAddress`] = isThere ? address : '';
    outputs[`${row}ErrorCode`] = '0';
    outputs[`${row}RTTimes`] = times.flatMap((time) => (time === undefined ? [] : [Math.round(time / 1_000)])).join(',');
    if (!isThere) continue;
    const first = times.find((time) => time !== undefined) ?? 0;
    return { Status: 'Complete', IPAddressUsed: address, ResponseTime: String(Math.round(first / 1_000)), ...outputs };
  }
  return { Status: 'Error_MaxHopCountExceeded', IPAddressUsed: address, ResponseTime: '0', ...outputs };
}

/** Microseconds of each try, undefined without an answer. */
async function timesOf(
  { tries, timeoutMs }: TraceRequest,
  address: string,
  hops: number,
  signal: AbortSignal,
): Promise<(number | undefined)[]> {
  const times: (number | undefined)[] = [];
  for (let index = 0; index < tries; index += 1) {
    const sent = { address, size: 32, timeoutMs, hops, index: hops * tries + index, signal };
    times.push(await probe(sent).catch(() => (signal.throwIfAborted(), undefined)));
  }
  return times;
}
