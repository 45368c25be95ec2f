import { routerSettings } from '@highline/contract';
import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mayBeHeld, requireApproval } from '../approvals/index.ts';
import { sentence, type SentencePart } from '../logs/index.ts';
import type { LevelContent } from './effective-setting.ts';
import { isSameContent } from './settings.rows.ts';
import { countDevices, findVersions, type LevelTarget, type SavedLevel } from './settings.queries.ts';

/** What is about to be saved in place of the present version. */
export interface Restored {
  readonly target: LevelTarget;
  /** The level, in sentences of the log. */
  readonly part: SentencePart;
  readonly saved: SavedLevel | undefined;
  readonly content: LevelContent;
  /** The version that secrets are taken from; undefined = the present one. */
  readonly secretsOf: number | undefined;
  /** A secret was typed. */
  readonly hasNewSecret: boolean;
}

/**
 * Require that a second person approves a save that returns to earlier settings, where the organization says so (IAM-07): one that takes secrets of
 * an earlier version, or has exactly what was set before.
 * @throws DomainError `approval.waiting`, `approval.changed`, `approval.new_secret`, since what waits is stored
 */
export async function requireRestoreApproval(tx: Tx, scope: OrganizationScope, restored: Restored): Promise<void> {
  const { target, part, saved, content, secretsOf, hasNewSecret } = restored;
  if (saved === undefined || !(await mayBeHeld(tx, scope, 'settings'))) return;
  const version = await versionOf(tx, scope, restored);
  if (version === undefined) return;
  if (hasNewSecret) throw new DomainError('approval.new_secret', { field: 'values' });
  const { devices } = await countDevices(tx, scope, target);
  await requireApproval(tx, scope, {
    rule: 'settings',
    acts: [sentence('approval.act_restore', part, version)],
    routers: devices,
    names: [],
    touches: [target.level, target.groupKey, target.deviceId, saved.version, secretsOf ?? null, JSON.stringify(content)],
  });
}

/** The earlier version that is returned to; undefined = none. */
async function versionOf(
  tx: Tx,
  scope: OrganizationScope,
  { target, saved, content, secretsOf }: Restored,
): Promise<number | undefined> {
  if (secretsOf !== undefined && secretsOf !== saved?.version) return secretsOf;
  const former = await findVersions(tx, scope, target, { before: saved?.version, limit: routerSettings.MOST_VERSIONS });
  return former.find((each) => isSameContent(each.content, content))?.version;
}
