import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Arguments = Readonly<Record<string, string>>;

/** Pings of a process without rights go to a port that nothing listens on; a host that is there says so. */
const UNUSED_PORT = 33_500;

/** IPPing() of TR-181, to addresses only, one after the other. @returns its output arguments */
export async function runIpPing(args: Arguments, signal: AbortSignal): Promise<Record<string, string>> {
  const address = args['Host'] ?? '';
  if (isIP(address) === 0) return { Status: 'Error_CannotResolveHostName' };
  const [repetitions, timeout] = [Number(args['NumberOfRepetitions'] || 3), Number(args['Timeout'] || 1_000)];
  const times: number[] = [];
  for (let index = 0; index < repetitions; index += 1) {
    const time = await roundTrip(address, timeout, signal);
    if (time !== undefined) times.push(time);
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  return {
    Status: 'Complete',
    SuccessCount: String(times.length),
    FailureCount: String(repetitions - times.length),
    AverageResponseTime: String(Math.round(mean)),
    MinimumResponseTime: String(Math.round(Math.min(...times, mean))),
    MaximumResponseTime: String(Math.round(Math.max(...times, mean))),
  };
}

/** Milliseconds; undefined without an answer in time. */
async function roundTrip(address: string, timeout: number, signal: AbortSignal): Promise<number | undefined> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  const answered = new Promise<number>((resolve, reject) => {
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(performance.now()) : reject(error),
    );
  });
  try {
    await new Promise<void>((resolve) => socket.connect(UNUSED_PORT, address, resolve));
    const startedAt = performance.now();
    socket.send('x');
    const endedAt = await Promise.race([answered, pause(timeout, undefined, { signal })]);
    return endedAt === undefined ? undefined : endedAt - startedAt;
  } finally {
    socket.close();
  }
}

/** DownloadDiagnostics() of TR-181. @returns its output arguments */
export async function runDownloadTest(args: Arguments, signal: AbortSignal): Promise<Record<string, string>> {
  const began = new Date();
  const response = await fetch(args['DownloadURL'] ?? '', { signal });
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok) return { Status: 'Error_NoResponse' };
  const times = { ROMTime: began.toISOString(), BOMTime: began.toISOString(), EOMTime: new Date().toISOString() };
  return { Status: 'Complete', ...times, TestBytesReceived: String(byteLength), TotalBytesReceived: String(byteLength) };
}
