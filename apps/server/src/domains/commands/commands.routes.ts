import { commands as calls, sentCommands } from '@highline/contract';
import { required, type OrganizationScope } from '../../kernel/index.ts';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import type { CommandRuns } from './command.runs.ts';
import { toCommandDto } from './command.dto.ts';
import { findSent, sentList } from './sent-commands.queries.ts';
import { cancelCommand } from './cancelled-commands.ts';
import { sendCommand } from './sent-commands.service.ts';
import { addCommand, deleteCommand, listCommands, saveCommand, type CommandDeps } from './commands.service.ts';

export interface CommandRoutesDeps extends CommandDeps, Pick<Deps, 'reader' | 'streams'> {
  readonly runs: CommandRuns;
}

/** Registers the operations of an organization's custom commands (OLD-03). */
export function registerCommandRoutes(routes: Routes, deps: CommandRoutesDeps): void {
  routes.on(calls.listCommands, async ({ scope }) => ({
    result: (await listCommands(deps, scope)).map(toCommandDto),
  }));

  routes.on(calls.addCommand, async ({ scope, actor, body }) => ({
    result: toCommandDto(await addCommand(deps, scope, actor, body)),
  }));

  routes.on(calls.saveCommand, async ({ scope, actor, params, body, request, reply }) => {
    const isCurrent = ifMatch(request.headers['if-match']);
    const result = toCommandDto(await saveCommand(deps, scope, actor, params.command, body, isCurrent));
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(calls.deleteCommand, async ({ scope, actor, params }) => {
    await deleteCommand(deps, scope, actor, params.command);
    return { result: { deleted: 1 as const } };
  });

  routes.on(calls.runCommand, async ({ scope, actor, params, body }) => {
    const response = await deps.runs.run(scope, actor, params.command, body.device, false);
    const { outcome } = response;
    if (!('code' in response)) return { result: { outcome, message: '', code: null } };
    return { result: { outcome, message: sanitizeLine(response.message) ?? '', code: response.code } };
  });

  const respond = async (scope: OrganizationScope, id: string) => ({
    result: required(await findSent(deps.reader, scope, id), 'command.unknown'),
  });
  routes.on(sentCommands.sendCommand, async ({ scope, actor, body }) =>
    respond(scope, await sendCommand(deps, scope, actor, body)),
  );
  routes.on(sentCommands.listSentCommands, ({ scope, query }) => sentList.respond(deps, scope, query));
  routes.on(sentCommands.cancelCommand, async ({ scope, actor, params }) => {
    await respond(scope, params.id);
    await cancelCommand(deps, scope, actor, params.id);
    return respond(scope, params.id);
  });
}
