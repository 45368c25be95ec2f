import { setTimeout as wait } from 'node:timers/promises';
import { formatTime } from '../model/params.ts';
import { Pcap, type TrafficSource } from './pcap.ts';
import { putFile, type UploadTarget } from './put-file.ts';

/** Arguments of PacketCaptureDiagnostics() (TR-181 Device.). */
export interface CaptureRequest extends UploadTarget {
  readonly seconds: number;
  /** Bytes of the file at most. */
  readonly size: number;
}

/** Capture the router's own traffic and upload the file. @returns output arguments of PacketCaptureDiagnostics() */
export async function capture(
  request: CaptureRequest,
  traffic: TrafficSource,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const pcap = new Pcap(request.size);
  const full = new AbortController();
  const startedAt = Date.now();
  const stop = traffic.observe((segment) => {
    if (!pcap.add(segment)) full.abort();
  });
  try {
    await wait(request.seconds * 1_000, undefined, { signal: AbortSignal.any([signal, full.signal]) }).catch(() =>
      signal.throwIfAborted(),
    );
  } finally {
    stop();
  }
  const endedAt = Date.now();
  try {
    await putFile(request, pcap.contents(), signal);
  } catch {
    signal.throwIfAborted();
    return { Status: 'Error_FailedToUpload' };
  }
  const row = 'PacketCaptureResult.1.';
  return {
    Status: 'Complete',
    [`${row}FileLocation`]: new URL(request.url).origin,
    [`${row}StartTime`]: formatTime(startedAt),
    [`${row}EndTime`]: formatTime(endedAt),
    [`${row}Count`]: String(pcap.count),
  };
}
