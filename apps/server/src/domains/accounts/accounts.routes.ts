import { accounts } from '@highline/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import { addressOfCaller, checkOrigin, type Routes } from '../../platform/calls/index.ts';
import type { AccountsService } from './accounts.service.ts';
import { registerColleagueRoutes } from './colleagues.routes.ts';
import type { Caller } from './forgotten-password.ts';
import { registerUserRoutes } from './users.routes.ts';
import { inLanguageOf } from './privilege.ts';
import { registerPasskeyRoutes } from './passkeys.routes.ts';
import { registerPolicyRoutes } from './sign-in-policy.routes.ts';
import { registerSecondFactorRoutes } from './second-factor.routes.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export interface AccountRoutesDeps extends Pick<Deps, 'reader' | 'streams'> {
  readonly service: AccountsService;
  readonly version: string;
  readonly demo: boolean;
  /** The public URL; undefined in the demo, which is reached under any loopback address. */
  readonly publicUrl: string | undefined;
  readonly ownOrigin: string | undefined;
  /** Store a valid bearer in the console's cookies. */
  readonly keepSession: (reply: FastifyReply, id: string, vap: string) => void;
  /** Erase them, where the request sent any. */
  readonly eraseSession: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly findHandedOver: (id: string, vap: string, address: string) => Promise<boolean>;
}

const callerOf = (request: FastifyRequest): Caller => ({
  address: addressOfCaller(request),
  userAgent: request.headers['user-agent'] ?? '',
});

/** Registers sign-in, sessions, users and invitations (AUTH, USR). */
export function registerAccountRoutes(routes: Routes, deps: AccountRoutesDeps): void {
  const { service, publicUrl } = deps;
  const originOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const users = { service, reader: deps.reader, streams: deps.streams, originOf };
  registerUserRoutes(routes, users);
  registerColleagueRoutes(routes, users);
  registerSecondFactorRoutes(routes, service, callerOf);
  registerPasskeyRoutes(routes, { service, originOf, callerOf });
  registerPolicyRoutes(routes, service);

  routes.on(accounts.loginFrame, async ({ request }) => ({ data: `${originOf(request)}/account.html` }));

  routes.on(accounts.signIn, async ({ body, request }) => ({
    result: await service.signIn(body, callerOf(request), originOf(request)),
  }));

  routes.on(accounts.introspect, async ({ actor, request }) => ({
    result: inLanguageOf(request, await service.introspect(actor, deps.version, deps.demo)),
  }));

  // The next load erases the cookies too (AUTH-05). But a browser that is busy may load it before it has stored the flag.
  routes.on(accounts.signOut, async ({ actor, body, request, reply }) => {
    const ended = await service.signOut(actor, body?.browser);
    deps.eraseSession(request, reply);
    return { result: { ended } };
  });

  routes.on(accounts.signOutEverywhere, async ({ actor, request, reply }) => {
    const ended = await service.signOutEverywhere(actor);
    deps.eraseSession(request, reply);
    return { result: { ended } };
  });

  routes.on(accounts.forgotPassword, async ({ body, request }) => {
    await service.forgotPassword(body.email, body.language ?? 'en-US', originOf(request), callerOf(request));
    return { result: { accepted: true as const } };
  });

  routes.on(accounts.readInvitation, async ({ body, request }) => ({
    result: await service.readInvitationLink(body.secret, callerOf(request)),
  }));

  routes.on(accounts.resetPassword, async ({ body, request }) => ({
    result: await service.resetPassword(body.secret, body.password, callerOf(request)),
  }));

  routes.on(accounts.changePassword, async ({ body, request }) => ({
    result: await service.changePassword(body, callerOf(request), originOf(request)),
  }));

  routes.on(accounts.setUp, async ({ body: { secret, ...first }, request }) => ({
    result: await service.setUp(secret, first, callerOf(request)),
  }));

  routes.on(accounts.openSession, async ({ body, request, reply }) => {
    // A page of another site must not sign a user in to another account.
    checkOrigin(request, deps.ownOrigin);
    if (!(await deps.findHandedOver(body.id, body.vap, addressOfCaller(request)))) throw new DomainError('session.invalid');
    deps.keepSession(reply, body.id, body.vap);
    return { result: { id: body.id } };
  });

  routes.on(accounts.loginStatus, async ({ scope }) => ({ result: await service.loginStatus(scope) }));
}
