import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { acceptsIdempotencyKey } from '@highline/contract/openapi';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import type { AnyOperation, UploadedFile } from '../../platform/calls/call.ts';
import { isSet } from '../../platform/calls/query-flag.ts';

export const IDEMPOTENCY_KEY = 'idempotency-key';

/** The Idempotency-Key of a call that accepts one. @throws DomainError `idempotency.key_invalid` */
export function idempotencyKeyOf(operation: AnyOperation, request: FastifyRequest): string | undefined {
  const key = request.headers[IDEMPOTENCY_KEY];
  if (key === undefined || !acceptsIdempotencyKey(operation)) return undefined;
  if (typeof key !== 'string' || !/^[\u0020-\u007e]{1,255}$/u.test(key))
    throw new DomainError('idempotency.key_invalid', { field: 'Idempotency-Key' });
  return key;
}

/** Whether a call only checks what it would do. @param query validated, so it has the flag only if the call has it */
export function isDryRun(query: unknown): boolean {
  return isSet((query as { readonly dryRun?: string }).dryRun);
}

/** SHA-256 over everything that makes a call what it is: also the organization of its caller, who may belong to another one by the time it is repeated. */
export async function hashRequest(
  { id }: AnyOperation,
  organizationId: string | null,
  parsed: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  file: UploadedFile | undefined,
): Promise<Buffer> {
  const parts = [id, parsed.params, parsed.query, parsed.body, file?.name ?? null, organizationId];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  if (file !== undefined) for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
  return hash.digest();
}
