import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { authorOf, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { Order } from './sent-command.ts';
import type { TargetRow } from './sent-commands.queries.ts';

/** Commands to insert, one for each device. */
export interface NewCommands {
  readonly order: Order;
  readonly actor: Actor;
  readonly expiresAt: Date;
  /** Left out = at any time. */
  readonly window?: rollouts.UpdateWindow | undefined;
  readonly job: string | null;
}

/** Insert a command for each of these devices; they are due at once. @returns ids in the order of the targets */
export async function insertSentCommands(
  tx: Tx,
  scope: OrganizationScope,
  targets: readonly TargetRow[],
  { order, actor, expiresAt, window, job }: NewCommands,
  now: Date,
): Promise<string[]> {
  if (targets.length === 0) return [];
  const rows = targets.map((target) => ({ id: newId(now.getTime()), ...target }));
  await sql`insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, argument, name, actor,
      job_id, created_at, expires_at, due_at, work_window)
    select n.id, ${scope.organizationId}::uuid, ${scope.mainAccountId}::uuid, n.device_id, n.router_id, n.serial, ${order.kind},
      ${order.argument}, ${order.name}, ${JSON.stringify(authorOf(actor))}::jsonb, ${job}::uuid, ${now}::timestamptz,
      ${expiresAt}::timestamptz, ${now}::timestamptz, ${window === undefined ? null : JSON.stringify(window)}::jsonb
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, device_id uuid, router_id uuid, serial text)`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Cancel a command of the organization that waits. @returns it, or undefined when it does not wait */
export async function cancelWaiting(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  now: Date,
): Promise<Row<'sent_commands', 'id' | 'device_id' | 'router_id' | 'serial' | 'kind' | 'name' | 'sends'> | undefined> {
  const cancelled = await tx
    .updateTable('sent_commands')
    .set({ state: 'cancelled', ended_at: now, due_at: null })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['id', 'device_id', 'router_id', 'serial', 'kind', 'name', 'sends'])
    .executeTakeFirst();
  if (cancelled !== undefined) await makeLaterDue(tx, cancelled.router_id, id, now);
  return cancelled;
}

/** Those behind it may be next. Locked in the order of their ids, so that two who cancel do not wait for each other. */
async function makeLaterDue(tx: Tx, routerId: string, id: string, now: Date): Promise<void> {
  await sql`update sent_commands set due_at = ${now}::timestamptz where id in (
    select c.id from sent_commands c where c.router_id = ${routerId}::uuid and c.id > ${id}::uuid and c.ended_at is null
      and c.state = 'waiting'
    order by c.id for no key update)`.execute(tx);
}
