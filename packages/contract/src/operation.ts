import type { z } from 'zod';

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
  /** Content types of a file that is no CSV. */
  readonly fileTypes?: readonly string[];
}

/** Declare an operation; the identity function only pins the schema types down. */
export function operation<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  S extends ScopeKind,
  A extends AnswerKind,
>(declared: Operation<P, Q, B, R, S, A>): Operation<P, Q, B, R, S, A> {
  return declared;
}

export const everyRole: readonly Role[] = ['main', 'admin', 'user'];
export const managers: readonly Role[] = ['main', 'admin'];
export const mainOnly: readonly Role[] = ['main'];
