import { scim as calls } from '@highline/contract';
import type { FastifyRequest } from 'fastify';
import type { OrganizationScope } from '../../kernel/index.ts';
import { sendVersioned, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { SCIM_PATH } from './recorded-calls.ts';
import { createSecret, readDirectory, revokeSecret, saveRoles } from './scim.service.ts';

export interface ScimRoutesDeps extends Pick<Deps, 'database' | 'clock'> {
  /** The public URL; undefined in the demo, which is reached under any loopback address. */
  readonly publicUrl: string | undefined;
}

/** Registers what the admins of an organization see and choose of its directory (IAM-02). */
export function registerScimRoutes(routes: Routes, deps: ScimRoutesDeps): void {
  const read = (scope: OrganizationScope, request: FastifyRequest) =>
    readDirectory(deps, scope, `${deps.publicUrl ?? `${request.protocol}://${request.host}`}${SCIM_PATH}`);

  routes.on(calls.getDirectory, async ({ scope, request }) => ({ result: await read(scope, request) }));
  routes.on(calls.saveDirectoryRoles, async ({ scope, actor, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveRoles(deps, scope, actor, body, isCurrent),
      () => read(scope, request),
    ),
  );
  routes.on(calls.createDirectorySecret, async ({ scope, actor, body, request }) => {
    const secret = await createSecret(deps, scope, actor, body);
    return { result: await read(scope, request), secret };
  });
  routes.on(calls.revokeDirectorySecret, async ({ scope, actor, params, request }) => {
    await revokeSecret(deps, scope, actor, params.secret);
    return { result: await read(scope, request) };
  });
}
