import type { FastifyRequest } from 'fastify';
import { newId } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Directory } from './directory.ts';
import type { ProtocolDeps } from './responses.ts';
import { insertCall } from './secrets.store.ts';

export const SCIM_PATH = '/scim/v2';

const LONGEST_PATH = 300;

const LONGEST_DETAIL = 500;

/** Keep a call for the admins of the organization to see; that this fails is no fault of the call. */
export async function noteCall(
  { database, clock, log }: ProtocolDeps,
  { scope, actor }: Directory,
  request: FastifyRequest,
  status: number,
  detail: string,
): Promise<void> {
  const now = clock.now();
  const path = request.url
    .slice(SCIM_PATH.length, SCIM_PATH.length + LONGEST_PATH)
    .toWellFormed()
    .replaceAll('\0', '');
  const call = {
    id: newId(now.getTime()),
    at: now,
    method: request.method,
    path,
    status,
    detail: detail.slice(0, LONGEST_DETAIL).toWellFormed().replaceAll('\0', ''),
    address: actor.address,
  };
  try {
    await database.write(async (tx) => {
      await insertCall(tx, scope, call);
      await announce(tx, scope, 'scim', []);
    });
  } catch (error) {
    log.warn({ err: error }, 'A call of a directory could not be noted.');
  }
}
