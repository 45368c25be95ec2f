import type { FastifyReply } from 'fastify';
import { ACCOUNT_COOKIE, BEARER_COOKIE, SIGNED_OUT_COOKIE } from './bearer.ts';

const SEVEN_DAYS_SECONDS = 7 * 86_400;

/** Keep a session in the console's cookies (DECISIONS): `id` readable, `vap` out of every script's reach. */
export function keepSession(reply: FastifyReply, secure: boolean, id: string, vap: string): void {
  const common = { path: '/', sameSite: 'lax', secure, maxAge: SEVEN_DAYS_SECONDS } as const;
  reply.setCookie(ACCOUNT_COOKIE, id, common);
  reply.setCookie(BEARER_COOKIE, vap, { ...common, httpOnly: true });
  reply.clearCookie(SIGNED_OUT_COOKIE, { path: '/' });
}

/** What a load after /logout erases (AUTH-05). */
export function eraseSession(reply: FastifyReply): void {
  for (const name of [ACCOUNT_COOKIE, BEARER_COOKIE, SIGNED_OUT_COOKIE]) reply.clearCookie(name, { path: '/' });
}
