import { approvals } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mayBeHeld, requireApproval } from '../approvals/index.ts';
import { sentence } from '../logs/index.ts';
import { digestSettings } from '../router-settings/index.ts';
import type { BindingContent, NamedGroup } from './bindings.store.ts';

/** Bindings of a group that were written. */
interface Bound {
  readonly group: NamedGroup;
  readonly applied: readonly { readonly desired: { readonly binding: BindingContent } | undefined }[];
}

interface Updated {
  readonly count: number;
  readonly names: string[];
  readonly digest: string;
}

/** Devices that join a group. */
export interface Arrival {
  /** Its key. */
  readonly group: string;
  /** Which ones, as a condition on `devices d`. */
  readonly joining: Fragment;
}

/**
 * Require that a second person approves an update of more routers than the organization lets one person begin (IAM-07): bindings that were
 * written, and devices that joined groups with a binding. Call it once, after all of it is written.
 * @throws DomainError `approval.waiting`, `approval.changed`
 */
export async function requireRolloutApproval(
  tx: Tx,
  scope: OrganizationScope,
  { group, applied }: Bound,
  arrivals: readonly Arrival[] = [],
): Promise<void> {
  if (!(await mayBeHeld(tx, scope, 'rollouts'))) return;
  const begun = applied.flatMap(({ desired }) => (desired === undefined ? [] : [desired.binding]));
  const which = begun.length > 0 ? [sql`d.group_key = ${group.key}`] : [];
  // What a group begins concerns those who joined it as well.
  const updating = await findUpdating(
    tx,
    scope,
    begun.length > 0 ? arrivals.filter((each) => each.group !== group.key) : arrivals,
  );
  which.push(...updating.map(({ joining }) => joining));
  if (which.length === 0) return;
  const { count, names, digest } = await findUpdated(tx, scope, sql`(${sql.join(which, sql` or `)})`);
  const bound = begun.map(({ kind, label }) =>
    sentence('approval.act_bind', sentence(kind === 'firmware' ? 'part.firmware' : 'part.config', label), group.name),
  );
  const keys = [...(begun.length > 0 ? [group.key] : []), ...updating.map(({ key }) => key)];
  await requireApproval(tx, scope, {
    rule: 'rollouts',
    acts: [...bound, ...updating.map(({ name }) => sentence('approval.act_move', name))],
    routers: count,
    names,
    touches: [...keys, digest, ...begun.flatMap(({ fileId, number }) => [fileId, number])],
  });
}

/** The same of devices that joined groups, or are about to, where no binding was written. */
export async function requireArrivalApproval(tx: Tx, scope: OrganizationScope, arrivals: readonly Arrival[]): Promise<void> {
  await requireRolloutApproval(tx, scope, { group: { key: '', name: '' }, applied: [] }, arrivals);
}

/**
 * The same of routers that commands of a job send what is set for them, without waves and without a threshold.
 * @param devices condition on `devices d`
 */
export async function requireSettingsApproval(tx: Tx, scope: OrganizationScope, devices: Fragment): Promise<void> {
  if (!(await mayBeHeld(tx, scope, 'rollouts'))) return;
  const { count, names, digest } = await findUpdated(tx, scope, devices);
  const acts = [sentence('approval.act_send_settings')];
  const touches = [digest, await digestSettings(tx, scope, devices)];
  await requireApproval(tx, scope, { rule: 'rollouts', acts, routers: count, names, touches });
}

/** Those that join a group with a binding that updates them, with its name. */
async function findUpdating(
  tx: Tx,
  { organizationId }: OrganizationScope,
  arrivals: readonly Arrival[],
): Promise<(NamedGroup & Arrival)[]> {
  if (arrivals.length === 0) return [];
  const { rows } = await sql<NamedGroup>`select g.key, g.name from groups g
    where g.organization_id = ${organizationId}::uuid and g.key = any (${arrivals.map(({ group }) => group)}::text[])
      and exists (select from bindings b where b.organization_id = g.organization_id and b.group_key = g.key
        and b.kind in ('firmware', 'config') and b.ended_at is null and b.state <> 'cancelled')
    order by g.key`.execute(tx);
  return rows.flatMap((named) =>
    arrivals.filter(({ group }) => group === named.key).map((arrival) => ({ ...named, ...arrival })),
  );
}

/** How many devices match, with the first names, and a digest of all of them. @param which condition on `devices d` */
export async function findUpdated(tx: Tx, { organizationId }: OrganizationScope, which: Fragment): Promise<Updated> {
  const { rows } = await sql<Updated>`with updated as materialized (
      select d.id, coalesce(nullif(d.vehicle_number, ''), d.serial) as name from devices d
      where d.organization_id = ${organizationId}::uuid and d.archived_at is null and ${which})
    select count(*)::int as count, coalesce(encode(sha256(convert_to(string_agg(u.id::text, ',' order by u.id), 'UTF8')), 'hex'), '') as digest,
      coalesce((select array_agg(n.name) from (select f.name from updated f order by ${natural(sql`f.name`)}, f.id limit ${approvals.MOST_APPROVAL_NAMES}) n),
        '{}') as names
    from updated u`.execute(tx);
  return rows[0]!;
}
