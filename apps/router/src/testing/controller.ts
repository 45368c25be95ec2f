import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ResponseTo,
  USP_SUBPROTOCOL,
  type UspBody,
  type UspMessage,
  type UspNotification,
  type UspRequest,
  decodeMessage,
  decodeRecord,
  encodeMessageRecord,
} from '@highline/usp';
import { type WebSocket, WebSocketServer } from 'ws';
import { Waiting } from './waiting.ts';

/** How often, and for how long, a port is tried that is in use. */
const PORT_RETRY_MS = 50;
const PORT_WAIT_MS = 60_000;

/** A received notification. */
export type ReceivedNotification = { msgId: string; subscriptionId: string; sendResp: boolean; notification: UspNotification };

/**
 * A minimal controller for router tests: one server for any number of routers, requests by endpoint id, and everything received
 * kept in order.
 */
export class TestController {
  readonly id = 'self::highline';
  readonly received: ReceivedNotification[] = [];
  /** Endpoint ids in the order of their websocket_connect. */
  readonly connects: string[] = [];
  /** Requested addresses. */
  readonly addresses: string[] = [];
  /** Whether to answer notifications. */
  acknowledges = true;
  /** Answer an upgrade with this status instead of accepting it. */
  rejectWith: number | undefined;
  /** Number of rejected upgrades. */
  rejections = 0;
  readonly #server: WebSocketServer;
  readonly #sockets = new Map<string, WebSocket>();
  readonly #responses = new Map<string, (body: UspBody) => void>();
  readonly #waiting = new Waiting();
  #count = 0;

  constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket, request) => {
      this.addresses.push(request.url ?? '');
      socket.on('message', (data) => this.#take(socket, data as Buffer));
      socket.on('close', () => this.#waiting.resume());
    });
  }

  /**
   * By default on a port below the range that systems assign (Linux: from 32768 on), so that a test can listen on it again. Another test
   * may have chosen it meanwhile: the same port is then tried until that one is done.
   */
  static async start(port?: number): Promise<TestController> {
    const deadline = Date.now() + PORT_WAIT_MS;
    for (;;) {
      const server = new WebSocketServer({
        port: port ?? randomInt(20_000, 32_000),
        host: '127.0.0.1',
        // Deliver each message separately, so that a test that awaits a response continues before the next message.
        allowSynchronousEvents: false,
        handleProtocols: (protocols) => protocols.has(USP_SUBPROTOCOL) && USP_SUBPROTOCOL,
        verifyClient: (_info, decide) => controller.#admit(decide),
      });
      const controller = new TestController(server);
      const fault = await once(server, 'listening').catch((error: NodeJS.ErrnoException) => error);
      if (!(fault instanceof Error)) return controller;
      if (fault.code !== 'EADDRINUSE' || Date.now() > deadline) throw fault;
      if (port !== undefined) await wait(PORT_RETRY_MS);
    }
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Open sockets. */
  get openCount(): number {
    return this.#server.clients.size;
  }

  /** Wait until an event makes `done` true. */
  until(done: () => boolean): Promise<void> {
    return this.#waiting.until(done);
  }

  /** Send a request and wait for its response, which must have the matching type or be an error. */
  async request<T extends UspRequest['type']>(eid: string, request: Extract<UspRequest, { type: T }>): Promise<ResponseTo<T>> {
    const body = await this.requestAny(eid, request);
    if (body.type !== `${request.type}_resp`) throw new Error(`${request.type} was answered with ${JSON.stringify(body)}`);
    return body as ResponseTo<T>;
  }

  /** Send a request and wait for any response. */
  requestAny(eid: string, request: UspRequest): Promise<UspBody> {
    const msgId = `t-${++this.#count}`;
    const response = new Promise<UspBody>((resolve) => this.#responses.set(msgId, resolve));
    this.socket(eid).send(encodeMessageRecord({ toId: eid, fromId: this.id }, { msgId, body: request }));
    return response;
  }

  socket(eid: string): WebSocket {
    const socket = this.#sockets.get(eid);
    if (!socket) throw new Error(`${eid} never connected`);
    return socket;
  }

  /** Subscribe with retry; the subscription's id is also its name. */
  async subscribe(
    eid: string,
    id: string,
    notifType: string,
    references: string,
    extra: { [param: string]: string } = {},
  ): Promise<void> {
    const settings = {
      ID: id,
      NotifType: notifType,
      ReferenceList: references,
      Enable: 'true',
      Persistent: 'true',
      NotifRetry: 'true',
      ...extra,
    };
    const paramSettings = Object.entries(settings).map(([param, value]) => ({ param, value, required: true }));
    const createObjs = [{ objPath: 'Device.LocalAgent.Subscription.', paramSettings }];
    await this.request(eid, { type: 'add', allowPartial: false, createObjs });
  }

  /** Notifications of one subscription so far, each once: on a slow machine some are sent again before their response arrives. */
  of(subscriptionId: string): ReceivedNotification[] {
    const own = this.received.filter((received) => received.subscriptionId === subscriptionId);
    return own.filter(({ msgId }, index) => own.findIndex((each) => each.msgId === msgId) === index);
  }

  async stop(): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #admit(decide: (admitted: boolean, status: number) => void): void {
    if (this.rejectWith !== undefined) this.rejections++;
    decide(this.rejectWith === undefined, this.rejectWith ?? 0);
    this.#waiting.resume();
  }

  #take(socket: WebSocket, data: Buffer): void {
    const { fromId, payload } = decodeRecord(data);
    if (payload.type === 'websocket_connect') {
      this.#sockets.set(fromId, socket);
      this.connects.push(fromId);
    } else if (payload.type === 'no_session_context') this.#handleMessage(fromId, decodeMessage(payload.payload));
    this.#waiting.resume();
  }

  #handleMessage(fromId: string, { msgId, body }: UspMessage): void {
    if (body.type !== 'notify') {
      this.#responses.get(msgId)?.(body);
      this.#responses.delete(msgId);
      return;
    }
    const { subscriptionId, sendResp, notification } = body;
    this.received.push({ msgId, subscriptionId, sendResp, notification });
    if (!sendResp || !this.acknowledges) return;
    this.socket(fromId).send(
      encodeMessageRecord({ toId: fromId, fromId: this.id }, { msgId, body: { type: 'notify_resp', subscriptionId } }),
    );
  }
}
