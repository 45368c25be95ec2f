import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answer an upgrade with a status instead of a WebSocket, and close. The client learns only the status. */
export function rejectSocket(socket: Duplex, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ Connection: 'close', 'Content-Length': '0', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`);
  // Do not wait for a client that keeps its half open after that.
  socket.once('finish', () => socket.destroy());
}
