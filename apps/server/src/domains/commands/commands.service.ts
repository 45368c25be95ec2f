import { commands as calls } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import { newId } from '../../ids.ts';
import { announce } from '../../live/announce.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { DeviceLink } from '../../ports/device-link.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';
import { findTarget, type Target } from './commands.queries.ts';
import {
  holdCommands,
  insertCommand,
  removeCommand,
  selectCommands,
  updateCommand,
  type CommandChange,
  type CommandRow,
} from './commands.store.ts';
import { orderRouter, type RouterWord } from './router-orders.ts';

export type { CommandRow };

export interface CommandDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly deviceLink: DeviceLink;
}

/** What a person defines of a command (OLD-03). */
export interface WantedCommand {
  readonly name: string;
  readonly kind: calls.CommandKind;
  readonly argument?: string | undefined;
  readonly pinned?: boolean | undefined;
}
export type WantedChange = { readonly name?: string | undefined } & Pick<WantedCommand, 'argument' | 'pinned'>;

/** An organization's commands by name. */
export async function listCommands({ database }: Pick<CommandDeps, 'database'>, scope: OrganizationScope): Promise<CommandRow[]> {
  return selectCommands(database.read, scope);
}

/**
 * Define a command.
 * @throws DomainError `command.too_many`, `command.too_many_pinned`, `command.name_taken`, `request.invalid` for an argument that its
 * kind does not take
 */
export async function addCommand(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  { name, kind, argument = '', pinned = false }: WantedCommand,
): Promise<CommandRow> {
  const now = clock.now();
  const command: CommandRow = { id: newId(now.getTime()), name, kind, argument, is_pinned: pinned };
  await database.write(async (tx) => {
    const others = await holdCommands(tx, scope);
    if (others.length >= calls.MOST_COMMANDS) throw new DomainError('command.too_many');
    refuse(command, others);
    await insertCommand(tx, scope, command, now);
    await tell(tx, scope, actor, `Added command ${name}`, command, { kind, argument, pinned }, now);
  });
  return command;
}

/**
 * Rename a command, change its argument, pin or unpin it.
 * @throws DomainError `command.not_found`, and as `addCommand`
 */
export async function saveCommand(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { name, argument, pinned }: WantedChange,
): Promise<CommandRow> {
  return database.write(async (tx) => {
    const all = await holdCommands(tx, scope);
    const before = oneOf(all, id);
    const after: CommandRow = {
      ...before,
      name: name ?? before.name,
      argument: argument ?? before.argument,
      is_pinned: pinned ?? before.is_pinned,
    };
    const change = changeOf(before, after);
    if (Object.keys(change).length === 0) return before;
    refuse(
      after,
      all.filter((other) => other.id !== id),
    );
    await updateCommand(tx, scope, id, change);
    const detail = { kind: after.kind, before: changeOf(after, before), after: change };
    await tell(tx, scope, actor, `Changed command ${before.name}`, after, detail, clock.now());
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
    const command = oneOf(await holdCommands(tx, scope), id);
    await removeCommand(tx, scope, id);
    const { name, kind, argument } = command;
    await tell(tx, scope, actor, `Deleted command ${name}`, command, { kind, argument }, clock.now());
  });
}

/**
 * Have one router run a command now. Who tried stands in the log, whatever the router made of it; where nothing was sent, nothing does.
 * @returns the router's answer, its words as they came
 * @throws DomainError `command.not_found`, `not_found` for the device, `command.offline`, `command.no_answer`
 */
export async function runCommand(
  deps: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  deviceId: string,
): Promise<RouterWord> {
  const { database, deviceLink } = deps;
  const command = oneOf(await selectCommands(database.read, scope), id);
  const target = await findTarget(database.read, scope, deviceId);
  if (target === undefined) throw new DomainError('not_found', { field: 'device' });
  try {
    const word = await orderRouter(deviceLink, target.routerId, command);
    await recordRun(deps, scope, actor, command, target, word.outcome);
    return word;
  } catch (error) {
    // It may have done it all the same.
    if (error instanceof DomainError && error.key === 'command.no_answer')
      await recordRun(deps, scope, actor, command, target, 'no-answer');
    throw error;
  }
}

async function recordRun(
  { database, clock }: CommandDeps,
  scope: OrganizationScope,
  actor: Actor,
  { name, kind, argument }: CommandRow,
  { deviceId, serial }: Target,
  outcome: RouterWord['outcome'] | 'no-answer',
): Promise<void> {
  await database.write(async (tx) => {
    await announce(tx, scope, 'devices', [deviceId]);
    const event = {
      action: `Ran command ${name} on device ${serial}`,
      subject: { kind: 'device', id: deviceId },
      detail: { serial, name, kind, argument, outcome },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

/** What may not be, beside these others. */
function refuse({ name, kind, argument, is_pinned: pinned }: CommandRow, others: readonly CommandRow[]): void {
  if (!calls.fitsCommand(kind, argument))
    throw new DomainError('request.invalid', { message: 'argument: does not fit this command', field: 'argument' });
  if (others.some((other) => other.name === name)) throw new DomainError('command.name_taken', { field: 'name' });
  if (pinned && others.filter((other) => other.is_pinned).length >= calls.MOST_PINNED_COMMANDS)
    throw new DomainError('command.too_many_pinned', { field: 'pinned' });
}

function oneOf(all: readonly CommandRow[], id: string): CommandRow {
  const found = all.find((command) => command.id === id);
  if (found === undefined) throw new DomainError('command.not_found');
  return found;
}

/** Of `after`, what `before` has otherwise. */
function changeOf(before: CommandRow, after: CommandRow): CommandChange {
  return {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.argument === after.argument ? {} : { argument: after.argument }),
    ...(before.is_pinned === after.is_pinned ? {} : { is_pinned: after.is_pinned }),
  };
}

async function tell(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  action: string,
  { id }: CommandRow,
  detail: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await announce(tx, scope, 'commands', [id]);
  await recordAudit(tx, scope.organizationId, actor, { action, subject: { kind: 'command', id }, detail }, now);
}
