import { type rollouts, sentCommands as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Actor, DomainError, invalidField, isId, type OrganizationScope, required } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { requireApproval } from '../approvals/index.ts';
import { describeMany, recordAudit, sentence } from '../logs/index.ts';
import { digestSettings } from '../router-settings/index.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { findCommand } from './commands.store.ts';
import { partOf, type Order } from './sent-command.ts';
import { findTargets, type TargetRow } from './sent-commands.queries.ts';
import { insertSentCommands } from './sent-commands.store.ts';

export type SendDeps = Pick<Deps, 'database' | 'clock'>;
type SendInput = z.output<typeof calls.sendCommand.body>;

/** What the caller chose: a custom command, or a built-in one. */
type Choice = {
  readonly command?: string | undefined;
  readonly kind?: calls.SentKind | undefined;
  readonly argument?: string | undefined;
};

const HOUR_MS = 3_600_000;
/** For a command that does not wait: its router may be lost while it is about to be sent. */
const AT_ONCE_MS = 60_000;

/**
 * What the caller chose, as it is sent.
 * @throws DomainError `request.invalid` for a choice of none or of two, and an argument that does not fit; `command.not_found`
 */
export async function readOrder(queries: Queries, scope: OrganizationScope, choice: Choice): Promise<Order> {
  const { command, kind, argument = '' } = choice;
  if ((command === undefined) === (kind === undefined))
    throw new DomainError('request.invalid', { message: 'Name either a command or a kind.', field: 'kind' });
  if (kind === undefined) {
    const custom = required(await findCommand(queries, scope, command ?? ''), 'command.not_found', { field: 'command' });
    return { kind: custom.kind, argument: custom.argument, name: custom.name };
  }
  if (!calls.fitsSent(kind, argument)) throw invalidField('argument', 'does not fit this command');
  return { kind, argument, name: '' };
}

/**
 * Send a command to one router, at once or when it connects (LIV-01, LIV-09). Its engine does it, and writes how it ended.
 * @returns its id
 * @throws DomainError `not_found` for the device, `command.offline` without a time to wait, `command.too_many_open`, and as `readOrder`
 */
export async function sendCommand(
  { database, clock }: SendDeps,
  scope: OrganizationScope,
  actor: Actor,
  { device, wait, window, confirmation, ...choice }: SendInput,
): Promise<string> {
  const now = clock.now();
  return database.write(async (tx) => {
    const order = await readOrder(tx, scope, choice);
    const { id } = await sendOrder(tx, scope, actor, { device, order, wait, window, confirmation }, now);
    return id;
  });
}

/** What one device is sent. */
interface SentToOne extends Pick<SendInput, 'device' | 'wait' | 'window' | 'confirmation'> {
  readonly order: Order;
}

/** The same for what is sent, within a transaction of the caller. @throws DomainError as `sendCommand` */
export async function sendOrder(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { device, order, wait, window, confirmation }: SentToOne,
  now: Date,
): Promise<{ readonly id: string; readonly target: TargetRow }> {
  await rejectWindow(tx, scope, wait, window);
  const [target] = isId(device) ? await findTargets(tx, scope, [device]) : [];
  if (target === undefined) throw new DomainError('not_found', { field: 'device' });
  if (order.kind === 'factory-reset' && confirmation !== target.serial)
    throw invalidField('confirmation', 'must be the serial number');
  const fault = faultOf(target, wait);
  if (fault !== undefined) throw new DomainError(fault);
  if (order.kind === 'factory-reset')
    await requireApproval(tx, scope, {
      rule: 'factoryReset',
      acts: [sentence('approval.act_reset', target.serial)],
      routers: 1,
      names: [target.serial],
      touches: [target.device_id, target.router_id],
    });
  if (order.kind === 'apply-settings')
    await requireApproval(tx, scope, {
      rule: 'rollouts',
      acts: [sentence('approval.act_send_settings')],
      routers: 1,
      names: [target.serial],
      touches: [target.device_id, target.router_id, await digestSettings(tx, scope, sql`d.id = ${target.device_id}::uuid`)],
    });
  const expiresAt = expiryOf(wait, now);
  const [id = ''] = await insertSentCommands(tx, scope, [target], { order, actor, expiresAt, window, job: null }, now);
  await announceCommands(tx, scope, [target]);
  const { kind, argument } = order;
  const event = {
    action: sentence(
      target.is_online && window === undefined ? 'command.sent' : 'command.left_waiting',
      partOf(order),
      target.serial,
    ),
    subject: { kind: 'device', id: target.device_id },
    detail: { serial: target.serial, command: id, kind, argument, until: expiresAt.toISOString() },
  };
  await recordAudit(tx, scope.organizationId, actor, event, now);
  return { id, target };
}

