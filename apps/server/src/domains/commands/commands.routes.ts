import { commands as calls } from '@highline/contract';
import type { Routes } from '../../http/call.ts';
import { cleanWords } from '../../told-text.ts';
import {
  addCommand,
  deleteCommand,
  listCommands,
  runCommand,
  saveCommand,
  type CommandDeps,
  type CommandRow,
} from './commands.service.ts';

/** Registers the calls of an organization's own commands (OLD-03). */
export function registerCommandRoutes(routes: Routes, deps: CommandDeps): void {
  routes.on(calls.listCommands, async ({ scope }) => ({
    result: (await listCommands(deps, scope)).map(commandWire),
  }));

  routes.on(calls.addCommand, async ({ scope, actor, body }) => ({
    result: commandWire(await addCommand(deps, scope, actor, body)),
  }));

  routes.on(calls.saveCommand, async ({ scope, actor, params, body }) => ({
    result: commandWire(await saveCommand(deps, scope, actor, params.command, body)),
  }));

  routes.on(calls.deleteCommand, async ({ scope, actor, params }) => {
    await deleteCommand(deps, scope, actor, params.command);
    return { result: { deleted: 1 as const } };
  });

  routes.on(calls.runCommand, async ({ scope, actor, params, body }) => {
    const word = await runCommand(deps, scope, actor, params.command, body.device);
    if (word.outcome !== 'refused') return { result: { outcome: word.outcome, message: '', code: null } };
    return { result: { outcome: 'refused' as const, message: cleanWords(word.message) ?? '', code: word.code } };
  });
}

function commandWire({ id, name, kind, argument, is_pinned: pinned }: CommandRow): calls.CustomCommand {
  return { id, name, kind, argument, pinned };
}
