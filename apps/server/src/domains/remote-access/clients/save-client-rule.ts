import type { remoteClients as calls } from '@highline/contract';
import { contentVersion, DomainError, type Actor, type OrganizationScope } from '../../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../../platform/locks/row-locks.ts';
import { announce } from '../../../platform/outbox/announce.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../../logs/index.ts';
import { tidyClientRule } from './client-rule.ts';
import { readClientRule } from './client-rule.queries.ts';
import { writeClientRule } from './client-rule.store.ts';

export type ClientRuleDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * Store what an organization allows of clients. Open sessions that it allows no longer end by the event.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `conflict.stale`, and as `tidyClientRule`
 */
export async function saveClientRule(
  { database, clock }: ClientRuleDeps,
  scope: OrganizationScope,
  actor: Actor,
  given: calls.ClientRule,
  isCurrent: (version: string) => boolean = () => true,
): Promise<void> {
  const rule = tidyClientRule(given);
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const before = await readClientRule(tx, scope);
    if (!isCurrent(contentVersion(before))) throw new DomainError('conflict.stale');
    await writeClientRule(tx, scope, rule);
    await announce(tx, scope, 'remote', []);
    const event = {
      action: sentence('remote.client_rule'),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { before, after: rule },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}
