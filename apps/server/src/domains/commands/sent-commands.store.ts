// Reads tables of other domains: devices.
import { sql } from 'kysely';
import { authorOf, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import type { Order } from './sent-command.ts';

/** Commands to insert, one for each device. */
export interface NewCommands {
  readonly order: Order;
  readonly actor: Actor;
  readonly expiresAt: Date;
  readonly job: string | null;
}

export interface TargetRow {
  readonly device_id: string;
  readonly router_id: string;
  readonly serial: string;
  readonly is_online: boolean;
  /** Commands of it that have not ended. */
  readonly open: number;
}

/** Living devices of the organization. */
export async function findTargets(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`select d.id as device_id, d.router_id, d.serial, d.presence = 'online' as is_online,
      (select count(*)::int from sent_commands s where s.router_id = d.router_id and s.ended_at is null) as open
    from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.id = any (${[...deviceIds]}::uuid[]) and d.archived_at is null
    order by d.id`.execute(tx);
  return rows;
}

/** Insert a command for each of these devices; they are due at once. @returns ids in the order of the targets */
export async function insertSentCommands(
  tx: Tx,
  scope: OrganizationScope,
  targets: readonly TargetRow[],
  { order, actor, expiresAt, job }: NewCommands,
  now: Date,
): Promise<string[]> {
  if (targets.length === 0) return [];
  const rows = targets.map((target) => ({ id: newId(now.getTime()), ...target }));
  await sql`insert into sent_commands (id, organization_id, main_account_id, device_id, router_id, serial, kind, argument, name, actor,
      job_id, created_at, expires_at, due_at)
    select n.id, ${scope.organizationId}::uuid, ${scope.mainAccountId}::uuid, n.device_id, n.router_id, n.serial, ${order.kind},
      ${order.argument}, ${order.name}, ${JSON.stringify(authorOf(actor))}::jsonb, ${job}::uuid, ${now}::timestamptz,
      ${expiresAt}::timestamptz, ${now}::timestamptz
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
): Promise<Row<'sent_commands', 'device_id' | 'serial' | 'kind' | 'name'> | undefined> {
  return tx
    .updateTable('sent_commands')
    .set({ state: 'cancelled', ended_at: now, due_at: null })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(['device_id', 'serial', 'kind', 'name'])
    .executeTakeFirst();
}
