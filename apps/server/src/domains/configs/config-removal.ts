import { DomainError, isId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { type ConfigServiceDeps, notFound } from './configs.service.ts';
import { deleteConfigs, groupsBoundToConfig, lockConfigs, type LockedConfig } from './configs.store.ts';

/** The most group names listed in an error. */
const NAMED_GROUPS = 5;

/**
 * Delete config files with all their versions, all or none.
 * @param pks separated by commas
 * @returns how many
 * @throws DomainError `config.not_found`, `config.bound` with up to five groups and their number
 */
export async function removeConfigs(
  { database, clock }: Pick<ConfigServiceDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: AuditActor,
  pks: string,
): Promise<number> {
  const chosen = [...new Set(pks.toLowerCase().split(','))];
  if (!chosen.every(isId)) throw notFound();
  const now = clock.now();
  await database.write(async (tx) => {
    const files = await lockConfigs(tx, scope, chosen);
    if (files.length !== chosen.length) throw notFound();
    await rejectBound(tx, scope, chosen);
    await deleteConfigs(tx, scope, chosen);
    await announce(tx, scope, 'configs', chosen);
    await recordAudit(tx, scope.organizationId, actor, deletion(files), now);
  });
  return chosen.length;
}

async function rejectBound(tx: Tx, scope: OrganizationScope, ids: readonly string[]): Promise<void> {
  const groups = await groupsBoundToConfig(tx, scope, ids);
  if (groups.length === 0) return;
  throw new DomainError('config.bound', { detail: { groups: groups.slice(0, NAMED_GROUPS), total: groups.length } });
}

function deletion(files: readonly LockedConfig[]) {
  const [only] = files;
  const one = files.length === 1 && only !== undefined;
  return {
    action: one ? sentence('config.deleted', only.name) : sentence('configs.deleted', files.length),
    subject: { kind: 'config', id: one ? only.id : 'many' },
    detail: { names: files.map(({ name }) => name) },
  };
}
