import { roles as calls } from '@highline/contract';
import type { Scope } from '../../kernel/index.ts';
import { sendVersioned, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findOwnRole } from '../accounts/index.ts';
import { findHolders, ownRoles } from './roles.queries.ts';
import { createRole, deleteRole, giveRole, listRights, saveRole, type RoleDeps } from './roles.service.ts';

export interface RoleRoutesDeps extends RoleDeps, Pick<Deps, 'reader' | 'streams'> {}

/** Registers the operations of roles that companies make (IAM-03). */
export function registerRoleRoutes(routes: Routes, deps: RoleRoutesDeps): void {
  const read = (scope: Scope, id: string) => ownRoles.get(deps, scope, id);

  routes.on(calls.listRoles, async ({ scope, query }) => ownRoles.list(deps.clock.now()).respond(deps, scope, query));
  routes.on(calls.listRights, async ({ scope, actor }) => listRights(deps, scope, actor));
  routes.on(calls.showRole, async ({ scope, params }) => {
    const role = await read(scope, params.role);
    return { result: { ...role, holders: await findHolders(deps.reader, scope, role.id) } };
  });
  routes.on(calls.createRole, async ({ scope, actor, body }) => ({
    result: await read(scope, await createRole(deps, scope, actor, body)),
  }));
  routes.on(calls.saveRole, async ({ scope, actor, params, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveRole(deps, scope, actor, params.role, body, isCurrent),
      () => read(scope, params.role),
    ),
  );
  routes.on(calls.deleteRole, async ({ scope, actor, params, body }) => {
    await deleteRole(deps, scope, actor, params.role, body.instead);
    return { result: { deleted: 1 as const } };
  });
  routes.on(calls.giveRole, async ({ actor, params, body }) => {
    await giveRole(deps, actor, params.id, body.role);
    return { result: { ownRole: await findOwnRole(deps.database.read, actor, params.id) } };
  });
}
