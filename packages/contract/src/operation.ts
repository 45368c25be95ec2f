import { z } from 'zod';

/** The role of an account. In the API: vendorSuper, super, vendor (AUTH-07). */
export type Role = 'main' | 'admin' | 'user';

/**
 * The scope of a call, determined from the session and the call's `org` before its handler runs:
 * - `public`: no sign-in is needed.
 * - `account`: the signed-in account itself, whatever its role.
 * - `tenant`: one organization, or for the main account without `org` all of its organizations.
 * - `organization`: exactly one organization; the main account must name it in `org`.
 * - `main`: the main account as a whole (inventory, firmware, list of organizations).
 */
export type ScopeKind = 'public' | 'account' | 'tenant' | 'organization' | 'main';

/** The encoding of a body. `multipart` bodies are read as a stream; their schema describes only the text fields. */
export type BodyKind = 'none' | 'json' | 'form' | 'multipart';

/** The response: JSON of the response schema, a file to save, or a stream of server-sent events. */
export type ResponseKind = 'json' | 'file' | 'events' | 'empty';

/**
 * Expensive calls of which only a few run at once, shared fairly between accounts and organizations: CSV imports, queries of time
 * series, replays of alert rules, and calls to other servers. `none` = a streamed answer that is small.
 */
export type QueueName = 'imports' | 'questions' | 'replays' | 'tests' | 'none';

/** One call of the product as data: the server registers it, OpenAPI documents it, the console calls it. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Scope extends ScopeKind = ScopeKind,
  Kind extends ResponseKind = ResponseKind,
> {
  /** Unique, `module.verb`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` placeholders, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  /** Also for a deleted organization: its main account can still read its log. */
  readonly reachesDeleted?: boolean;
  /** Roles that may call it; ignored for `public`. */
  readonly roles: readonly Role[];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly bodyKind: BodyKind;
  /** The longest JSON body or form, bytes. Default: 1 MiB; 16 kiB for a call without a session, which may not have more, or without a body. */
  readonly maxBodyBytes: number;
  readonly response: Response;
  readonly sends: Kind;
  /** Left out: no queue of its own; a response that streams a whole list uses the queue of lists. */
  readonly queue?: QueueName;
  /** The response has a secret that is shown once: it is not stored for an Idempotency-Key. */
  readonly hasSecret?: boolean;
  /** Content types of a file that is answered, other than CSV alone. */
  readonly fileTypes?: readonly string[];
  /** `projectId` names the organization, or one of its groups (part 2 section 3, search arguments). */
  readonly projectMayBeGroup?: boolean;
  /** What the example of the body has in place of values by its schema; undefined = it leaves the field out. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
  /** It cannot be called without a body, although its schema accepts an empty one. */
  readonly isBodyRequired?: boolean;
  /** Content of a file that is sent, as an example; left out for bytes that cannot be printed. */
  readonly fileExample?: string;
  /** A multipart body may be sent without its file. */
  readonly isFileOptional?: boolean;
}

const nothing = z.object({});

const BODY_BYTES = 1_048_576;
/** Of a call that anyone may make, or that has no body. */
const SHORT_BODY_BYTES = 16_384;

/** An operation as a module declares it, with defaults for common fields. */
type Declared<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  S extends ScopeKind = ScopeKind,
  A extends ResponseKind = ResponseKind,
> = Omit<Operation<P, Q, B, R, S, A>, LeftOut> & Partial<Pick<Operation<P, Q, B, R, S, A>, LeftOut>>;
type LeftOut = 'params' | 'query' | 'body' | 'bodyKind' | 'maxBodyBytes' | 'sends';

/**
 * Declare an operation. Defaults: nothing in the path, the query and the body; a response in JSON. A declared body is JSON unless
 * `bodyKind` says otherwise.
 */
export function operation<
  R extends z.ZodType,
  S extends ScopeKind,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
  A extends ResponseKind = 'json',
>(declared: Declared<P, Q, B, R, S, A>): Operation<P, Q, B, R, S, A>;
export function operation(declared: Declared): Operation {
  const bodyKind = declared.body === undefined ? 'none' : 'json';
  const maxBodyBytes = declared.scope === 'public' || bodyKind === 'none' ? SHORT_BODY_BYTES : BODY_BYTES;
  return { params: nothing, query: nothing, body: nothing, bodyKind, maxBodyBytes, sends: 'json', ...declared };
}

export const everyRole: readonly Role[] = ['main', 'admin', 'user'];
export const managers: readonly Role[] = ['main', 'admin'];
export const mainOnly: readonly Role[] = ['main'];
export const adminOnly: readonly Role[] = ['admin'];

/**
 * A call that a person or an API key must be allowed to make before something else does the same in their name: a job, a data plan, an alert rule.
 * Roles and API keys are both compared with it, when the other thing is saved and when it acts.
 */
export type Right = Pick<Operation, 'id' | 'roles' | 'method'>;
