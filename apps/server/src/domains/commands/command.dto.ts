import type { commands } from '@highline/contract';
import { contentVersion } from '../../kernel/content-version.ts';
import type { CommandRow } from './commands.store.ts';

/** A command as the API returns it. */
export function toCommandDto(row: CommandRow): commands.CustomCommand {
  const { id, name, kind, argument, is_pinned: pinned } = row;
  return { id, name, kind, argument, pinned, version: commandVersion(row) };
}

/** For If-Match: changes with every user-editable field of a command. */
export function commandVersion({ name, argument, is_pinned: pinned }: CommandRow): string {
  return contentVersion([name, argument, pinned]);
}
