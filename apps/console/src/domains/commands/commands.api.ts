import { commands } from '@highline/contract';
import { call, type CallResponse } from '../../api/client.ts';

export type CustomCommand = commands.CustomCommand;
export type CommandKind = commands.CommandKind;
export type RunResult = CallResponse<typeof commands.runCommand>['result'];

/** The fields of the command form. */
export interface CommandDraft {
  readonly name: string;
  readonly kind: CommandKind;
  readonly argument: string;
  readonly pinned: boolean;
}

/**
 * Define a command, or change one.
 * @param base the version the change is based on; if it changed since, the call fails with 'conflict.stale', which contains the current one
 */
export async function saveCommand(
  base: Pick<CustomCommand, 'id' | 'version'> | undefined,
  { name, kind, argument, pinned }: CommandDraft,
): Promise<void> {
  if (base === undefined) await call(commands.addCommand, { body: { name, kind, argument, pinned } });
  else {
    const params = { command: base.id };
    await call(commands.saveCommand, { params, body: { name, argument, pinned }, ifMatch: `"${base.version}"` });
  }
}

export async function pinCommand(id: string, pinned: boolean): Promise<void> {
  await call(commands.saveCommand, { params: { command: id }, body: { pinned } });
}

export async function deleteCommand(id: string): Promise<void> {
  await call(commands.deleteCommand, { params: { command: id }, body: {} });
}

/** Have a router run a command. @returns the router's own response */
export async function runCommand(id: string, device: string): Promise<RunResult> {
  return (await call(commands.runCommand, { params: { command: id }, body: { device } })).result;
}
