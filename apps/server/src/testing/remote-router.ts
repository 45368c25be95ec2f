import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { IndependentValue } from '@highline/testkit/codec';
import ssh from 'ssh2';
import { createWebSocketStream, WebSocket } from 'ws';
import { minimalAgent } from './agent-models.ts';
import { TestAgent, type AgentRequest } from './agent.ts';

/** A received command: its name without `Device.`, and its arguments. */
export interface Ordered {
  readonly command: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface RemoteRouterOptions {
  /** http://host:port of the server. */
  readonly url: string;
  readonly secret: string;
  readonly endpointId: string;
  /** It does not support tunnels. */
  readonly isOld?: boolean;
  /** Overrides the answer to a command: 'silent', or a failure; undefined = default. A promise delays the response. */
  readonly onOrder?: (ordered: Ordered) => OrderResponse | Promise<OrderResponse>;
  /** Overrides what it does when a tunnel is requested. */
  readonly onTunnel?: (router: RemoteRouter, args: Readonly<Record<string, string>>) => void;
  /** The service behind the tunnel: receives each connection. Default: an echo. */
  readonly service?: (socket: Socket) => void;
  /**
   * Written to each connection as soon as it is accepted, before any request. Nothing else is then answered. A function decides
   * for each connection; undefined = serve it normally.
   */
  readonly greeting?: string | (() => string | Buffer | undefined);
  /** Additional values of its data model. */
  readonly values?: ReadonlyMap<string, string>;
}

type OrderResponse = 'silent' | { readonly message: string; readonly code?: number } | undefined;

const commands = ['OpenTunnel', 'OpenClientTunnel', 'CloseTunnel', 'GrantAccess', 'RevokeAccess'].map(
  (name) => `X_HIGHLINE_${name}()`,
);

/** A scripted router that opens tunnels to any service of the test, and sends false reports when instructed. */
export class RemoteRouter {
  readonly ordered: Ordered[] = [];
  readonly #options: RemoteRouterOptions;
  readonly #agent: TestAgent;
  #service: Server | undefined;
  #tunnel: WebSocket | undefined;

