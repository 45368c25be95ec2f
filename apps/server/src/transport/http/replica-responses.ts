import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation } from '../../platform/calls/call.ts';
import type { Actor } from '../../kernel/index.ts';

/** Runs calls whose lists may be read from a replica; implemented by platform/adapters/replica-reads.ts. */
export interface CallReads {
  during<T>(
    call: { readonly accountId: string; readonly after: string | undefined; readonly isRead: boolean },
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly position: string | undefined; readonly ageMs: number }>;
}

/**
 * After a write, its position in the log of the database. A client that returns it reads its own writes at every node: browsers
 * return the cookie, others may send the header.
 */
const POSITION = 'highline-position';
/** Seconds; only on answers that are visibly old. */
const DATA_AGE = 'highline-data-age';
/** Below this age a response counts as current. */
const VISIBLE_MS = 5_000;
/** The longest age that a replica may have: after it, every replica in use has the write. */
const KEPT_SECONDS = 3_600;

/** Run the handler of a call, and send with its response what the replica made of it (decision 0035). */
export async function readingFrom<T>(
  reads: CallReads,
  secure: boolean,
  {
    operation,
    actor,
    request,
    reply,
  }: Readonly<{ operation: AnyOperation; actor: Actor; request: FastifyRequest; reply: FastifyReply }>,
  handle: () => Promise<T>,
): Promise<T> {
  const header = request.headers[POSITION];
  const after = typeof header === 'string' ? header : request.cookies[POSITION];
  // The queries of time series are POST because of their length.
  const isRead = operation.method === 'GET' || operation.queue === 'questions' || operation.queue === 'replays';
  const { result, position, ageMs } = await reads.during({ accountId: actor.accountId, after, isRead }, handle);
  if (reply.raw.headersSent) return result;
  if (position !== undefined) {
    reply.header(POSITION, position);
    reply.setCookie(POSITION, position, { path: '/', sameSite: 'lax', secure, httpOnly: true, maxAge: KEPT_SECONDS });
  }
  if (ageMs > VISIBLE_MS) reply.header(DATA_AGE, Math.round(ageMs / 1000));
  return result;
}
