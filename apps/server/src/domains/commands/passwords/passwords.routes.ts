import { routerPasswords as calls } from '@highline/contract';
import { required, withVersion, type OrganizationScope } from '../../../kernel/index.ts';
import { sendSavedContent, type Routes } from '../../../platform/calls/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { findSent } from '../sent-commands.queries.ts';
import { passwordList, readPasswordSettings } from './passwords.queries.ts';
import { savePasswordSettings, setRouterPassword, showRouterPasswords, type PasswordDeps } from './passwords.service.ts';

export interface PasswordRoutesDeps extends PasswordDeps, Pick<Deps, 'reader' | 'streams'> {}

/** Registers the calls about passwords of routers (LIV-11). */
export function registerPasswordRoutes(routes: Routes, deps: PasswordRoutesDeps): void {
  const settingsOf = (scope: OrganizationScope) => readPasswordSettings(deps.database.read, scope);

  routes.on(calls.listRouterPasswords, async ({ scope, query }) =>
    passwordList(await settingsOf(scope), deps.clock.now()).respond(deps, scope, query),
  );

  routes.on(calls.setRouterPassword, async ({ scope, actor, body, reply }) => {
    // No cache may store it.
    reply.header('cache-control', 'no-store');
    const { id, password } = await setRouterPassword(deps, scope, actor, body);
    return { result: { command: required(await findSent(deps.reader, scope, id), 'command.unknown'), password } };
  });

  routes.on(calls.showRouterPassword, async ({ scope, actor, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return { result: await showRouterPasswords(deps, scope, actor, body) };
  });

  routes.on(calls.readPasswordSettings, async ({ scope }) => ({ result: withVersion(await settingsOf(scope)) }));

  routes.on(calls.savePasswordSettings, (call) => {
    const { scope, actor, body } = call;
    return sendSavedContent(
      call,
      (isCurrent) => savePasswordSettings(deps, scope, actor, body, isCurrent),
      () => settingsOf(scope),
    );
  });
}