  constructor(options: RemoteRouterOptions) {
    this.#options = options;
    this.#agent = new TestAgent({
      server: options.url.replace('http', 'ws'),
      secret: options.secret,
      endpointId: options.endpointId,
      ...minimalAgent,
      model: new Map([...minimalAgent.model, ...(options.values ?? [])]),
      respond: (_agent, request) => this.#respond(request),
    });
  }

  /** Whether its tunnel is open now. */
  get hasTunnel(): boolean {
    return this.#tunnel?.readyState === WebSocket.OPEN;
  }

  /** Names of the received commands. */
  get commands(): string[] {
    return this.ordered.map(({ command }) => command);
  }

  async stop(): Promise<void> {
    this.cutTunnel();
    this.#agent.cut();
    await this.#agent.closed;
    this.#service?.close();
  }

  /** Break its connection; its tunnel stays. */
  cutConnection(): void {
    this.#agent.cut();
  }

  /** Break its tunnel; its connection stays. */
  cutTunnel(): void {
    this.#tunnel?.terminate();
  }

  /** Connect like a router, and request a forward. Rejects when the connection or the forward is rejected. */
  async openTunnel(
    { Address: address = '', User: username = '', Secret: password = '' }: Readonly<Record<string, string>>,
    forward: { readonly name: string; readonly port?: number },
    algorithms: ssh.Algorithms = {},
  ): Promise<ssh.Client> {
    this.#tunnel = new WebSocket(address, 'ssh');
    const stream = createWebSocketStream(this.#tunnel);
    stream.on('error', () => {});
    await once(this.#tunnel, 'open');
    const client = new ssh.Client();
    const failed = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('close', () => reject(new Error('The tunnel was closed.')));
    });
    failed.catch(() => {});
    const ready = once(client, 'ready');
    ready.catch(() => {});
    client.connect({ sock: stream, username, password, algorithms });
    await Promise.race([ready, failed]);
    const bound = new Promise<void>((resolve, reject) => {
      client.forwardIn(forward.name, forward.port ?? 0, (error) => (error === undefined ? resolve() : reject(error)));
    });
    client.on('tcp connection', (_details, accept) => void this.#carry(accept()));
    await Promise.race([bound, failed]);
    return client;
  }

  async #carry(channel: ssh.ClientChannel): Promise<void> {
    const { greeting } = this.#options;
    const first = typeof greeting === 'function' ? greeting() : greeting;
    if (first !== undefined) {
      channel.on('error', () => {});
      channel.write(first);
      return;
    }
    if (this.#service === undefined) {
      this.#service = createServer({ allowHalfOpen: true }, this.#options.service ?? ((socket) => void socket.pipe(socket)));
      this.#service.listen(0, '127.0.0.1');
    }
    // Several channels may open while it starts.
    if (!this.#service.listening) await once(this.#service, 'listening');
    const address = this.#service.address() as AddressInfo | null;
    if (address === null) {
      // Closed meanwhile.
      channel.destroy();
      return;
    }
    const socket = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => channel.destroy());
    channel.on('close', () => socket.destroy());
    socket.on('close', () => channel.destroy());
    socket.pipe(channel).pipe(socket);
  }

  #respond({ msgId, type, value }: AgentRequest): boolean {
    if (type === 'getSupportedDm') {
      const own = this.#options.isOld === true ? [] : commands.map((commandName) => ({ commandName, commandType: 1 }));
      const reset = this.#options.isOld === true ? [] : [{ commandName: 'PasswordReset()', commandType: 1 }];
      const supportedObjs = [
        { supportedObjPath: 'Device.', supportedCommands: own },
        { supportedObjPath: 'Device.UserInterface.', supportedCommands: reset },
      ];
      const response = { reqObjResults: [{ reqObjPath: 'Device.', supportedObjs }] };
      this.#agent.sendMessage(msgId, 'GET_SUPPORTED_DM_RESP', 'response', 'getSupportedDmResp', response);
    } else if (type === 'operate') this.#operate(msgId, value);
    else return false;
    return true;
  }

  #operate(msgId: string, value: IndependentValue): void {
    const { command, inputArgs } = value as { command: string; inputArgs: Record<string, string> };
    const ordered = { command: command.replace('Device.', ''), args: inputArgs };
    this.ordered.push(ordered);
    const response = this.#options.onOrder?.(ordered);
    if (response instanceof Promise) void response.then((late) => this.#reply(msgId, command, ordered, late));
    else this.#reply(msgId, command, ordered, response);
  }

  #reply(msgId: string, command: string, ordered: Ordered, response: OrderResponse): void {
    if (response === 'silent') return;
    const one =
      response === undefined
        ? { case: 'reqOutputArgs', value: {} }
        : { case: 'cmdFailure', value: { errCode: response.code ?? 7022, errMsg: response.message } };
    this.#agent.sendMessage(msgId, 'OPERATE_RESP', 'response', 'operateResp', {
      operationResults: [{ executedCommand: command, one }],
    });
    const isOpening = /^X_HIGHLINE_Open(?:Client)?Tunnel\(\)$/u.test(ordered.command);
    if (response === undefined && isOpening) this.#obey(ordered.args);
    if (response === undefined && ordered.command === 'X_HIGHLINE_CloseTunnel()') this.cutTunnel();
  }

  #obey(args: Readonly<Record<string, string>>): void {
    const { onTunnel } = this.#options;
    if (onTunnel !== undefined) onTunnel(this, args);
    else this.openTunnel(args, { name: forwardOf(args) }).catch(() => {});
  }
}

function forwardOf(args: Readonly<Record<string, string>>): string {
  if (args['IPAddress'] !== undefined) return 'client';
  return args['Service'] === 'GUI' ? 'gui' : 'ssh';
}
