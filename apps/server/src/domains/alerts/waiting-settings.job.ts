import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { MessageDeps } from './alert-messages.job.ts';
import { endSystemAlert, openMailedAlert } from './system-alerts.job.queries.ts';
import { listOverRollouts, listWaitingRollouts, type OverRollout, type WaitingRollout } from './waiting-settings.job.queries.ts';

/** Who saves settings most often sends them soon: then a new rollout takes the place of the one that waits. */
const REPORT_AFTER_MS = 3_600_000;
/** Rollouts of one run. */
const MOST = 200;

/**
 * Open an alert for each rollout of settings whose routers wait because others were saved: nothing of these is sent before a person reviewed it
 * (docs/decisions/0165-rollouts-of-settings.md), so it does not end by itself. Each is said once.
 */
export async function reportWaitingSettings(
  { database, origin }: Pick<MessageDeps, 'database' | 'origin'>,
  now: Date,
): Promise<void> {
  const waiting = await listWaitingRollouts(database.read, new Date(now.getTime() - REPORT_AFTER_MS), MOST);
  try {
    await forEachOrganization(waiting, idOf, (rollout) =>
      database.write((tx) => openMailedAlert(tx, scopeOf(rollout), alertOf(rollout), origin(), now)),
    );
  } finally {
    await forEachOrganization(await listOverRollouts(database.read, MOST), idOf, (rollout) =>
      database.write((tx) => endSystemAlert(tx, scopeOf(rollout), { kind: 'settings-waiting', about: rollout.id }, now)),
    );
  }
}

const idOf = (rollout: OverRollout) => rollout.organization_id;

function alertOf({ id, name, since, group_key: group }: WaitingRollout) {
  const page = `/groups/settings/devices${group === null ? '' : `?group=${encodeURIComponent(group)}`}`;
  return { kind: 'settings-waiting', about: id, name, since, group: group ?? undefined, page } as const;
}

const scopeOf = ({ organization_id: organizationId, main_account_id: mainAccountId }: OverRollout): OrganizationScope => ({
  kind: 'organization',
  organizationId,
  mainAccountId,
});
