import { required, type OrganizationScope } from '../../kernel/index.ts';
import type { OrganizationEnd } from '../../platform/modules/module.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx, DeviceLink } from '../../platform/ports/index.ts';
import { requireApproval } from '../approvals/index.ts';
import { withdrawDevices } from '../devices/index.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { countDevices, listDeleted, lockOrganizationForDeletion, markDeleted, markPurged } from './organizations.store.ts';

export interface DeletionDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly deviceLink: Pick<DeviceLink, 'disconnect'>;
  /** What the domains do, in this order. */
  readonly organizationEnds: readonly OrganizationEnd[];
}

/** Days between the deletion and the purge (DECISIONS, Inventory and claiming). */
const GRACE_DAYS = 30;

/**
 * Delete an organization (ORG-02): its users are signed out at once and cannot sign in again, its bindings end and its routers
 * are returned to stock. The rest is purged after the grace period; both logs stay.
 * @returns how many devices were taken back
 * @throws DomainError `not_found`, also when it is already deleted
 */
export async function deleteOrganization(deps: DeletionDeps, scope: OrganizationScope, actor: AuditActor): Promise<number> {
  const now = deps.clock.now();
  await deps.database.write((tx) => close(tx, deps, scope, actor, now));
  return withdrawDevices(deps.database, deps.deviceLink, scope, now);
}

async function close(
  tx: Tx,
  { organizationEnds }: Pick<DeletionDeps, 'organizationEnds'>,
  scope: OrganizationScope,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  const { mainAccountId, organizationId } = scope;
  const organization = required(await lockOrganizationForDeletion(tx, scope), 'not_found', { field: 'org' });
  const devices = await countDevices(tx, scope);
  await requireApproval(tx, scope, {
    rule: 'deletion',
    acts: [sentence('approval.act_delete', organization.name)],
    routers: devices,
    names: [],
    touches: [organizationId],
  });
  await markDeleted(tx, scope, now);
  for (const end of organizationEnds) await end.close?.(tx, scope, now);
  for (const topic of ['organizations', 'accounts', 'groups'] as const) await announce(tx, scope, topic, []);
  const { name } = organization;
  const event = {
    action: sentence('organization.deleted', name),
    subject: { kind: 'organization', id: organizationId },
    detail: { name, devices },
  };
  for (const chainId of [organizationId, mainAccountId].sort()) await recordAudit(tx, chainId, actor, event, now);
}

/**
 * A job: purge organizations whose grace period is over, and take devices from those whose deletion a crash interrupted. After an
 * interruption the next run continues.
 * @returns how many were purged
 */
export async function purgeOrganizations(deps: Omit<DeletionDeps, 'clock'>, now: Date): Promise<number> {
  const { database, deviceLink } = deps;
  const before = now.getTime() - GRACE_DAYS * 86_400_000;
  let purged = 0;
  for (const { scope, deletedAt } of await listDeleted(database.read)) {
    // One after another: no request waits for it.
    await withdrawDevices(database, deviceLink, scope, now);
    if (deletedAt.getTime() > before) continue;
    await purge(deps, scope, now);
    purged += 1;
  }
  return purged;
}

async function purge(
  { database, organizationEnds }: Omit<DeletionDeps, 'clock'>,
  scope: OrganizationScope,
  now: Date,
): Promise<void> {
  for (const end of organizationEnds) await end.purgeInSteps?.(database, scope);
  await database.write(async (tx) => {
    for (const end of organizationEnds) await end.purge?.(tx, scope);
    await markPurged(tx, scope, now);
  });
}
