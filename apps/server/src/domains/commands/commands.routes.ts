import { commands as calls } from '@highline/contract';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import type { CommandRuns } from './command.runs.ts';
import { toCommandDto } from './command.dto.ts';
import { addCommand, deleteCommand, listCommands, saveCommand, type CommandDeps } from './commands.service.ts';

export interface CommandRoutesDeps extends CommandDeps {
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
}
