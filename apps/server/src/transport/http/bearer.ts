// Its types add `cookies` to a request, wherever this file is type-checked.
import '@fastify/cookie';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { addressOfCaller, checkOrigin } from '../../platform/calls/caller.ts';
import { required, type Actor } from '../../kernel/index.ts';

/** Finds the account of a bearer; implemented by the accounts domain. */
export interface SessionReader {
  /** Undefined when the bearer is unknown, ended or expired, or its account has no role. */
  readSession(bearerHash: Buffer, address: string): Promise<Actor | undefined>;
}

export const BEARER_COOKIE = 'vap';
/**
 * Cookie name under https: a browser accepts it from this host only, so that no other host of the domain can set it (decision
 * 0019).
 */
export const HOST_BEARER_COOKIE = '__Host-vap';
export const ACCOUNT_COOKIE = 'id';
export const SIGNED_OUT_COOKIE = 'logout';

/** A bearer and its source: only one from a cookie needs the Origin check. */
export interface Bearer {
  readonly text: string;
  readonly from: 'cookie' | 'header';
}

/** Bearers are stored and looked up as SHA-256; only the client has the text. */
export function hashBearer(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The bearer of a request: `Authorization: Bearer …` first, else the cookie `vap`. */
export function bearerOf(request: FastifyRequest): Bearer | undefined {
  const header = /^Bearer +(\S+)$/iu.exec(request.headers.authorization ?? '')?.[1];
  if (header !== undefined) return { text: header, from: 'header' };
  const cookie = request.cookies[BEARER_COOKIE];
  return cookie ? { text: cookie, from: 'cookie' } : undefined;
}

/** @throws DomainError `session.missing` or `session.invalid` with the messages of AUTH-06 */
export async function authenticate(
  request: FastifyRequest,
  sessions: SessionReader,
  origins: ReadonlySet<string>,
): Promise<Actor> {
  const bearer = required(bearerOf(request), 'session.missing');
  if (bearer.from === 'cookie') checkOrigin(request, origins);
  return required(await sessions.readSession(hashBearer(bearer.text), addressOfCaller(request)), 'session.invalid');
}
