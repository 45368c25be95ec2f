import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import ssh2, { type Client, type Connection } from 'ssh2';
import { type WebSocket, WebSocketServer, createWebSocketStream } from 'ws';
import { Waiting } from './waiting.ts';
import { makeKey } from '../remote/host-key.ts';

/** The cloud's end of tunnels: admits one user with one secret and accepts its forward. */
export class TunnelCloud {
  /** User names of all sign-ins, in order, successful or not. */
  readonly came: string[] = [];
  /** Requested forwards: 'ssh' or 'gui'. */
  readonly forwards: string[] = [];
  readonly secret = 'one-time secret';
  /** Accept connections and send nothing. */
  isSilent = false;
  readonly #sockets: WebSocketServer;
  readonly #ssh: ssh2.Server;
  readonly #publicKey: Buffer;
  #router: Connection | undefined;
  #bound: { name: string; port: number } | undefined;
  readonly #waiting = new Waiting();

  constructor(sockets: WebSocketServer) {
    const key = makeKey();
    const parsed = ssh2.utils.parseKey(key);
    if (parsed instanceof Error) throw parsed;
    this.#publicKey = parsed.getPublicSSH();
    this.#sockets = sockets;
    this.#ssh = new ssh2.Server({ hostKeys: [key] }, (connection) => this.#take(connection));
    sockets.on('connection', (socket) => this.#inject(socket));
  }

  static async start(): Promise<TunnelCloud> {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/tunnel', handleProtocols: () => 'ssh' });
    await once(sockets, 'listening');
    return new TunnelCloud(sockets);
  }

  get address(): string {
    return `ws://127.0.0.1:${(this.#sockets.address() as AddressInfo).port}/tunnel`;
  }

  /** As ssh-keygen prints it. */
  get fingerprint(): string {
    return `SHA256:${createHash('sha256').update(this.#publicKey).digest('base64').replaceAll('=', '')}`;
  }

  get openCount(): number {
    return this.#sockets.clients.size;
  }

  /** Wait until an event makes `done` true. */
  until(done: () => boolean): Promise<void> {
    return this.#waiting.until(done);
  }

  /** A connection to the router's service, as the cloud opens one for a user. @throws Error when the router rejects it */
  async connect(name = this.#bound?.name ?? ''): Promise<Duplex> {
    return await new Promise((resolve, reject) => {
      this.#router?.forwardOut(name, this.#bound?.port ?? 0, '192.0.2.1', 40_000, (error, channel) =>
        error ? reject(error) : resolve(channel),
      );
    });
  }

  /** A user's SSH client through the tunnel. @throws Error when it is rejected */
  async signIn(username: string, password: string): Promise<Client> {
    const client = new ssh2.Client();
    const ready = new Promise<Client>((resolve, reject) => {
      client.on('ready', () => resolve(client));
      client.on('error', reject);
      client.on('close', () => reject(new Error('closed')));
    });
    client.connect({ sock: await this.connect(), username, password });
    return await ready;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    await new Promise<void>((resolve) => this.#sockets.close(() => resolve()));
  }

  #inject(socket: WebSocket): void {
    socket.on('close', () => this.#waiting.resume());
    this.#waiting.resume();
    if (this.isSilent) return;
    const stream = createWebSocketStream(socket);
    stream.on('error', () => socket.terminate());
    // The stream does not close while its own end is open, and the library waits for that.
    socket.on('close', () => stream.destroy());
    // The library takes any stream here, although it declares sockets.
    this.#ssh.injectSocket(stream as never);
  }

  #take(connection: Connection): void {
    connection.on('error', () => connection.end());
    connection.on('authentication', (attempt) => {
      this.came.push(attempt.username);
      this.#waiting.resume();
      if (attempt.method === 'password' && attempt.password === this.secret) attempt.accept();
      else attempt.reject();
    });
    connection.on('request', (accept, reject, name, info) => {
      if (name !== 'tcpip-forward') return reject?.();
      this.#router = connection;
      this.#bound = { name: info.bindAddr, port: 1_234 };
      accept?.(this.#bound.port);
      this.forwards.push(info.bindAddr);
      return this.#waiting.resume();
    });
  }
}
