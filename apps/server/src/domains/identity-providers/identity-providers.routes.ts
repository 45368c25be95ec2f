import { identityProviders as calls } from '@highline/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, isId, required, type Actor } from '../../kernel/index.ts';
import { addressOfCaller, sendVersioned, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { CONFIRMED_MS, findConfirmed } from '../accounts/index.ts';
import { testConnection, type ConnectionTestDeps } from './connection-test.ts';
import { logOutBy } from './logout.ts';
import { findProviderOfSession } from './linked-providers.queries.ts';
import { companyOf, findOwnProvider, providers } from './providers.queries.ts';
import {
  assignDomain,
  confirmDomain,
  createProvider,
  deleteProvider,
  recordTest,
  saveProvider,
  type ProviderDeps,
} from './providers.service.ts';
import { type SignInDeps } from './sign-in-failures.ts';
import { FLOW_SECONDS, toCalled } from './sign-in-flow.ts';
import { beginAgain, beginSignIn, finishSignIn } from './sign-in.ts';

export interface ProviderRoutesDeps extends ProviderDeps, SignInDeps, ConnectionTestDeps, Pick<Deps, 'reader' | 'streams'> {
  readonly caller: ProviderDeps['caller'] & ConnectionTestDeps['caller'];
  /** The public URL; undefined in the demo, which is reached under any loopback address. */
  readonly publicUrl: string | undefined;
  /** Send cookies over HTTPS only. */
  readonly secure: boolean;
  /** Store a valid bearer in the console's cookies. */
  readonly keepSession: (reply: FastifyReply, id: string, vap: string) => void;
}

/** Registers identity providers, and the sign-in by them (IAM-01). */
export function registerProviderRoutes(routes: Routes, deps: ProviderRoutesDeps): void {
  const originOf = (request: FastifyRequest) => deps.publicUrl ?? `${request.protocol}://${request.host}`;
  const read = (actor: Actor, id: string) => providers.get(deps, companyOf(actor), id);

  routes.on(calls.listProviders, async ({ actor, query }) =>
    providers.list(deps.clock.now()).respond(deps, companyOf(actor), query),
  );
  routes.on(calls.createProvider, async ({ actor, body }) => ({
    result: await read(actor, await createProvider(deps, actor, body)),
  }));
  routes.on(calls.saveProvider, async ({ actor, params, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveProvider(deps, actor, params.provider, body, isCurrent),
      () => read(actor, params.provider),
    ),
  );
  routes.on(calls.deleteProvider, async ({ actor, params }) => {
    await deleteProvider(deps, actor, params.provider);
    return { result: { deleted: 1 } };
  });
  routes.on(calls.testProvider, async ({ actor, params, request }) => {
    const id = params.provider;
    const found = isId(id) ? await findOwnProvider(deps.database.read, companyOf(actor), id) : undefined;
    const provider = required(found, 'provider.not_found');
    const redirectUri = `${originOf(request)}${calls.CALLBACK_PATH}`;
    const result = await testConnection(deps, { ...toCalled(deps, provider), scopes: provider.scopes, redirectUri });
    await recordTest(deps, actor, id, result);
    return { result };
  });
  routes.on(calls.confirmDomain, async ({ actor, params }) => {
    await confirmDomain(deps, actor, params.provider, params.domain.toLowerCase());
    return { result: await read(actor, params.provider) };
  });
  routes.on(calls.assignDomain, async ({ actor, params, body }) => {
    await assignDomain(deps, actor, params.provider, params.domain.toLowerCase(), body.assigned);
    return { result: await read(actor, params.provider) };
  });
  registerSignInRoutes(routes, deps, originOf);
}

function registerSignInRoutes(routes: Routes, deps: ProviderRoutesDeps, originOf: (request: FastifyRequest) => string): void {
  const callerOf = (request: FastifyRequest) => ({
    address: addressOfCaller(request),
    userAgent: request.headers['user-agent'] ?? '',
  });
  const name = deps.secure ? '__Host-idp' : 'idp';
  // Lax: it comes along when the provider leads back here.
  const cookie = { path: '/', sameSite: 'lax', secure: deps.secure, httpOnly: true } as const;

  routes.on(calls.beginProviderSignIn, async ({ body: { email, next }, request, reply }) => {
    const { url, flow } = await beginSignIn(deps, { email, next }, originOf(request), callerOf(request));
    reply.setCookie(name, flow, { ...cookie, maxAge: FLOW_SECONDS });
    return { result: { url } };
  });

  routes.on(calls.getConfirmation, async ({ actor }) => {
    const [provider, at] = await Promise.all([
      findProviderOfSession(deps.database.read, actor),
      findConfirmed(deps.database.read, actor, deps.clock.now()),
    ]);
    const until = at === undefined ? null : new Date(at.getTime() + CONFIRMED_MS).toISOString();
    return { result: { possible: provider !== undefined, until } };
  });

  routes.on(calls.beginConfirmation, async ({ actor, body: { next }, request, reply }) => {
    const begun = await beginAgain(deps, actor, next, originOf(request));
    if (begun !== undefined) reply.setCookie(name, begun.flow, { ...cookie, maxAge: FLOW_SECONDS });
    return { result: { url: begun?.url ?? null } };
  });

  routes.on(calls.finishProviderSignIn, async ({ request, reply }) => {
    reply.clearCookie(name, cookie).header('referrer-policy', 'no-referrer').code(303);
    const query = new URL(request.url, 'https://highline.invalid').searchParams;
    try {
      const { session, next } = await finishSignIn(deps, query, request.cookies[name], callerOf(request));
      if (session !== undefined) deps.keepSession(reply, session.id, session.vap);
      reply.header('location', next);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The sign-in page says why, and leads to another try.
      reply.header('location', `/account.html?failed=${error.key}`);
    }
    return {};
  });

  routes.on(calls.providerLogout, async ({ params, body, request }) => ({
    result: { ended: await logOutBy(deps, params.provider, body.logout_token, addressOfCaller(request)) },
  }));
}
