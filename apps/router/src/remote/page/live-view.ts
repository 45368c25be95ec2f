import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Cancel } from '../../platform/scheduler.ts';
import { guard } from '../guard.ts';
import type { RemoteHost } from '../host.ts';
import { liveReadings, signalBars } from '../readings.ts';
import { cookieOf, isFromHere } from './request.ts';
import type { SignIn, SignIns } from './sign-ins.ts';
import { SESSION_COOKIE } from './web-page.ts';

const EVERY_MS = 2_000;
/** Close code that makes the page show the sign-in. */
const SIGNED_OUT = 4_001;

/** Sends changing readings to open status pages, by WebSocket. */
export class LiveView {
  readonly #host: RemoteHost;
  readonly #signIns: SignIns;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024, perMessageDeflate: false });

  constructor(host: RemoteHost, signIns: SignIns) {
    this.#host = host;
    this.#signIns = signIns;
  }

  /** Accept an upgrade of a signed-in user and reject every other. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const signIn = this.#signIns.find(cookieOf(request, SESSION_COOKIE));
    if (request.url !== '/live' || !signIn || !isFromHere(request)) {
      socket.on('error', () => socket.destroy());
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(
      request,
      socket,
      head,
      guard(
        () => socket.destroy(),
        (live: WebSocket) => this.#open(live, signIn),
      ),
    );
  }

  end(): void {
    for (const live of this.#sockets.clients) live.terminate();
  }

  #open(live: WebSocket, signIn: SignIn): void {
    live.on('error', () => live.terminate());
    signIn.onEnd(() => live.close(SIGNED_OUT));
    const send = () => {
      // An open page counts as activity.
      signIn.touch();
      live.send(JSON.stringify({ readings: liveReadings(this.#host.router), bars: signalBars(this.#host.router) }));
    };
    let cancel: Cancel = () => undefined;
    const goOn = () => {
      send();
      cancel = this.#host.scheduler.after(EVERY_MS, goOn);
    };
    live.on('close', () => cancel());
    goOn();
  }
}
