import { z } from 'zod';

/** Who a person is to Highline. On the wire: vendorSuper, super, vendor (AUTH-07). */
export type Role = 'main' | 'admin' | 'user';

/**
 * What a call works on, settled from the session and the call's `org` before its handler runs:
 * - `public`: nobody needs to be signed in.
 * - `account`: the signed-in account itself, whatever its role.
 * - `tenant`: one organization, or for the main account without `org` all of its organizations.
 * - `organization`: exactly one organization; the main account must name it in `org`.
 * - `main`: the main account as a whole (inventory, firmware, list of organizations).
 */
export type ScopeKind = 'public' | 'account' | 'tenant' | 'organization' | 'main';

/** How a body travels. `multipart` bodies are read as a stream; their schema describes the text fields alone. */
export type BodyKind = 'none' | 'json' | 'form' | 'multipart';

/** What comes back: JSON of the response schema, a file to save, or a stream of server-sent events. */
export type AnswerKind = 'json' | 'file' | 'events' | 'empty';

/**
 * Costly calls of which a few run at once, shared fairly between accounts and organizations: CSV imports, questions about time series,
 * and workbooks. `none` = an answer that streams, but is small.
 */
export type QueueName = 'imports' | 'questions' | 'workbooks' | 'none';

/** One call of the product as data: the server registers it, OpenAPI documents it, the console calls it. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Scope extends ScopeKind = ScopeKind,
  Kind extends AnswerKind = AnswerKind,
> {
  /** Unique, `room.verb`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` placeholders, as in OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  /** Also of an organization that was deleted: its main account keeps its log. */
  readonly reachesDeleted?: boolean;
  /** Roles that may call it; ignored for `public`. */
  readonly roles: readonly Role[];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly bodyKind: BodyKind;
  /** The longest JSON body it takes, bytes; 1 MiB where nothing is said. */
  readonly maxBodyBytes?: number;
  readonly response: Response;
  readonly answer: Kind;
  /** Left out: no queue of its own; an answer that streams a whole list waits in the queue of lists. */
  readonly queue?: QueueName;
  /** Content types of a file that is no CSV. */
  readonly fileTypes?: readonly string[];
}

const nothing = z.object({});

/** An operation as a room declares it: what most calls have alike may be left out. */
type Declared<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  S extends ScopeKind = ScopeKind,
  A extends AnswerKind = AnswerKind,
> = Omit<Operation<P, Q, B, R, S, A>, LeftOut> & Partial<Pick<Operation<P, Q, B, R, S, A>, LeftOut>>;
type LeftOut = 'params' | 'query' | 'body' | 'bodyKind' | 'answer';

/**
 * Declare an operation. Left out means: nothing in the path, the query and the body; an answer in JSON. A body that is declared travels
 * as JSON unless `bodyKind` says otherwise.
 */
export function operation<
  R extends z.ZodType,
  S extends ScopeKind,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
  A extends AnswerKind = 'json',
>(declared: Declared<P, Q, B, R, S, A>): Operation<P, Q, B, R, S, A>;
export function operation(declared: Declared): Operation {
  const bodyKind = declared.body === undefined ? 'none' : 'json';
  return { params: nothing, query: nothing, body: nothing, bodyKind, answer: 'json', ...declared };
}

export const everyRole: readonly Role[] = ['main', 'admin', 'user'];
export const managers: readonly Role[] = ['main', 'admin'];
export const mainOnly: readonly Role[] = ['main'];
export const adminOnly: readonly Role[] = ['admin'];
