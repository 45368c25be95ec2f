import { forEachOrganization, required, type OrganizationScope } from '../../kernel/index.ts';
import type { OrganizationEnd } from '../../platform/modules/module.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx, DeviceLink } from '../../platform/ports/index.ts';
import { purgeLastTables, purgeTables } from '../../platform/retention/batches.ts';
import { requireApproval } from '../approvals/index.ts';
import { withdrawDevices } from '../devices/index.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { listInterrupted, listPurgeable } from './organization.deletion.job.queries.ts';
import { countDevices, lockOrganizationForDeletion, markDeleted, markPurged } from './organizations.store.ts';

export interface DeletionDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly deviceLink: Pick<DeviceLink, 'disconnect'>;
  /** What the domains do, in this order. */
  readonly organizationEnds: readonly OrganizationEnd[];
}

/** Days between the deletion and the purge (DECISIONS, Inventory and claiming). */
const GRACE_DAYS = 30;

/**
 * Delete an organization (ORG-02): its users are signed out at once and cannot sign in again, its bindings end and its routers
 * are returned to stock. The rest is purged after the grace period; both logs stay.
 * @returns how many devices were taken back; after a failure fewer than it had, the job takes back the others
 * @throws DomainError `not_found`, also when it is already deleted
 */
export async function deleteOrganization(deps: DeletionDeps, scope: OrganizationScope, actor: AuditActor): Promise<number> {
  const now = deps.clock.now();
  await deps.database.write((tx) => close(tx, deps, scope, actor, now));
  return withdrawFirst(deps, scope, now);
}

/** The organization is deleted already, so that a failure here is none of the deletion. */
async function withdrawFirst({ database, deviceLink, log }: DeletionDeps, scope: OrganizationScope, now: Date): Promise<number> {
  let withdrawn = 0;
  try {
    for await (const count of withdrawDevices(database, deviceLink, scope, now)) withdrawn += count;
  } catch (error) {
    const { organizationId } = scope;
    log.error({ err: error, organizationId, withdrawn }, 'Not all devices of a deleted organization were taken back yet.');
  }
  return withdrawn;
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
 * A job: take back the devices of organizations whose deletion was interrupted.
 * @returns how many were taken back
 * @throws AggregateError naming the organizations where it failed
 */
export async function finishDeletions(
  { database, deviceLink }: Pick<DeletionDeps, 'database' | 'deviceLink'>,
  now: Date,
): Promise<number> {
  let withdrawn = 0;
  await forEachOrganization(await listInterrupted(database.read), idOf, async (scope) => {
    for await (const count of withdrawDevices(database, deviceLink, scope, now)) withdrawn += count;
  });
  return withdrawn;
}

/**
 * A job: purge organizations whose grace period is over. After an interruption the next run continues.
 * @returns how many were purged
 * @throws AggregateError naming those where it failed; the others are purged
 */
export async function purgeOrganizations(deps: Pick<DeletionDeps, 'database' | 'organizationEnds'>, now: Date): Promise<number> {
  const due = await listPurgeable(deps.database.read, new Date(now.getTime() - GRACE_DAYS * 86_400_000));
  await forEachOrganization(due, idOf, (scope) => purge(deps, scope, now));
  return due.length;
}

const idOf = ({ organizationId }: OrganizationScope) => organizationId;

async function purge(
  { database, organizationEnds }: Pick<DeletionDeps, 'database' | 'organizationEnds'>,
  scope: OrganizationScope,
  now: Date,
): Promise<void> {
  for (const { purgeInSteps, tables = [] } of organizationEnds) {
    await purgeInSteps?.(database, scope);
    await purgeTables(database, scope, tables);
  }
  await database.write(async (tx) => {
    for (const { purge: purgeRest, lastTables = [] } of organizationEnds) {
      await purgeRest?.(tx, scope);
      await purgeLastTables(tx, scope, lastTables);
    }
    await markPurged(tx, scope, now);
  });
}
