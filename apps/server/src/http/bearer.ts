// Its types add `cookies` to a request, wherever this file is checked.
import '@fastify/cookie';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../failure.ts';
import type { Actor } from '../scope.ts';

/** Finds who a bearer belongs to; implemented by the accounts room. */
export interface SessionReader {
  /** Undefined when the bearer is unknown, ended or expired, or its account has no role. */
  readSession(bearerHash: Buffer, address: string): Promise<Actor | undefined>;
}

export const BEARER_COOKIE = 'vap';
/** The same under https: a browser takes it from this very host alone, so that no other name of the domain can set it (decision 0019). */
export const HOST_BEARER_COOKIE = '__Host-vap';
export const ACCOUNT_COOKIE = 'id';
export const SIGNED_OUT_COOKIE = 'logout';

/** A bearer and how it came: only one from a cookie needs the Origin check. */
export interface Bearer {
  readonly text: string;
  readonly from: 'cookie' | 'header';
}

/** Bearers are stored and looked up as SHA-256; the text itself stays with its owner. */
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

/** Where a request comes from, '' once its caller has hung up: a closed socket knows no address. */
export function addressOfCaller(request: FastifyRequest): string {
  const ip: string | undefined = request.ip;
  return ip ?? '';
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuse a write that a page of another site made with our cookie (same Origin required for writes, DECISIONS).
 * Browsers name the origin of every such request; one without it did not come from a page.
 */
export function checkOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (READING.has(request.method)) return;
  const origin = request.headers.origin;
  if (origin !== undefined && (allowed.has(origin) || sameHost(origin, request))) return;
  if (origin === undefined && request.headers['sec-fetch-site'] === 'same-origin') return;
  throw new DomainError('request.origin');
}

function sameHost(origin: string, request: FastifyRequest): boolean {
  return origin === `${request.protocol}://${request.host}`;
}

/** @throws DomainError `session.missing` or `session.invalid` with the messages of AUTH-06 */
export async function authenticate(
  request: FastifyRequest,
  sessions: SessionReader,
  origins: ReadonlySet<string>,
): Promise<Actor> {
  const bearer = bearerOf(request);
  if (bearer === undefined) throw new DomainError('session.missing');
  if (bearer.from === 'cookie') checkOrigin(request, origins);
  const actor = await sessions.readSession(hashBearer(bearer.text), addressOfCaller(request));
  if (actor === undefined) throw new DomainError('session.invalid');
  return actor;
}
