import type { ServerResponse } from 'node:http';
import { remoteAccess as calls, remoteClients as clients } from '@highline/contract';
import { withVersion, type OrganizationScope } from '../../kernel/index.ts';
import { sendSavedContent, type Routes } from '../../platform/calls/index.ts';
import { saveClientRule, type ClientRuleDeps } from './clients/save-client-rule.ts';
import { readClientRule } from './clients/client-rule.queries.ts';
import type { RemoteAccess } from './remote-access.service.ts';

/** Registers the operations on remote sessions (RMT). */
export function registerRemoteAccessRoutes(routes: Routes, service: RemoteAccess, deps: ClientRuleDeps): void {
  routes.on(calls.getConnection, async ({ scope, actor, query }) => ({
    result: await service.current(scope, actor, query.device),
    types: service.types(),
  }));

  routes.on(calls.connectDevice, async ({ scope, actor, body, reply }) =>
    service.connect(scope, actor, body, whileAwaited(reply.raw)),
  );

  routes.on(calls.getOneTimeSecret, async ({ scope, actor, body, reply }) => {
    // No cache may store it.
    reply.header('cache-control', 'no-store');
    return { statusCode: 200, content: await service.issueCredentials(scope, actor, body) };
  });

  routes.on(calls.openTerminal, async ({ scope, actor, body, reply }) => {
    // No cache may store it.
    reply.header('cache-control', 'no-store');
    return service.openTerminal(scope, actor, body.serial, whileAwaited(reply.raw));
  });

  const readRule = (scope: OrganizationScope) => readClientRule(deps.database.read, scope);

  routes.on(clients.getClientRule, async ({ scope }) => ({ result: withVersion(await readRule(scope)) }));

  routes.on(clients.saveClientRule, (call) => {
    const { scope, actor, body } = call;
    const { roles, ranges, ports } = body;
    return sendSavedContent(
      call,
      (isCurrent) => saveClientRule(deps, scope, actor, { roles, ranges, ports }, isCurrent),
      () => readRule(scope),
    );
  });

  routes.on(clients.getClientAccess, async ({ scope, actor, query }) => ({
    result: await service.clientAccess(scope, actor, query.device),
  }));

  routes.on(clients.openClient, async ({ scope, actor, body, reply }) => {
    reply.header('cache-control', 'no-store');
    const opened = await service.openClient(scope, actor, body, whileAwaited(reply.raw));
    const isPort = opened.statusCode === 200 && (body.service === 'ssh' || body.service === 'tcp');
    return { certificate: null, ...opened, from: isPort ? actor.address : null };
  });

  routes.on(clients.openClientTerminal, async ({ scope, actor, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return service.openClientTerminal(scope, actor, { ...body, service: 'ssh' }, whileAwaited(reply.raw));
  });

  routes.on(clients.endClient, async ({ scope, actor, body }) => ({
    result: { ended: await service.endClient(scope, actor, body.device) },
  }));

  routes.on(calls.cancelConnection, async ({ scope, actor, body }) => ({
    result: { ended: await service.cancel(scope, actor, body.device) },
  }));

  routes.on(calls.resetGuiPassword, async ({ scope, actor, body }) => {
    await service.resetPassword(scope, actor, body.serial);
    return { result: { reset: true as const } };
  });
}

/** Aborts when the caller has disconnected before the response. */
function whileAwaited(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('The caller has disconnected.'));
  });
  return gone.signal;
}
