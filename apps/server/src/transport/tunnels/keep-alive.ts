import type { WebSocket } from 'ws';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';

const PING_MS = 20_000;

/** A router or a browser that lost its power sends no close: end the connection after two pings without a response. */
export function keepAlive(webSocket: WebSocket, log: Pick<Log, 'error'>): void {
  let isAlive = true;
  webSocket.on('pong', () => void (isAlive = true));
  const ask = (): void => {
    if (!isAlive) webSocket.terminate();
    isAlive = false;
    webSocket.ping(undefined, false, () => {});
  };
  const timer = setInterval(
    guard(log, () => webSocket.terminate(), ask),
    PING_MS,
  );
  timer.unref();
  webSocket.once('close', () => clearInterval(timer));
}