/** Why a device cannot be sent a command now; undefined when it can. */
function faultOf({ is_online, open }: TargetRow, wait: number | undefined) {
  if (open >= calls.MOST_OPEN_COMMANDS) return 'command.too_many_open';
  return !is_online && wait === undefined ? 'command.offline' : undefined;
}

function expiryOf(wait: number | undefined, now: Date): Date {
  return new Date(now.getTime() + (wait === undefined ? AT_ONCE_MS : wait * HOUR_MS));
}

/** What became of a device of many. */
export type SendOutcome =
  | { readonly state: 'done'; readonly before: null }
  | { readonly state: 'skipped' | 'failed'; readonly reason: 'gone' | 'command.offline' | 'command.too_many_open' };

/** What many devices are sent, and the job that does it; null = an alert rule. */
export interface SentToMany {
  readonly order: Order;
  readonly wait?: number | undefined;
  readonly window?: rollouts.UpdateWindow | undefined;
  readonly job: string | null;
}

/** @throws DomainError `request.invalid` for a window without a time to wait, and as `rejectUnfitWindow` */
export async function rejectWindow(
  queries: Queries,
  scope: OrganizationScope,
  wait: number | undefined,
  window: rollouts.UpdateWindow | undefined,
): Promise<void> {
  if (window === undefined) return;
  if (wait === undefined) throw invalidField('wait', 'a window needs it');
  await rejectUnfitWindow(queries, scope, window);
}

/**
 * The same for many devices of an organization, within the transaction of their job, with one log entry. @returns an outcome for each id
 */
export async function sendToMany(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { order, wait, window, job }: SentToMany,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, SendOutcome>> {
  const outcomes = new Map<string, SendOutcome>(ids.map((id) => [id, { state: 'skipped', reason: 'gone' }]));
  const sent: TargetRow[] = [];
  for (const target of await findTargets(tx, scope, ids)) {
    const reason = faultOf(target, wait);
    if (reason === undefined) sent.push(target);
    outcomes.set(target.device_id, reason === undefined ? { state: 'done', before: null } : { state: 'failed', reason });
  }
  if (sent.length === 0) return outcomes;
  const expiresAt = expiryOf(wait, now);
  await insertSentCommands(tx, scope, sent, { order, actor, expiresAt, window, job }, now);
  await announceCommands(tx, scope, sent);
  const serials = sent.map(({ serial }) => serial).toSorted();
  const devices = serials.length === 1 ? sentence('part.device', serials[0]!) : sentence('part.devices', serials.length);
  const event = {
    action: sentence('command.sent_to', partOf(order), devices),
    subject: { kind: 'device', id: sent.length === 1 ? sent[0]!.device_id : 'many' },
    detail: { ...describeMany(serials), job, kind: order.kind, argument: order.argument, until: expiresAt.toISOString() },
    devices: sent.map(({ device_id }) => device_id),
  };
  await recordAudit(tx, scope.organizationId, actor, event, now);
  return outcomes;
}

/** Lists of commands, and the timelines of the devices. */
async function announceCommands(tx: Tx, scope: OrganizationScope, targets: readonly TargetRow[]): Promise<void> {
  await announce(
    tx,
    scope,
    'commands',
    targets.map(({ device_id }) => device_id),
  );
}
