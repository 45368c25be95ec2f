import type { FastifyReply, FastifyRequest } from 'fastify';
import { withVersion } from '../../kernel/content-version.ts';
import { DomainError } from '../../kernel/failure.ts';

type IsCurrent = (version: number | string) => boolean;

/**
 * Whether a version satisfies an If-Match header (RFC 9110, 13.1.1). Without the header every version does: a client that sends
 * none is not checked (DECISIONS, Concurrent edits). Weak tags match too, since proxies weaken what they compress.
 */
export function ifMatch(header: string | undefined): IsCurrent {
  if (header === undefined || header.trim() === '' || header.trim() === '*') return () => true;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//u, '')));
  return (version) => tags.has(`"${version}"`);
}

/** Sends a version as the entity tag of the response, for If-Match of the next save. */
export function tagResponse(reply: FastifyReply, version: number | string): void {
  reply.header('etag', `"${version}"`);
}

/**
 * Answers a save with the values after it and their entity tag, and a stale save with the current values, so that the user can see
 * them (DECISIONS, Concurrent edits).
 * @param save gets whether the caller's version, from If-Match, is the current one
 */
export async function sendSaved<Result>(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  save: (isCurrent: IsCurrent) => Promise<unknown>,
  read: () => Promise<{ readonly version: number | string; readonly result: Result }>,
): Promise<{ result: Result }> {
  try {
    await save(ifMatch(request.headers['if-match']));
  } catch (error) {
    const isStale = error instanceof DomainError && error.key === 'conflict.stale';
    throw isStale ? new DomainError('conflict.stale', { detail: (await read()).result }) : error;
  }
  const { version, result } = await read();
  tagResponse(reply, version);
  return { result };
}

/** The same for values that have their version among them. */
export function sendVersioned<Result extends { readonly version: number | string }>(
  call: Parameters<typeof sendSaved>[0],
  save: Parameters<typeof sendSaved>[1],
  read: () => Promise<Result>,
): Promise<{ result: Result }> {
  return sendSaved(call, save, async () => {
    const result = await read();
    return { version: result.version, result };
  });
}

/** The same for a document without a version of its own: it is that of its content. */
export function sendSavedContent<Content extends object>(
  call: Parameters<typeof sendSaved>[0],
  save: Parameters<typeof sendSaved>[1],
  read: () => Promise<Content>,
): Promise<{ result: Content & { readonly version: string } }> {
  return sendVersioned(call, save, async () => withVersion(await read()));
}

/**
 * Sends the entity tag of a response, and status 304 if the caller has this version (RFC 9110, 13.1.2). @returns whether it has
 */
export function tagIfChanged({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  tagResponse(reply, tag);
  // A proxy that compresses weakens the tag.
  const isKnown = (headers['if-none-match'] ?? '').split(',').some((each) => each.trim().replace(/^W\//u, '') === `"${tag}"`);
  if (isKnown) reply.code(304);
  return isKnown;
}
