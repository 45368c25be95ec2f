import { failures, type FailureKey, live, type Operation, type Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { exampleOf, jsonSchemaOf } from '@highline/contract/openapi';
import { z } from 'zod';

/** A call that the console has sent, in the types of its operation. */
export interface Sent<Op extends Operation = Operation> {
  readonly params: z.output<Op['params']>;
  readonly query: z.output<Op['query']>;
  readonly body: z.output<Op['body']>;
  readonly files: Readonly<Record<string, File>>;
  readonly ifMatch: string | undefined;
}

/** The result of an operation; a file is its content. */
export type Result<Op extends Operation> = Op['sends'] extends 'file' ? string | Blob : z.output<Op['response']>;

/** What a failure has besides its key. */
interface FailureParts {
  readonly message?: string;
  readonly field?: string;
  readonly reason?: string;
  readonly detail?: unknown;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** A failed answer, with the status and the message that the contract has for this key. */
export class Failed {
  readonly key: FailureKey;
  readonly parts: FailureParts;
  constructor(key: FailureKey, parts: FailureParts = {}) {
    this.key = key;
    this.parts = parts;
  }
}

type HandlerResult<Op extends Operation> = Result<Op> | Failed;
type Handler = (request: Sent) => unknown;

const FIRST_EVENT = 1000;
const examples = new Map<string, string>();

/** The example that the contract has of the answer to a call, to change parts of it. */
export function example<Op extends Operation>({ id, response }: Op): z.output<Op['response']> {
  const known = examples.get(id) ?? JSON.stringify(exampleOf(jsonSchemaOf(response, 'output'), 'response'));
  examples.set(id, known);
  return JSON.parse(known) as z.output<Op['response']>;
}

type Row<Op extends Operation> =
  z.output<Op['response']> extends { readonly result: readonly (infer One)[] }
    ? One
    : z.output<Op['response']> extends { readonly result: { readonly list: readonly (infer One)[] } }
      ? One
      : never;
type Parts<Value> = { readonly [Key in keyof Value]?: Value[Key] | undefined };

interface ListResponse {
  readonly result: readonly object[] | { readonly list: readonly object[] };
  readonly total?: number;
  readonly offset?: number;
}

/** An id of the examples. */
const ID = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/u;

/** Each row has ids of its own: the first has those of the example. */
function withOwnIds(row: object, index: number): object {
  const own = ([name, value]: [string, unknown]) =>
    index > 0 && typeof value === 'string' && (name === 'pk' || ID.test(value))
      ? [name, `${value.slice(0, -3)}${100 + index}`]
      : [name, value];
  return Object.fromEntries(Object.entries(row).map((entry) => own(entry)));
}

/** Rows of a list call: the contract's example with these parts in place of its own. */
export function rowsOf<Op extends Operation>(operation: Op, parts: readonly Parts<Row<Op>>[]): readonly Row<Op>[] {
  const { result } = example(operation) as ListResponse;
  const [first] = 'list' in result ? result.list : result;
  return parts.map((part, index) =>
    Object.assign(withOwnIds(first ?? {}, index), part),
  ) as readonly unknown[] as readonly Row<Op>[];
}

/** The page of these rows that a query asks for. */
function pageOf(operation: Operation, rows: readonly object[], query: unknown): ListResponse {
  const { limit = rows.length, offset = 0, around } = query as { limit?: number; offset?: number; around?: string };
  const found = around === undefined ? -1 : rows.findIndex((row) => Object.values(row).includes(around));
  const start = found === -1 ? offset : found - (found % limit);
  const page = rows.slice(start, start + limit);
  const like = example(operation) as ListResponse;
  return { ...like, result: 'list' in like.result ? { list: page } : page, total: rows.length, offset: start };
}

const routes = allOperations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/gu, '(?<$1>[^/]+)')}$`, 'u'),
    holes: operation.path.split('{').length,
  }))
  .toSorted((a, b) => a.holes - b.holes);

const isFile = (value: unknown): value is File => value instanceof Blob;

function fieldsOf(operation: Operation, body: unknown): { fields: unknown; files: Record<string, File> } {
  if (body instanceof FormData) {
    const entries = [...body.entries()] as [string, unknown][];
    return {
      fields: Object.fromEntries(entries.filter(([, value]) => !isFile(value))),
      files: Object.fromEntries(entries.filter((entry): entry is [string, File] => isFile(entry[1]))),
    };
  }
  if (body instanceof URLSearchParams) return { fields: Object.fromEntries(body), files: {} };
  const fields: unknown = typeof body === 'string' ? JSON.parse(body) : operation.bodyKind === 'none' ? {} : undefined;
  return { fields, files: {} };
}

/** A short text that differs for different answers. */
function etagOf(text: string): string {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) >>> 0;
  return `"${hash.toString(36)}"`;
}

/** The result of `promise`, unless the caller aborts before. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new DOMException('The call was aborted.', 'AbortError'));
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  return Promise.race([promise, aborted]);
}

/** The stream of changes as a browser opens it. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  readonly url: string;
  readonly #opened: Set<FakeEventSource>;
  constructor(url: string, opened: Set<FakeEventSource>) {
    super();
    this.url = url;
    this.#opened = opened;
    opened.add(this);
    queueMicrotask(() => this.open());
  }
  open(): void {
    if (this.readyState === FakeEventSource.CLOSED) return;
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  lose(): void {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.#opened.delete(this);
  }
}

/**
 * A server that answers each call of the contract with the contract's own example, until a test gives another answer. What a test
 * answers and what the console sends have to fit the schemas of the call; what does not is one of `faults`.
 */
export function createFakeServer(role: Role) {
  const handlers = new Map<string, Handler>();
  const sent = new Map<string, Sent[]>();
  const held = new Map<string, Promise<void>>();
  const files = new Map<string, () => Response>();
  const streams = new Set<FakeEventSource>();
  const faults: string[] = [];
  let isLost = false;
  let unacknowledged = 0;
  let event = FIRST_EVENT;

  const validated = (operation: Operation, part: 'params' | 'query' | 'body' | 'response', value: unknown): unknown => {
    const { success, data, error } = operation[part].safeParse(value);
    if (success) return data;
    const problem = z.prettifyError(error).replaceAll('\n', ' ');
    faults.push(
      part === 'response'
        ? `The answer that the test gives to ${operation.id} is not one: ${problem}`
        : `The console sent a ${part} to ${operation.id} that the contract does not accept: ${problem}`,
    );
    return value;
  };

  const failed = ({ key, parts }: Failed): Response => {
    const { status, message, ...more } = failures[key] as { status: number; message: string; code?: number };
    const { retryAfter, ...own } = parts;
    return Response.json(
      { error: { code: more.code ?? status, key, message, ...own } },
      { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } },
    );
  };

  const succeeded = (operation: Operation, result: unknown): Response => {
    if (operation.sends === 'file' && result !== undefined) return new Response(result as Blob);
    if (operation.sends !== 'json' && operation.sends !== 'empty') {
      faults.push(`${operation.id} answers a file, of which the contract has no example: give one with answer().`);
      return failed(new Failed('server.fault'));
    }
    const text = operation.sends === 'empty' ? '' : JSON.stringify(validated(operation, 'response', result));
    return new Response(text === '' ? null : text, {
      status: text === '' ? 204 : 200,
      headers: {
        etag: etagOf(text),
        date: new Date().toUTCString(),
        [live.EVENT_ID_HEADER]: `${event}.${Math.floor(Date.now() / 1000)}`,
      },
    });
  };

  const handle = async (operation: Operation, request: Sent): Promise<Response> => {
    const handler = handlers.get(operation.id);
    if (handler === undefined && operation.scope !== 'public' && !operation.roles.includes(role))
      faults.push(`The console calls ${operation.id}, which the role ${role} may not.`);
    if (handler === undefined) return succeeded(operation, operation.sends === 'file' ? undefined : example(operation));
    const result = await handler(request);
    return result instanceof Failed ? failed(result) : succeeded(operation, result);
  };

  const fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const address = new URL(String(input), location.href);
    const method = init.method ?? 'GET';
    if (isLost) throw new TypeError('Failed to fetch');
    const file = files.get(address.pathname);
    if (file !== undefined) return file();
    for (const { operation, pattern } of routes) {
      const found = operation.method === method ? pattern.exec(address.pathname) : null;
      if (found === null) continue;
      const params = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      );
      const { fields, files: sentFiles } = fieldsOf(operation, init.body);
      const request = {
        params: validated(operation, 'params', params),
        query: validated(operation, 'query', Object.fromEntries(address.searchParams)),
        body: operation.isBodyRequired === true || fields !== undefined ? validated(operation, 'body', fields) : undefined,
        files: sentFiles,
        ifMatch: new Headers(init.headers).get('if-match') ?? undefined,
      };
      sent.set(operation.id, [...(sent.get(operation.id) ?? []), request]);
      const responded = async () => {
        await held.get(operation.id);
        unacknowledged += 1;
        try {
          // Its network may have been lost meanwhile.
          if (isLost) throw new TypeError('Failed to fetch');
          return await handle(operation, request);
        } finally {
          unacknowledged -= 1;
        }
      };
      return unlessAborted(responded(), init.signal);
    }
    faults.push(`The console calls ${method} ${address.pathname}, which is no call of the contract.`);
    return failed(new Failed('not_found'));
  };

  const respond = <Op extends Operation>(
    operation: Op,
    given: Result<Op> | ((request: Sent<Op>) => HandlerResult<Op> | Promise<HandlerResult<Op>>),
  ): void => {
    handlers.set(operation.id, typeof given === 'function' ? (given as Handler) : () => given);
  };

  return {
    faults,
    fetch,
    EventSource: Object.assign(
      function Source(url: string) {
        return new FakeEventSource(url, streams);
      },
      { CLOSED: FakeEventSource.CLOSED },
    ),
    /** Answer a call with this from now on, or with what a function makes of the request; `new Failed(key)` is a failure. */
    respond,
    /** Answer a list call with pages of these rows from now on: the contract's example with these parts in place of its own. */
    sendList<Op extends Operation>(operation: Op, parts: readonly Parts<Row<Op>>[]): void {
      const rows = rowsOf(operation, parts) as readonly object[];
      handlers.set(operation.id, ({ query }) => pageOf(operation, rows, query));
    },
    /** Answer a call with a failure from now on. */
    fail(operation: Operation, key: FailureKey, parts?: FailureParts): void {
      handlers.set(operation.id, () => new Failed(key, parts));
    },
    /** Keep the answers to a call back until the function is called that this returns. */
    hold(operation: Operation): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(operation.id, promise);
      return () => {
        held.delete(operation.id);
        resolve();
      };
    },
    /** Serve a file that is no call, such as /openapi.json. */
    serve(path: string, content: () => Response): void {
      files.set(path, content);
    },
    /** The calls of an operation that the console has sent so far. */
    requests<Op extends Operation>(operation: Op): readonly Sent<Op>[] {
      return sent.get(operation.id) ?? [];
    },
    /** No call waits for its response, except for those that are held. */
    isIdle: () => unacknowledged === 0,
    /** Report a change, as the server does after it. */
    push(topic: live.LiveTopic): void {
      event += 1;
      const message = new MessageEvent(topic, { data: '{}', lastEventId: `${event}.${Math.floor(Date.now() / 1000)}` });
      for (const stream of streams) if (stream.readyState === 1) stream.dispatchEvent(message);
    },
    /** The network is lost, for calls and for the stream of changes. */
    lose(): void {
      isLost = true;
      for (const stream of streams) stream.lose();
    },
    /** The network is back. */
    restore(): void {
      isLost = false;
      for (const stream of streams) stream.open();
    },
  };
}
