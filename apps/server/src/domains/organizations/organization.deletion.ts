import { required, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx, DeviceLink } from '../../platform/ports/index.ts';
import { purgeAlertsOf } from '../alerts/index.ts';
import { purgePinsOf } from '../analysis/index.ts';
import { purgeUsersOf, signOutMembers } from '../accounts/index.ts';
import { purgeKeysOf, revokeKeysOf } from '../api-keys/index.ts';
import { purgeBulkJobsOf } from '../bulk-jobs/index.ts';
import { purgeCommandsOf } from '../commands/index.ts';
import { purgeConfigsOf } from '../configs/index.ts';
import { purgeCarrierColorsOf, purgeDevicesOf, withdrawDevices } from '../devices/index.ts';
import { purgeGeofencesOf } from '../geofences/index.ts';
import { purgeGroupsOf } from '../groups/index.ts';
import { removeProvidersOf } from '../identity-providers/index.ts';
import { removeDirectoryOf } from '../scim/index.ts';
import { endLinksOf, purgeLinksOf } from '../links/index.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { purgeClientsOf } from '../networks/index.ts';
import { purgeNotificationsOf, silenceOrganization } from '../notifications/index.ts';
import { purgePropertiesOf } from '../properties/index.ts';
import { purgeSettingsOf } from '../router-settings/index.ts';
import { purgeReportsOf } from '../reports/index.ts';
import { endAllBindings, purgeBindingsOf } from '../rollouts/index.ts';
import { purgeCoverageOf } from '../coverage/index.ts';
import { purgeServingCellsOf } from '../positions/index.ts';
import { purgeRecordingsOf } from '../recordings/index.ts';
import { purgeClientRuleOf } from '../remote-access/index.ts';
import { purgeToolsOf } from '../tools/index.ts';
import { purgeOutagesOf } from '../outages/index.ts';
import { purgeSummariesOf } from '../summaries/index.ts';
import { purgeUsageOf } from '../usage/index.ts';
import { purgeViewsOf } from '../views/index.ts';
import { removeWebhooksOf } from '../webhooks/index.ts';
import { countDevices, listDeleted, lockOrganizationForDeletion, markDeleted, markPurged } from './organizations.store.ts';

export interface DeletionDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly deviceLink: Pick<DeviceLink, 'disconnect'>;
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
  await deps.database.write((tx) => close(tx, scope, actor, now));
  return withdrawDevices(deps.database, deps.deviceLink, scope, now);
}

async function close(tx: Tx, scope: OrganizationScope, actor: AuditActor, now: Date): Promise<void> {
  const { mainAccountId, organizationId } = scope;
  const organization = required(await lockOrganizationForDeletion(tx, scope), 'not_found', { field: 'org' });
  const devices = await countDevices(tx, scope);
  await markDeleted(tx, scope, now);
  await signOutMembers(tx, scope);
  await revokeKeysOf(tx, scope, now);
  await endLinksOf(tx, scope, now);
  await removeWebhooksOf(tx, scope);
  await removeProvidersOf(tx, scope);
  await removeDirectoryOf(tx, scope);
  await silenceOrganization(tx, scope);
  await endAllBindings(tx, scope, now);
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
export async function purgeOrganizations({ database, deviceLink }: Omit<DeletionDeps, 'clock'>, now: Date): Promise<number> {
  const before = now.getTime() - GRACE_DAYS * 86_400_000;
  let purged = 0;
  for (const { scope, deletedAt } of await listDeleted(database.read)) {
    // One after another: no request waits for it.
    await withdrawDevices(database, deviceLink, scope, now);
    if (deletedAt.getTime() > before) continue;
    await purge(database, scope, now);
    purged += 1;
  }
  return purged;
}

async function purge(database: Database, scope: OrganizationScope, now: Date): Promise<void> {
  await purgeDevicesOf(database, scope);
  await purgeBulkJobsOf(database, scope);
  await database.write(async (tx) => {
    await purgeAlertsOf(tx, scope);
    await purgeNotificationsOf(tx, scope);
    await purgeBindingsOf(tx, scope);
    await purgeSettingsOf(tx, scope);
    await purgeConfigsOf(tx, scope);
    await purgeGroupsOf(tx, scope);
    await purgeGeofencesOf(tx, scope);
    await purgeReportsOf(tx, scope);
    await purgeCoverageOf(tx, scope);
    await purgeServingCellsOf(tx, scope);
    await purgeCarrierColorsOf(tx, scope);
    await purgeToolsOf(tx, scope);
    await purgeRecordingsOf(tx, scope);
    await purgeUsageOf(tx, scope);
    await purgeSummariesOf(tx, scope);
    await purgeOutagesOf(tx, scope);
    await purgeViewsOf(tx, scope);
    await purgePinsOf(tx, scope);
    await purgeCommandsOf(tx, scope);
    await purgeClientsOf(tx, scope);
    await purgeClientRuleOf(tx, scope);
    await purgeKeysOf(tx, scope);
    await purgeLinksOf(tx, scope);
    await purgePropertiesOf(tx, scope);
    await purgeUsersOf(tx, scope);
    await markPurged(tx, scope, now);
  });
}
