// Reads tables of other domains: devices, router_backup_transfers, routers.
import { sql } from 'kysely';
import { manyOf } from '../../../platform/listing/index.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import type { CommandChange } from './decide.ts';
import type { CommandWork } from './facts.ts';

// The engine works for every organization: each row has its organization, and nothing is returned to a user.

/** Whether an open command waits until another one of its router has ended. One that waits for its window holds up no other. */
const isBehind = sql`(c.state = 'waiting' and exists (select 1 from sent_commands e where e.router_id = c.router_id
  and e.ended_at is null and (e.state <> 'waiting' or (e.id < c.id and e.work_window is null))))`;

const columns = (nodeId: string) => sql`c.id, c.organization_id as "organizationId", c.main_account_id as "mainAccountId",
  c.device_id as "deviceId", c.router_id as "routerId", c.serial, c.kind, c.argument, c.name, c.actor, c.state,
  c.expires_at as "expiresAt", c.due_at as "dueAt", c.sent_at as "sentAt", c.sends,
  c.work_window as "window", c.reason, ${isBehind} as "isBehind",
  case when d.id is null then 'gone' when d.router_id <> c.router_id then 'replaced' end as absence,
  coalesce(r.presence = 'online', false) as "isOnline", coalesce(r.held_by <> ${nodeId}::uuid, false) as "isHeldElsewhere",
  (r.reported ->> 'booted_at')::timestamptz as "bootedAt", (r.reported ->> 'reset_seen_at')::timestamptz as "resetAt",
  (c.kind <> 'backup-config' or exists (select from router_backup_transfers t
    where t.command_id = c.id and t.received_at is not null)) as "hasFile"`;

const sources = sql`sent_commands c
  left join devices d on d.organization_id = c.organization_id and d.id = c.device_id and d.archived_at is null
  left join routers r on r.id = c.router_id`;

/** Open commands of these routers that are behind no other, and those that are due, without a lock. */
export async function peekCommands(
  queries: Queries,
  nodeId: string,
  routerIds: readonly string[],
  now: Date,
): Promise<CommandWork[]> {
  if (routerIds.length === 0) return [];
  const { rows } = await sql<CommandWork>`select ${columns(nodeId)} from ${sources}
    where c.router_id in ${manyOf(routerIds, 'uuid')} and c.ended_at is null
      and (c.due_at <= ${now}::timestamptz or not ${isBehind})`.execute(queries);
  return rows;
}

/** Lock these commands and read the same; rows locked by other transactions are skipped, never waited for. */
export async function lockCommands(tx: Tx, nodeId: string, ids: readonly string[]): Promise<CommandWork[]> {
  const { rows } = await sql<CommandWork>`select ${columns(nodeId)} from ${sources}
    where c.id = any (${[...ids]}::uuid[]) and c.ended_at is null order by c.id for no key update of c skip locked`.execute(tx);
  return rows;
}

/** Store what became of locked commands, with one statement. */
export async function writeCommands(
  tx: Tx,
  changes: readonly { readonly work: CommandWork; readonly change: CommandChange }[],
  now: Date,
): Promise<void> {
  const rows = changes.map(({ work: { id }, change }) => ({ id, ...change }));
  await sql`update sent_commands c set state = n.state, reason = n.reason, message = n.message, due_at = n."dueAt",
      sent_at = n."sentAt", sends = n.sends, ended_at = case when n."dueAt" is null then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, state text, reason text, message text,
      "dueAt" timestamptz, "sentAt" timestamptz, sends smallint)
    where c.id = n.id`.execute(tx);
}

/**
 * Make due what waited behind these commands and is behind no other; one that waits for its window keeps the time of its next look. Rows
 * locked by other transactions are skipped: a pass waits for no row, so that who cancels may.
 */
export async function makeNextDue(
  tx: Tx,
  over: readonly { readonly id: string; readonly routerId: string }[],
  now: Date,
): Promise<void> {
  await sql`update sent_commands set due_at = ${now}::timestamptz where id in (
    select c.id from sent_commands c where c.router_id = any (${over.map(({ routerId }) => routerId)}::uuid[])
      and c.ended_at is null and c.state = 'waiting' and c.due_at = c.expires_at
      and c.id <> all (${over.map(({ id }) => id)}::uuid[]) and not ${isBehind}
    for no key update skip locked)`.execute(tx);
}

/** Routers with commands that are due: those of this node, and those that no node holds. */
export async function findDueCommands(queries: Queries, nodeId: string, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select c.router_id as id from sent_commands c
    left join routers r on r.id = c.router_id
    where c.due_at <= ${now}::timestamptz and c.ended_at is null
      and (r.held_by is null or r.held_by = ${nodeId}::uuid or c.expires_at <= ${now}::timestamptz)
    order by c.due_at limit ${limit}`.execute(queries);
  return rows.map(({ id }) => id);
}

/** The next due time after this time. */
export async function nextDueCommand(queries: Queries, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select min(due_at) as at from sent_commands
    where ended_at is null and due_at > ${now}::timestamptz`.execute(queries);
  return rows[0]?.at ?? undefined;
}

/** Make commands due whose device was deleted, left the organization or has another router. */
export async function findAbsent(tx: Tx, now: Date, limit: number): Promise<void> {
  await sql`update sent_commands c set due_at = ${now}::timestamptz where c.id in (
    select o.id from sent_commands o where o.ended_at is null and o.due_at > ${now}::timestamptz
      and not exists (select 1 from devices d where d.organization_id = o.organization_id and d.id = o.device_id
        and d.router_id = o.router_id and d.archived_at is null)
    limit ${limit} for update of o skip locked)`.execute(tx);
}
