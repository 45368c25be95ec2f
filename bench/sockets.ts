// A separate process: bare sockets against bare.ts, which send as often as routers do and echo requests.
import { WebSocket } from 'ws';
import { runQuestions } from './child.ts';

/** The first byte of a request from bare.ts; our own messages begin otherwise and are echoed. */
const QUESTION = 0xff;
/** That of one that is not echoed. */
const SILENT = 2;
const sockets: WebSocket[] = [];

const responses = {
  async open(url: string, count: number): Promise<void> {
    for (let index = 0; index < count; index += 100)
      await Promise.all(Array.from({ length: Math.min(100, count - index) }, (_, at) => openOne(`${url}/${index + at}`)));
  },
  /** From now on each socket sends this many bytes once per interval, spread over it; a share of them is echoed. */
  speak(everyMs: number, bytes: number, echoed = 1): void {
    const frames = [Buffer.alloc(bytes, 1), Buffer.alloc(bytes, SILENT)] as const;
    let next = 0;
    let sent = 0;
    const begin = performance.now();
    setInterval(() => {
      const due = ((performance.now() - begin) / everyMs) * sockets.length;
      for (; sent < due; sent++) {
        const frame = frames[Math.floor(sent * echoed) < Math.floor((sent + 1) * echoed) ? 0 : 1];
        sockets[next++ % sockets.length]!.send(frame, { binary: true });
      }
    }, 20);
  },
};
export type SocketsResponses = typeof responses;

async function openOne(url: string): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    if (data[0] === QUESTION) socket.send(data, { binary: true });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  sockets.push(socket);
}

runQuestions(responses);
