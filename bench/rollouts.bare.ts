// A separate process: the bytes of a rollout, written directly to as many sockets.
import { WebSocketServer, type WebSocket } from 'ws';
import { answerQuestions } from './child.ts';

/** sockets.ts echoes what begins with this byte, and silently consumes everything else. */
const QUESTION = Buffer.of(0xff);
const sockets: WebSocket[] = [];
const webSockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, clientTracking: false });
webSockets.on('connection', (socket) => sockets.push(socket));
await new Promise<void>((resolve) => {
  webSockets.once('listening', resolve);
});

const answers = {
  port: () => (webSockets.address() as { port: number }).port,
  /** Write this many bytes to each socket. @returns milliseconds until the last one has confirmed all of them */
  async deliver(bytes: number): Promise<number> {
    const frame = Buffer.alloc(bytes, 1);
    const begin = performance.now();
    await Promise.all(sockets.map((socket) => deliverTo(socket, frame)));
    return performance.now() - begin;
  },
};
export type RolloutBareAnswers = typeof answers;

async function deliverTo(socket: WebSocket, frame: Buffer): Promise<void> {
  const event = new Promise<void>((resolve) => {
    socket.once('message', () => resolve());
  });
  socket.send(frame, { binary: true });
  socket.send(QUESTION, { binary: true });
  await event;
}

answerQuestions(answers);
