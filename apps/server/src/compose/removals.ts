import type { AccountsService } from '../domains/accounts/index.ts';
import { withApprovalOf } from '../domains/approvals/index.ts';
import { revokeKey } from '../domains/api-keys/index.ts';
import type { Removal, Removals } from '../domains/bulk-jobs/index.ts';
import { removeConfigs } from '../domains/configs/index.ts';
import { removeFirmware } from '../domains/firmware/index.ts';
import { deleteGroups } from '../domains/groups/index.ts';
import { removeRouters } from '../domains/inventory/index.ts';
import { deleteRecipients } from '../domains/notifications/index.ts';
import { deleteOrganization } from '../domains/organizations/index.ts';
import { organizationEnds } from '../domains/modules.ts';
import type { MainScope, OrganizationScope } from '../kernel/index.ts';
import type { Deps } from '../platform/ports/deps.ts';

export interface RemovalParts extends Pick<Deps, 'clock' | 'deviceLink' | 'expiringDays' | 'log'> {
  readonly accounts: Pick<AccountsService, 'remove' | 'removeColleague'>;
}

/** The deletions that jobs make row by row: those of the calls for one row (BLK-01). */
export function createRemovals({ accounts, ...parts }: RemovalParts): Removals {
  // Counts of the inventory follow from the events of the outbox.
  const depsOf = ({ database }: Removal) => ({ ...parts, database, organizationEnds, changed: () => {} });
  return {
    groups: (removal) =>
      withApprovalOf(removal.actor, () =>
        deleteGroups(depsOf(removal), organizationOf(removal), removal.actor, [removal.id], { mayMove: true }),
      ),
    configs: (removal) => removeConfigs(depsOf(removal), organizationOf(removal), removal.actor, removal.id),
    notifications: (removal) => deleteRecipients(depsOf(removal), organizationOf(removal), removal.actor, [removal.id]),
    organizations: (removal) =>
      withApprovalOf(removal.actor, () => deleteOrganization(depsOf(removal), organizationOf(removal), removal.actor)),
    users: ({ actor, id, database }) => accounts.remove(actor, id, database),
    colleagues: (removal) => accounts.removeColleague(removal.actor, mainOf(removal), removal.id, removal.database),
    inventory: (removal) => removeRouters(depsOf(removal), mainOf(removal), removal.actor, [removal.id]),
    firmware: (removal) => removeFirmware(depsOf(removal), mainOf(removal), removal.actor, removal.id),
    apiKeys: (removal) => revokeKey(depsOf(removal), removal.scope, removal.actor, removal.id),
  };
}

function organizationOf({ scope }: Removal): OrganizationScope {
  if (scope.kind !== 'organization') throw new Error('A row of an organization has no organization.');
  return scope;
}

function mainOf({ scope }: Removal): MainScope {
  return { kind: 'main', mainAccountId: scope.mainAccountId };
}
