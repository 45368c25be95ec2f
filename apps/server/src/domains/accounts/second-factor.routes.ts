import { secondFactor } from '@highline/contract';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../platform/calls/call.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Caller } from './forgotten-password.ts';

/** The user's own second factor, and the reset of a colleague's. */
export function registerSecondFactorRoutes(
  routes: Routes,
  service: AccountsService,
  callerOf: (request: FastifyRequest) => Caller,
): void {
  routes.on(secondFactor.beginAtSignIn, async ({ body, request }) => ({
    result: await service.beginFactorAtSignIn(body.email, body.password, callerOf(request)),
  }));

  routes.on(secondFactor.confirmAtSignIn, async ({ body, request }) => ({
    result: await service.confirmFactorAtSignIn(body, callerOf(request)),
  }));

  routes.on(secondFactor.getSecondFactor, async ({ actor }) => ({ result: await service.readSecondFactor(actor.accountId) }));

  routes.on(secondFactor.beginSecondFactor, async ({ actor, body }) => ({
    result: await service.beginSecondFactor(actor, body.password),
  }));

  routes.on(secondFactor.confirmSecondFactor, async ({ actor, body }) => ({
    result: { recoveryCodes: await service.confirmSecondFactor(actor, body.code) },
  }));

  routes.on(secondFactor.endSecondFactor, async ({ actor, body }) => {
    await service.endSecondFactor(actor, body.password, body.code);
    return { result: { ended: 1 } };
  });

  routes.on(secondFactor.resetSecondFactor, async ({ actor, params }) => {
    await service.resetSecondFactor(actor, params.id);
    return { result: { ended: 1 } };
  });
}
