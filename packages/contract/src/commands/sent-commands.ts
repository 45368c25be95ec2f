import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { line, pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { updateWindow, windowWaits } from '../rollouts/update-window.ts';
import { commandKinds, fitsCommand, type CommandKind } from './calls.ts';

/** What a router can be sent without defining a command first: those of custom commands, and two more (LIV-01). */
export const builtInKinds = [
  ...commandKinds,
  /** Restarts the modem through which it is connected. */
  'restart-modem',
  /** Deletes its settings. */
  'factory-reset',
  /** Sets what is saved for its device, group and organization (TPL-02). */
  'apply-settings',
  /** Has the router upload its own configuration (TPL-06). */
  'backup-config',
] as const;

/** Sets the password of the user in its argument: by `routerPasswords.set`, or random ones for many (LIV-11). */
export const SET_PASSWORD = 'set-password';

/** Sends the backup in its argument back to the router: by `routerBackups.restore` (TPL-06). */
export const RESTORE_CONFIG = 'restore-config';

/** Every kind of command in a list. */
export const sentKinds = [...builtInKinds, SET_PASSWORD, RESTORE_CONFIG] as const;
export type SentKind = (typeof sentKinds)[number];

/** Kinds that many devices may be sent at once: a factory reset is for one. */
export const manyKinds = [...commandKinds, 'restart-modem', 'apply-settings', 'backup-config', SET_PASSWORD] as const;

/** Hours that a command may wait for its router. */
export const WAIT_HOURS = { least: 1, most: 720 } as const;
/** Commands of one device that have not ended. */
export const MOST_OPEN_COMMANDS = 10;
/** Days that an ended command can be read. */
export const SENT_DAYS = 90;

const WITHOUT_ARGUMENT: ReadonlySet<SentKind> = new Set(['restart-modem', 'factory-reset', 'apply-settings', 'backup-config']);

/** Whether an argument is valid for this kind. */
export function fitsSent(kind: SentKind, argument: string): boolean {
  if (WITHOUT_ARGUMENT.has(kind)) return argument === '';
  if (kind === RESTORE_CONFIG) return /^[0-9a-f-]{36}$/u.test(argument);
  if (kind === SET_PASSWORD) return /^[A-Za-z0-9._@-]{1,64}$/u.test(argument);
  return fitsCommand(kind as CommandKind, argument);
}

/** `sent`: its answer is awaited; `running`: the router began. */
export const sentStates = ['waiting', 'sent', 'running', 'done', 'failed', 'expired', 'cancelled'] as const;
export type SentState = (typeof sentStates)[number];

/** Why a command failed, or was cancelled without a person; `window-…`: what it waits for. */
export const sentReasons = [
  /** The router does not have it. */
  'unsupported',
  /** `message` has the router's own text. */
  'rejected',
  'failed',
  /** A restart ended it. */
  'interrupted',
  /** It may have run. */
  'no-answer',
  /** The router said that it sent its configuration, and nothing arrived. */
  'no-file',
  /** The device was deleted, or left the organization. */
  'gone',
  /** The device has another router now. */
  'replaced',
  /** Who sent it may not do so any more. */
  'not-allowed',
  ...windowWaits.map((wait) => `window-${wait}` as const),
] as const;
export type SentReason = (typeof sentReasons)[number];

/** A command of a router: waiting, on its way, or ended (LIV-09). */
export const sentCommand = z.object({
  id: z.string(),
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  kind: z.enum(sentKinds),
  argument: z.string(),
  /** Of a custom command; empty for one that is built in. */
  name: z.string(),
  state: z.enum(sentStates),
  reason: z.enum(sentReasons).nullable(),
  /** The router's own message, on one line. */
  message: z.string(),
  /** E-mail address of the user who sent it. */
  by: z.string(),
  /** The job that sent it to many devices. */
  job: z.string().nullable(),
  created: z.string(),
  /** It is sent until then, or never. */
  expires: z.string(),
  /** When it was sent to the router. */
  sent: z.string().nullable(),
  ended: z.string().nullable(),
});
export type SentCommand = z.infer<typeof sentCommand>;

const response = z.object({ result: sentCommand });

export const sendCommand = operation({
  id: 'commands.send',
  method: 'POST',
  path: '/data_manager/v1/dm/device/commands',
  summary:
    'Send a command to one router: a custom one by its id (`command`), or a built-in one (`kind`). With `wait` it waits up to so many hours for a router that is not connected; one command of a router runs at a time (LIV-01, LIV-09).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({
    device: z.string(),
    command: z.string().max(60).optional(),
    kind: z.enum(builtInKinds).optional(),
    argument: line(64).optional(),
    wait: z.number().int().min(WAIT_HOURS.least).max(WAIT_HOURS.most).optional(),
    /** It is sent only while all of this holds, until `wait` is over (WIN-02). */
    window: updateWindow.optional(),
    /** The serial number again: for a factory reset. */
    confirmation: line(64).optional(),
  }),
  bodyExample: { command: undefined, kind: 'reboot', argument: undefined, confirmation: undefined, window: undefined },
  response,
});

export const listSentCommands = operation({
  id: 'commands.sent',
  method: 'GET',
  path: '/data_manager/v1/dm/device/commands',
  summary:
    'Commands of routers, the newest first, of one device or job or of all; those that ended are kept for 90 days (LIV-09).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...paging.shape,
    device: z.string().max(60).optional(),
    job: z.string().max(60).optional(),
    /** Only those that have not ended. */
    open: z.enum(['true']).optional(),
  }),
  response: pageOf(sentCommand),
});

export const cancelCommand = operation({
  id: 'commands.cancel',
  method: 'POST',
  path: '/data_manager/v1/dm/device/commands/{id}/cancel',
  summary: 'Cancel a command that waits for its router; one that was sent cannot be cancelled (LIV-09).',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ id: z.string() }),
  body: tenantBody,
  response,
});

export const schemaNames = { SentCommand: sentCommand };
