import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

/**
 * Send the head of a request, and the beginning of its body at most.
 * @returns the first response, which may come before the body, and its socket, still open
 */
export function beginRequest(
  url: string,
  { method, path, headers }: RawRequest,
  begin = '',
): { socket: Socket; response: Promise<RawResponse> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${begin}`);
  let received = '';
  const response = new Promise<RawResponse>((resolve, reject) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
      const end = received.indexOf('\r\n\r\n');
      const [head, text] = [received.slice(0, end), received.slice(end + 4)];
      const length = method === 'HEAD' ? 0 : Number(/^content-length: (\d+)$/imu.exec(head)?.[1] ?? 0);
      if (end >= 0 && Buffer.byteLength(text) >= length)
        resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), text });
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${method} ${path}: closed without an answer`)));
  });
  return { socket, response };
}

/** Send the head of a request and nothing of its body: what is answered was decided without it. */
export async function sendHead(url: string, request: RawRequest): Promise<RawResponse> {
  const { socket, response } = beginRequest(url, request);
  try {
    return await response;
  } finally {
    socket.destroy();
  }
}
