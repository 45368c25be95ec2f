import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { deletion, line, tenantBody, tenantQuery, typedName } from '../conventions.ts';
import { lengthOf } from '../text.ts';

/** Commands of one organization. */
export const MOST_COMMANDS = 32;
/** How many of them are buttons on every device's page (part 1, section 9). */
export const MOST_PINNED_COMMANDS = 2;
export const LONGEST_COMMAND_NAME = 40;

/** The kinds of custom commands: a fixed set that routers implement, never a line of a shell. */
export const commandKinds = [
  /** Restarts. */
  'reboot',
  /** Blinks its LEDs for this many seconds. */
  'identify',
  /** Sends its readings now. */
  'report',
  /** Allows or forbids roaming: 'true' or 'false'. */
  'roaming',
  /** Sets the router's own name. */
  'name',
  /** Sets the zone of its clock, in POSIX form ('CST6CDT'). */
  'zone',
] as const;
export type CommandKind = (typeof commandKinds)[number];

const LONGEST_ARGUMENT = 64;
export const BLINK_SECONDS = { least: 5, most: 300 } as const;

/** Whether an argument is valid for a command of this kind; kinds without an argument accept ''. */
export function fitsCommand(kind: CommandKind, argument: string): boolean {
  switch (kind) {
    case 'reboot':
    case 'report':
      return argument === '';
    case 'identify':
      return /^\d{1,3}$/u.test(argument) && Number(argument) >= BLINK_SECONDS.least && Number(argument) <= BLINK_SECONDS.most;
    case 'roaming':
      return argument === 'true' || argument === 'false';
    case 'name':
      return argument !== '' && lengthOf(argument) <= LONGEST_ARGUMENT;
    case 'zone':
      return /^[A-Za-z0-9<>+,./:-]{3,60}$/u.test(argument);
  }
}

/** A custom command in the API (OLD-03). */
export const customCommand = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(commandKinds),
  argument: z.string(),
  /** A button on the page of every device. */
  pinned: z.boolean(),
  /** Changes with its content; send it back as If-Match, in quotes. */
  version: z.string(),
});
export type CustomCommand = z.infer<typeof customCommand>;

// Users who may change devices may run their commands.

const commandPath = z.object({ command: z.string() });
const name = typedName(LONGEST_COMMAND_NAME).min(1);
const argument = line(LONGEST_ARGUMENT);

export const listCommands = operation({
  id: 'commands.list',
  method: 'GET',
  path: '/data_manager/v1/dm/commands',
  summary: 'Custom commands of an organization, at most 32, by name (OLD-03).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(customCommand) }),
});

export const addCommand = operation({
  id: 'commands.add',
  method: 'POST',
  path: '/data_manager/v1/dm/commands',
  summary: 'Define a custom command out of the fixed set (OLD-03).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ name, kind: z.enum(commandKinds), argument: argument.optional(), pinned: z.boolean().optional() }),
  bodyExample: { argument: undefined },
  response: z.object({ result: customCommand }),
});

export const saveCommand = operation({
  id: 'commands.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/commands/{command}',
  summary: 'Rename a custom command, change its argument, pin or unpin it: at most 2 are pinned (OLD-03). Honours If-Match.',
  scope: 'organization',
  roles: adminOnly,
  params: commandPath,
  body: tenantBody.extend({ name: name.optional(), argument: argument.optional(), pinned: z.boolean().optional() }),
  response: z.object({ result: customCommand }),
});

export const deleteCommand = operation({
  id: 'commands.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/commands/{command}',
  summary: 'Remove a custom command.',
  scope: 'organization',
  roles: adminOnly,
  params: commandPath,
  body: tenantBody,
  response: deletion,
});

/** The result of a command on a router. */
export const commandOutcomes = ['done', 'begun', 'rejected', 'unsupported'] as const;

export const runCommand = operation({
  id: 'commands.run',
  method: 'POST',
  path: '/data_manager/v1/dm/commands/{command}/run',
  summary: "Run a custom command on one router, and return the router's own message (OLD-03).",
  scope: 'organization',
  roles: adminOnly,
  params: commandPath,
  body: tenantBody.extend({ device: z.string() }),
  /**
   * 'rejected' and 'unsupported' (the router has no such command): `message` has the router's message, sanitized, and `code` its
   * USP error. 'begun': it continues after its response.
   */
  response: z.object({
    result: z.object({ outcome: z.enum(commandOutcomes), message: z.string(), code: z.number().nullable() }),
  }),
});

export const topics = ['commands'] as const;

export const schemaNames = {
  Command: customCommand,
  DeviceBody: runCommand.body,
};
