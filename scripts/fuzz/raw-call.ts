import { connect, type Socket } from 'node:net';

/** A request as bytes on a connection, so that nothing is corrected on the way. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Bytes of the body that are sent before the sender closes its half; left out: all, and it stays open. */
  readonly cutAfter?: number;
}

export interface RawResponse {
  /** Undefined when the connection ended before a status line. */
  readonly status: number | undefined;
  readonly head: string;
  /** At most the first 256 kB. */
  readonly text: string;
  readonly ms: number;
}

const KEPT_BYTES = 262_144;

/**
 * Send one request over a separate connection and read the whole response. Of an event stream, read the first bytes.
 * @param longestMs after that the connection is cut; `ms` of the response shows it
 */
export function sendRaw(port: number, request: RawRequest, longestMs: number): Promise<RawResponse> {
  return new Promise((resolve) => {
    const began = performance.now();
    const chunks: Buffer[] = [];
    let size = 0;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(), longestMs);
    socket.on('connect', () => write(socket, request));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('data', (received: Buffer) => {
      const chunk = size === 0 ? withoutInterim(received) : received;
      if (chunk.length > 0 && size < KEPT_BYTES) chunks.push(chunk);
      size += chunk.length;
      if (isOver(request.method, chunks, size)) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ ...parse(Buffer.concat(chunks).toString('latin1')), ms: performance.now() - began });
    });
  });
}

function write(socket: Socket, { method, target, headers, body, cutAfter }: RawRequest): void {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'));
  socket.write(cutAfter === undefined ? body : body.subarray(0, cutAfter));
  if (cutAfter !== undefined) socket.end();
}

/** The bytes after interim answers (`100 Continue`). */
function withoutInterim(bytes: Buffer): Buffer {
  const isInterim = /^HTTP\/1\.1 1\d\d /u.test(bytes.toString('latin1', 0, 16));
  const end = bytes.indexOf('\r\n\r\n');
  return isInterim && end >= 0 ? withoutInterim(bytes.subarray(end + 4)) : bytes;
}

/** Whether a response is complete on a connection that stays open, or is an event stream, which never is. */
function isOver(method: string, chunks: readonly Buffer[], size: number): boolean {
  const [first = Buffer.alloc(0)] = chunks;
  const headBytes = first.indexOf('\r\n\r\n') + 4;
  if (headBytes < 4) return false;
  const head = first.toString('latin1', 0, headBytes);
  if (method === 'HEAD' || /^HTTP\/1\.1 [23]04/u.test(head)) return true;
  if (head.includes('text/event-stream')) return true;
  const length = /^content-length: (\d+)\r$/imu.exec(head)?.[1];
  if (length !== undefined) return size >= headBytes + Number(length);
  return chunks.at(-1)!.subarray(-5).toString('latin1') === '0\r\n\r\n';
}

function parse(text: string): Pick<RawResponse, 'status' | 'head' | 'text'> {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const status = /^HTTP\/1\.1 (?!1\d\d)(\d{3})/mu.exec(text)?.[1];
  return { status: status === undefined ? undefined : Number(status), head, text: end < 0 ? '' : text.slice(end + 4) };
}
