import {
  decodeIndependentMessage,
  decodeIndependentRecord,
  encodeIndependentMessage,
  encodeIndependentRecord,
  INDEPENDENT_MSG_TYPES,
  type IndependentValue,
} from '@highline/testkit/codec';
import { WebSocket } from 'ws';

export interface AgentOptions {
  /** ws://host:port */
  readonly server: string;
  readonly secret: string;
  readonly endpointId: string;
  readonly controllerId?: string;
  /** Its data model, by full path; tables grow by Add. */
  readonly model?: ReadonlyMap<string, string>;
  /** Tables in which objects can be created. */
  readonly tables?: readonly string[];
  /** Answers requests beyond the model; false = default answer. */
  readonly respond?: (agent: TestAgent, request: AgentRequest) => boolean;
  /** Sends nothing by itself: no introduction, no answers. */
  readonly mute?: boolean;
  /** Answers no ping. */
  readonly deaf?: boolean;
  readonly protocols?: readonly string[];
  /** Its client certificate, used when the secret is empty. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** The part after the secret in the address; default: `?eid=…` of the endpoint id. */
  readonly query?: string;
  /** Headers of its handshake. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as received. */
export interface AgentRequest {
  readonly msgId: string;
  readonly type: string;
  readonly value: IndependentValue;
}

type Result = IndependentValue;

/**
 * A minimal USP agent for tests. Its frames come from another protobuf runtime and another schema than the server's, so that the
 * two can only agree on the standard. It contains what `model` defines and nothing else.
 */
export class TestAgent {
  readonly options: AgentOptions;
  readonly socket: WebSocket;
  readonly model: Map<string, string>;
  /** All received requests, in order. */
  readonly requests: AgentRequest[] = [];
  /** All received Error messages. */
  readonly errors: AgentRequest[] = [];
  /** Ids of the acknowledged notifications, in order. */
  readonly responded: string[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** HTTP status of a rejected handshake. */
  readonly rejected: Promise<number>;
  pings = 0;
  /** Whether it answers requests. */
  isResponding: boolean;
  #instance = 0;
  #waiting: (() => void)[] = [];

  constructor(options: AgentOptions) {
    this.options = options;
    this.model = new Map(options.model);
    this.isResponding = options.mute !== true;
    const query = options.query ?? `?eid=${encodeURIComponent(options.endpointId)}`;
    const path = options.certificate !== undefined && options.secret === '' ? '/usp' : `/usp/${options.secret}`;
    this.socket = new WebSocket(`${options.server}${path}${query}`, [...(options.protocols ?? ['v1.usp'])], {
      ...options.certificate,
      headers: { ...options.headers },
      perMessageDeflate: false,
      autoPong: options.deaf !== true,
    });
    this.socket.on('error', () => undefined);
    this.socket.on('ping', () => this.pings++);
    this.socket.on('open', () => options.mute !== true && this.introduce());
    this.socket.on('message', (data) => this.#receive(data as Buffer));
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    this.rejected = new Promise((resolve) => {
      this.socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        this.socket.terminate();
      });
    });
  }

  async opened(): Promise<this> {
    if (this.socket.readyState === WebSocket.OPEN) return this;
    await new Promise<void>((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('close', (code) => reject(new Error(`closed before it was open: ${code}`)));
    });
    return this;
  }

  introduce(ids: IndependentValue = {}): void {
    this.sendRecord({ websocketConnect: {}, ...ids });
  }

  /** Send a record to the controller; given fields override the defaults. */
  sendRecord({ toId, fromId, version, ...payload }: IndependentValue): void {
    const [name, value] = Object.entries(payload)[0] ?? [];
    this.socket.send(
      encodeIndependentRecord({
        version: version ?? '1.3',
        toId: toId ?? this.options.controllerId ?? 'self::highline',
        fromId: fromId ?? this.options.endpointId,
        one: { case: name, value },
      }),
    );
  }

  sendMessage(
    msgId: string,
    type: string,
    kind: 'request' | 'response' | 'error',
    name: string | undefined,
    value: IndependentValue,
  ): void {
    const inner = name === undefined ? value : { one: { case: name, value } };
    const msgType = INDEPENDENT_MSG_TYPES.indexOf(type);
    const message = { header: { msgId, msgType }, body: { one: { case: kind, value: inner } } };
    this.sendRecord({ noSessionContext: { payload: encodeIndependentMessage(message) } });
  }

  /** Notify; `name` and `value` are the member of the message's oneof. */
  notify(msgId: string, name: string, value: IndependentValue, sendResp = true): void {
    const notify = { subscriptionId: 'highline-test', sendResp, one: { case: name, value } };
    this.sendMessage(msgId, 'NOTIFY', 'request', 'notify', notify);
  }

  event(msgId: string, objPath: string, eventName: string, params: Record<string, string> = {}, sendResp = true): void {
    this.notify(msgId, 'event', { objPath, eventName, params }, sendResp);
  }

  push(msgId: string, reports: readonly object[]): void {
    this.event(msgId, 'Device.BulkData.Profile.1.', 'Push!', { Data: JSON.stringify({ Report: reports }) });
  }

