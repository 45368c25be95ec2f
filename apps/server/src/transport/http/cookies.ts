import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT_COOKIE, BEARER_COOKIE, HOST_BEARER_COOKIE, SIGNED_OUT_COOKIE } from './bearer.ts';

const SEVEN_DAYS_SECONDS = 7 * 86_400;

/** Store a session in the console's cookies (DECISIONS): `id` readable, `vap` unreadable for scripts. */
export function keepSession(reply: FastifyReply, secure: boolean, id: string, vap: string): void {
  const common = { path: '/', sameSite: 'lax', secure, maxAge: SEVEN_DAYS_SECONDS } as const;
  reply.setCookie(ACCOUNT_COOKIE, id, common);
  reply.setCookie(secure ? HOST_BEARER_COOKIE : BEARER_COOKIE, vap, { ...common, httpOnly: true });
  reply.clearCookie(SIGNED_OUT_COOKIE, { path: '/' });
}

/** Cookies to erase after /logout (AUTH-05). */
export function eraseSession(reply: FastifyReply, secure: boolean): void {
  for (const name of [ACCOUNT_COOKIE, BEARER_COOKIE, SIGNED_OUT_COOKIE]) reply.clearCookie(name, { path: '/' });
  // Browsers ignore every change of this cookie without Secure, its deletion as well.
  if (secure) reply.clearCookie(HOST_BEARER_COOKIE, { path: '/', secure });
}

/** The same in the response of a call that ended the session; a program with its own bearer has no cookies. */
export function eraseSentSession(request: FastifyRequest, reply: FastifyReply, secure: boolean): void {
  if (request.cookies[BEARER_COOKIE] !== undefined) eraseSession(reply, secure);
}

/**
 * Under https, read the bearer from the cookie that only this host can set; ignore a `vap` that another host of the domain set.
 */
export function readHostCookies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { [HOST_BEARER_COOKIE]: own, [BEARER_COOKIE]: _, ...others } = request.cookies;
    request.cookies = own === undefined ? others : { ...others, [BEARER_COOKIE]: own };
  });
}
