import { approvals } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mayBeHeld, requireApproval } from '../approvals/index.ts';
import { sentence } from '../logs/index.ts';
import { type BindingContent, findActiveBinding, type NamedGroup } from './bindings.store.ts';

interface Updated {
  readonly count: number;
  readonly names: string[];
  readonly digest: string;
}

/**
 * Require that a second person approves an update of more routers than the organization lets one person begin (IAM-07): bindings that were
 * written, and devices that joined a group with a binding. Call it once, after all of it is written.
 * @param joining condition on `devices d`; undefined = none joined
 * @throws DomainError `approval.waiting`, `approval.changed`
 */
export async function requireRolloutApproval(
  tx: Tx,
  scope: OrganizationScope,
  group: NamedGroup,
  applied: readonly { readonly desired: { readonly binding: BindingContent } | undefined }[],
  joining?: Fragment,
): Promise<void> {
  if (!(await mayBeHeld(tx, scope, 'rollouts'))) return;
  const begun = applied.flatMap(({ desired }) => (desired === undefined ? [] : [desired.binding]));
  const isJoined = begun.length === 0 && joining !== undefined && (await updatesThoseWhoJoin(tx, scope, group));
  if (begun.length === 0 && !isJoined) return;
  const which = begun.length > 0 ? sql`d.group_key = ${group.key}` : joining!;
  const { count, names, digest } = await findUpdated(tx, scope, which);
  const acts = begun.map(({ kind, label }) =>
    sentence('approval.act_bind', sentence(kind === 'firmware' ? 'part.firmware' : 'part.config', label), group.name),
  );
  await requireApproval(tx, scope, {
    rule: 'rollouts',
    acts: isJoined ? [sentence('approval.act_move', group.name)] : acts,
    routers: count,
    names,
    touches: [group.key, digest, ...begun.flatMap(({ fileId, number }) => [fileId, number])],
  });
}

async function updatesThoseWhoJoin(tx: Tx, scope: OrganizationScope, { key }: NamedGroup): Promise<boolean> {
  for (const kind of ['firmware', 'config'] as const) {
    const binding = await findActiveBinding(tx, scope, key, kind);
    if (binding !== undefined && binding.state !== 'cancelled') return true;
  }
  return false;
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
