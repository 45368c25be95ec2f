// Its types add `cookies` to a request, wherever this file is type-checked.
import '@fastify/cookie';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { addressOfCaller, checkOrigin } from '../../platform/calls/caller.ts';
import { required, type Actor } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Finds the account of a bearer; implemented by the accounts domain. */
export interface SessionReader {
  /** Undefined when the bearer is unknown, ended or expired, or its account has no role. */
  readSession(bearerHash: Buffer, address: string): Promise<Actor | undefined>;
}

/** Finds the maker of an API key; implemented by the domain api-keys. */
export interface KeyReader {
  /** Whether a bearer is an API key, whatever its state. */
  isKey(bearer: string): boolean;
  /** @throws DomainError with a key that begins with `key.` */
  readKey(bearer: string, address: string): Promise<Required<Authenticated>>;
  /** First step of each transaction of a call by a key: one that was revoked meanwhile changes nothing more. @throws as `readKey` */
  admit(tx: Tx, sessionId: string): Promise<void>;
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

/** The caller of a call: a person, or a program by an API key, which may call only these operations. */
export interface Authenticated {
  readonly actor: Actor;
  readonly operations?: ReadonlySet<string>;
}

/** @throws DomainError `session.missing` or `session.invalid` with the messages of AUTH-06; for an API key as `KeyReader.readKey` */
export async function authenticate(
  request: FastifyRequest,
  {
    sessions,
    keys,
    ownOrigin,
  }: { readonly sessions: SessionReader; readonly keys: KeyReader; readonly ownOrigin: string | undefined },
): Promise<Authenticated> {
  const bearer = required(bearerOf(request), 'session.missing');
  if (bearer.from === 'cookie') checkOrigin(request, ownOrigin);
  const address = addressOfCaller(request);
  // A key in a cookie would be sent by a browser with any request.
  if (bearer.from === 'header' && keys.isKey(bearer.text)) return keys.readKey(bearer.text, address);
  return { actor: required(await sessions.readSession(hashBearer(bearer.text), address), 'session.invalid') };
}
