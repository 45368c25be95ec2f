import { signInPolicy } from '@highline/contract';
import { sendVersioned, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { AccountsService } from './accounts.service.ts';

/** The policy of the own company, and the sessions of colleagues (IAM-06). */
export function registerPolicyRoutes(routes: Routes, service: AccountsService): void {
  routes.on(signInPolicy.getPolicy, async ({ actor, reply }) => {
    const result = await service.readPolicy(actor);
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(signInPolicy.savePolicy, async ({ actor, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => service.savePolicy(actor, body, isCurrent),
      () => service.readPolicy(actor),
    ),
  );

  routes.on(signInPolicy.listAdmins, async ({ actor }) => ({ result: { list: await service.listAdmins(actor) } }));

  routes.on(signInPolicy.listSessionsOf, async ({ actor, params }) => ({
    result: { list: await service.listSessionsOf(actor, params.id) },
  }));

  routes.on(signInPolicy.endSessionOf, async ({ actor, params }) => ({
    result: { ended: await service.endSessionOf(actor, params.id, params.session) },
  }));
}
