import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { IndependentValue } from '../codec.ts';
import { readRecord, writeMessage, type Message, type ReceivedRecord } from '../messages/message.ts';

/** A received notification: its id, its subscription and its path. */
export interface Received {
  readonly msgId: string;
  readonly subscriptionId: string;
  readonly sendResp: boolean;
  readonly type: string;
  readonly value: IndependentValue;
}

/** A USP controller for tests on its own port, with scripted requests; it also serves a file. */
export class Controller {
  readonly id = 'self::highline';
  readonly notifications: Received[] = [];
  /** Ids of repeated notifications. */
  readonly repetitions: string[] = [];
  /** First records of connections, in order. */
  readonly introductions: ReceivedRecord[] = [];
  /** Requested subprotocols of connections. */
  readonly protocols: string[] = [];
  /** Whether it answers notifications. */
  isResponding = true;
  /** Content of GET /file. */
  file = Buffer.alloc(0);
  /** Authorization of each request for the file. */
  readonly authorizations: (string | undefined)[] = [];
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  #socket: WebSocket | undefined;
  #agentId = '';
  #count = 0;
  readonly #pending = new Map<string, (message: Message) => void>();

  constructor() {
    this.#server = createServer((request, response) => {
      this.authorizations.push(request.headers.authorization);
      response.end(this.file);
    });
    this.#sockets = new WebSocketServer({ server: this.#server, handleProtocols: (offered) => [...offered][0] ?? false });
    this.#sockets.on('connection', (socket, request) => {
      this.protocols.push(request.headers['sec-websocket-protocol'] ?? '');
      this.#socket = socket;
      socket.on('message', (data) => this.#receive(data as Buffer));
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** host:port */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === this.#socket?.OPEN;
  }

  /** Send a request. @returns the response, or the Error message */
  ask(name: string, value: IndependentValue): Promise<Message> {
    const msgId = `ask-${++this.#count}`;
    const response = new Promise<Message>((resolve) => this.#pending.set(msgId, resolve));
    this.#send({ kind: 'request', msgId, name, value });
    return response;
  }

  /** Close code and reason of the newest connection. */
  async whenClosed(): Promise<number> {
    const [code] = (await once(this.#socket!, 'close')) as [number];
    return code;
  }

  /** Notifications of a kind and name: events by `event_name`, others by path. */
  of(type: string, name: string): Received[] {
    return this.notifications.filter(
      ({ type: own, value }) => own === type && [value['eventName'], value['paramPath'], value['commandName']].includes(name),
    );
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(message: Message): void {
    this.#socket?.send(writeMessage({ version: '1.3', fromId: this.id, toId: this.#agentId }, message));
  }

  #receive(data: Buffer): void {
    const record = readRecord(data);
    this.#agentId = record.fromId;
    const { message } = record;
    if (message === undefined) this.introductions.push(record);
    else if (message.kind === 'request') this.#notified(message);
    else this.#pending.get(message.msgId)?.(message);
  }

  #notified({ msgId, value }: Message): void {
    const { subscriptionId, sendResp, one } = value as {
      subscriptionId: string;
      sendResp: boolean;
      one: { case: string; value: IndependentValue };
    };
    if (this.notifications.some((each) => each.msgId === msgId)) this.repetitions.push(msgId);
    else this.notifications.push({ msgId, subscriptionId, sendResp, type: one.case, value: one.value });
    if (sendResp && this.isResponding) this.#send({ kind: 'response', msgId, name: 'notifyResp', value: { subscriptionId } });
  }
}
