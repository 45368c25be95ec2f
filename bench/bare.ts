// A separate process: the cost of the same connections alone. A WebSocket echo, and a page that receives events.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { runQuestions } from './child.ts';
import { stableMemory } from './memory.ts';

const PING_MS = 20_000;
/** The first byte of what is not echoed. */
const SILENT = 2;

const page = `<!doctype html><title>bare</title><table><tbody></tbody></table><script>
  new EventSource('/events').onmessage = ({ data }) => {
    const { serial, state } = JSON.parse(data);
    const row = document.getElementById(serial) ?? document.querySelector('tbody').insertRow();
    row.id = serial;
    row.textContent = serial + ' ' + state;
  };
</script>`;

const readers = new Set<ServerResponse>();
const sockets: WebSocket[] = [];
const server = createServer((request, response) => {
  if (request.url !== '/events') {
    response.setHeader('content-type', 'text/html').end(page);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  readers.add(response);
});

function publish(serial: string, state: string): void {
  for (const reader of readers) reader.write(`data: ${JSON.stringify({ serial, state })}\n\n`);
}

/** Called with each frame of a socket with a pending request. */
const responded = new WeakMap<WebSocket, () => void>();

const webSockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
webSockets.on('connection', (socket, request) => {
  const serial = request.url?.slice(1) ?? '';
  sockets.push(socket);
  publish(serial, 'Online');
  socket.on('message', (data) => {
    const done = responded.get(socket);
    responded.delete(socket);
    if (done !== undefined) done();
    else if ((data as Buffer)[0] !== SILENT) socket.send(data as Buffer, { binary: true });
  });
  socket.on('close', () => publish(serial, 'Offline'));
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
setInterval(() => {
  for (const socket of sockets) socket.ping();
}, PING_MS).unref();

const responses = {
  port: () => (server.address() as AddressInfo).port,
  memory: stableMemory,
  readers: () => readers.size,
  /** Send requests to sockets one after another, each echoed as its response: milliseconds each. */
  async commands(count: number, bytes: number): Promise<number[]> {
    const frame = Buffer.alloc(bytes, 0xff);
    const samples: number[] = [];
    for (let index = 0; index < count; index++) {
      const socket = sockets[(index * 7919) % sockets.length]!;
      const begin = performance.now();
      await new Promise<void>((resolve) => {
        responded.set(socket, resolve);
        socket.send(frame, { binary: true });
      });
      samples.push(performance.now() - begin);
    }
    return samples;
  },
  /** Write this many bytes to each socket. @returns milliseconds until the last one has confirmed all of them */
  async deliver(bytes: number): Promise<number> {
    // Only what begins with 0xff is echoed.
    const [frame, question] = [Buffer.alloc(bytes, 1), Buffer.of(0xff)];
    const begin = performance.now();
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            responded.set(socket, resolve);
            socket.send(frame, { binary: true });
            socket.send(question, { binary: true });
          }),
      ),
    );
    return performance.now() - begin;
  },
};
export type BareResponses = typeof responses;

runQuestions(responses);
