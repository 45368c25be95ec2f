import { passkeys } from '@highline/contract';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../platform/calls/call.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Caller } from './forgotten-password.ts';

export interface PasskeyRoutesDeps {
  readonly service: AccountsService;
  /** Scheme, name and port of the console. */
  readonly originOf: (request: FastifyRequest) => string;
  readonly callerOf: (request: FastifyRequest) => Caller;
}

/** A person's own passkeys, and the sign-in with them (IAM-06). */
export function registerPasskeyRoutes(routes: Routes, { service, originOf, callerOf }: PasskeyRoutesDeps): void {
  routes.on(passkeys.listPasskeys, async ({ actor }) => ({ result: { list: await service.listPasskeys(actor) } }));

  routes.on(passkeys.beginPasskey, async ({ actor, body, request }) => ({
    result: await service.beginPasskey(actor, body.password, originOf(request)),
  }));

  routes.on(passkeys.addPasskey, async ({ actor, body, request }) => ({
    result: await service.addPasskey(actor, body.name, body.credential, originOf(request)),
  }));

  routes.on(passkeys.deletePasskey, async ({ actor, params }) => {
    await service.deletePasskey(actor, params.passkey);
    return { result: { deleted: 1 } };
  });

  routes.on(passkeys.beginPasskeySignIn, async ({ request }) => ({
    result: await service.beginPasskeySignIn(originOf(request), callerOf(request).address),
  }));

  routes.on(passkeys.passkeySignIn, async ({ body, request }) => ({
    result: await service.signInWithPasskey(body.credential, callerOf(request), originOf(request)),
  }));
}
