import { commands as calls, isNameTaken } from '@highline/contract';
import type { z } from 'zod';
import { type Actor, DomainError, invalidField, newId, type OrganizationScope, required } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { commandVersion, toCommandDto } from './command.dto.ts';
import {
  lockCommands,
  insertCommand,
  removeCommand,
  selectCommands,
  updateCommand,
  type CommandChange,
  type CommandRow,
} from './commands.store.ts';

export type { CommandRow };

export type CommandDeps = Pick<Deps, 'database' | 'clock'>;

/** The bodies of the calls that define a command and change one (OLD-03). */
type CommandInput = z.output<typeof calls.addCommand.body>;
type CommandEdit = z.output<typeof calls.saveCommand.body>;

/** An organization's commands by name. */
export async function listCommands({ database }: Pick<CommandDeps, 'database'>, scope: OrganizationScope): Promise<CommandRow[]> {
  return selectCommands(database.read, scope);
}

/**
 * Define a command.
 * @throws DomainError `command.too_many`, `command.too_many_pinned`, `command.name_taken`, `request.invalid` for an argument that
 * its kind does not accept
 */
export async function addCommand(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  { name, kind, argument = '', pinned = false }: CommandInput,
): Promise<CommandRow> {
  const now = clock.now();
  const command: CommandRow = { id: newId(now.getTime()), name, kind, argument, is_pinned: pinned };
  await database.write(async (tx) => {
    const others = await lockCommands(tx, scope);
    if (others.length >= calls.MOST_COMMANDS) throw new DomainError('command.too_many');
    rejectConflicts(command, others);
    await insertCommand(tx, scope, command, now);
    await record(tx, scope, actor, sentence('command.added', name), command, { kind, argument, pinned }, now);
  });
  return command;
}

/**
 * Rename a command, change its argument, pin or unpin it.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `command.not_found`, `conflict.stale` with the current values, and as `addCommand`
 */
export async function saveCommand(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { name, argument, pinned }: CommandEdit,
  isCurrent: (version: string) => boolean,
): Promise<CommandRow> {
  return database.write(async (tx) => {
    const all = await lockCommands(tx, scope);
    const before = oneOf(all, id);
    if (!isCurrent(commandVersion(before))) throw new DomainError('conflict.stale', { detail: toCommandDto(before) });
    const after: CommandRow = {
      ...before,
      name: name ?? before.name,
      argument: argument ?? before.argument,
      is_pinned: pinned ?? before.is_pinned,
    };
    const change = changeOf(before, after);
    if (Object.keys(change).length === 0) return before;
    rejectConflicts(
      after,
      all.filter((other) => other.id !== id),
      before.name,
    );
    await updateCommand(tx, scope, id, change);
    const detail = { kind: after.kind, before: changeOf(after, before), after: change };
    await record(tx, scope, actor, sentence('command.changed', before.name), after, detail, clock.now());
    return after;
  });
}

/** @throws DomainError `command.not_found` */
export async function deleteCommand(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (tx) => {
    const command = oneOf(await lockCommands(tx, scope), id);
    await removeCommand(tx, scope, id);
    const { name, kind, argument } = command;
    await record(tx, scope, actor, sentence('command.deleted', name), command, { kind, argument }, clock.now());
  });
}

/** Reject a command that conflicts with the others. */
function rejectConflicts(
  { name, kind, argument, is_pinned: pinned }: CommandRow,
  others: readonly CommandRow[],
  former?: string,
): void {
  if (!calls.fitsCommand(kind, argument)) throw invalidField('argument', 'does not fit this command');
  if (isNameTaken(name, others, former)) throw new DomainError('command.name_taken', { field: 'name' });
  if (pinned && others.filter((other) => other.is_pinned).length >= calls.MOST_PINNED_COMMANDS)
    throw new DomainError('command.too_many_pinned', { field: 'pinned' });
}

function oneOf(all: readonly CommandRow[], id: string): CommandRow {
  return required(
    all.find((command) => command.id === id),
    'command.not_found',
  );
}

/** The fields of `after` that differ from `before`. */
function changeOf(before: CommandRow, after: CommandRow): CommandChange {
  return {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.argument === after.argument ? {} : { argument: after.argument }),
    ...(before.is_pinned === after.is_pinned ? {} : { is_pinned: after.is_pinned }),
  };
}

async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  action: AuditAction,
  { id }: CommandRow,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'commands', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'command', id }, detail }, now);
}