  /** Resolves when the notification was acknowledged. */
  async whenResponded(msgId: string): Promise<void> {
    while (!this.responded.includes(msgId)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Disconnect without a close, as after a power cut. */
  cut(): void {
    this.socket.terminate();
  }

  /** Number of received requests of a type. */
  count(type: string): number {
    return this.requests.filter((request) => request.type === type).length;
  }

  #receive(data: Buffer): void {
    const record = decodeIndependentRecord(data);
    const { case: name, value } = record['one'] as { case: string; value: IndependentValue };
    if (name !== 'noSessionContext') return;
    const message = decodeIndependentMessage(value['payload'] as Uint8Array);
    const { msgId } = message['header'] as { msgId: string };
    const body = (message['body'] as IndependentValue)['one'] as { case: string; value: IndependentValue };
    const { case: type, value: inner } = (body.value['one'] as { case: string; value: IndependentValue } | undefined) ?? {
      case: 'error',
      value: body.value,
    };
    if (body.case === 'request') this.#take({ msgId, type, value: inner });
    else if (body.case === 'error') this.errors.push({ msgId, type, value: inner });
    else if (type === 'notifyResp') {
      this.responded.push(msgId);
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  #take(request: AgentRequest): void {
    this.requests.push(request);
    if (this.isResponding && this.options.respond?.(this, request) !== true) this.respond(request);
  }

  /** Answer a request as its model says. */
  respond({ msgId, type, value }: AgentRequest): void {
    const respond = (typeName: string, name: string, response: IndependentValue) =>
      this.sendMessage(msgId, typeName, 'response', name, response);
    switch (type) {
      case 'getSupportedProtocol':
        respond('GET_SUPPORTED_PROTO_RESP', 'getSupportedProtocolResp', { agentSupportedProtocolVersions: '1.3' });
        break;
      case 'get':
        respond('GET_RESP', 'getResp', { reqPathResults: (value['paramPaths'] as string[]).map((path) => this.#read(path)) });
        break;
      case 'add':
        respond('ADD_RESP', 'addResp', {
          createdObjResults: (value['createObjs'] as Result[]).map((object) => this.#add(object)),
        });
        break;
      case 'set':
        respond('SET_RESP', 'setResp', {
          updatedObjResults: (value['updateObjs'] as Result[]).map((object) => this.#set(object)),
        });
        break;
      case 'delete':
        respond('DELETE_RESP', 'deleteResp', {
          deletedObjResults: (value['objPaths'] as string[]).map((path) => this.#delete(path)),
        });
        break;
      default:
        this.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7001, errMsg: `${type} is not supported` });
    }
  }

  #read(requestedPath: string): Result {
    const found = [...this.model].filter(([path]) =>
      requestedPath.endsWith('.') ? path.startsWith(requestedPath) : isInstanceOf(requestedPath, path),
    );
    const isTable = this.options.tables?.includes(requestedPath) === true;
    if (found.length === 0 && !isTable) return { requestedPath, errCode: 7026, errMsg: 'no such path' };
    const byObject = Map.groupBy(found, ([path]) => path.slice(0, path.lastIndexOf('.') + 1));
    const resolvedPathResults = Array.from(byObject, ([resolvedPath, params]) => ({
      resolvedPath,
      resultParams: Object.fromEntries(params.map(([path, text]) => [path.slice(resolvedPath.length), text])),
    }));
    return { requestedPath, resolvedPathResults };
  }

  #add({ objPath, paramSettings }: Result): Result {
    const requestedPath = objPath as string;
    if (!this.#isTable(requestedPath)) return failure(requestedPath, 7018);
    const settings = paramSettings as { param: string; value: string }[];
    // Read-only and part of a unique key, so the whole object fails, required or not (TR-369 "Add").
    if (settings.some(({ param }) => param === 'Recipient')) return failure(requestedPath, 7013);
    const instantiatedPath = `${requestedPath}${++this.#instance}.`;
    for (const { param, value } of settings) this.model.set(instantiatedPath + param, value);
    return { requestedPath, operStatus: { one: { case: 'operSuccess', value: { instantiatedPath } } } };
  }

  #isTable(path: string): boolean {
    return this.options.tables?.includes(path.replaceAll(/\.\d+\./gu, '.{i}.')) === true;
  }

  #set({ objPath, paramSettings }: Result): Result {
    const requestedPath = objPath as string;
    for (const { param, value } of paramSettings as { param: string; value: string }[])
      this.model.set(requestedPath + param, value);
    const updatedInstResults = [{ affectedPath: requestedPath }];
    return { requestedPath, operStatus: { one: { case: 'operSuccess', value: { updatedInstResults } } } };
  }

  #delete(requestedPath: string): Result {
    for (const path of this.model.keys()) if (path.startsWith(requestedPath)) this.model.delete(path);
    return { requestedPath, operStatus: { one: { case: 'operSuccess', value: { affectedPaths: [requestedPath] } } } };
  }
}

function failure(requestedPath: string, errCode: number): Result {
  return { requestedPath, operStatus: { one: { case: 'operFailure', value: { errCode, errMsg: 'no' } } } };
}

/** Whether a path is the requested one, in which `*` stands for any instance. */
function isInstanceOf(requestedPath: string, path: string): boolean {
  const [requested, parts] = [requestedPath.split('.'), path.split('.')];
  return requested.length === parts.length && requested.every((part, at) => part === '*' || part === parts[at]);
}
