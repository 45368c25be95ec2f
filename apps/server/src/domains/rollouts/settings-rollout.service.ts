import { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/index.ts';
import { requireApproval } from '../approvals/index.ts';
import { recordAudit, sentence, type SentencePart } from '../logs/index.ts';
import { digestSettings, findNewestSettings } from '../router-settings/index.ts';
import { rejectUnfitWindow } from '../windows/index.ts';
import { arrangeWaves } from './arrange-waves.ts';
import type { BindingServiceDeps } from './bindings.service.ts';
import { insertBinding, lockGroupForUpdate, type BindingContent, type NamedGroup } from './bindings.store.ts';
import { withStoredFirst } from './first-wave.queries.ts';
import { findUpdated } from './rollout-approval.ts';
import { endBindingsWhere, insertTargets } from './targets.store.ts';
import { waveRulesOf, type WaveInput } from './waves.ts';

/** Which settings go to routers, and how. */
export interface SettingsRollout extends WaveInput {
  /** Key; undefined = the organization, on all of its routers. */
  readonly group?: string | undefined;
  /** Version of the level that was reviewed. */
  readonly version: number;
  readonly failureThreshold?: number | undefined;
  readonly canaries?: number | undefined;
  /** When routers may begin; null and undefined = at any time. */
  readonly window?: rollouts.UpdateWindow | null | undefined;
}

interface Level {
  /** Null = the organization. */
  readonly group: NamedGroup | null;
  /** In sentences of the log. */
  readonly part: SentencePart;
  /** Its routers, as a condition on `devices d`. */
  readonly devices: Fragment;
}

/**
 * Bring the saved settings of a level to its routers, through waves and windows (TPL-03). The rollout of the same level before ends.
 * @returns id of the rollout
 * @throws DomainError `group.not_found`, `binding.settings` for another version than the present one, `binding.waves`, `binding.first`, `binding.window`,
 * `not_found` for a device that is not of the organization, `approval.waiting`
 */
export async function rollOutSettings(
  { database, clock, log }: BindingServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: SettingsRollout,
): Promise<string> {
  const now = clock.now();
  const { organizationId: organization } = scope;
  const { id, routers } = await database.write(async (tx) => {
    // No one saves settings meanwhile.
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const level = await lockLevel(tx, scope, input.group);
    return begin(tx, scope, actor, level, input, now);
  });
  log.info({ organization, group: input.group, kind: 'settings', routers }, 'A rollout has begun.');
  return id;
}

async function lockLevel(tx: Tx, scope: OrganizationScope, key: string | undefined): Promise<Level> {
  if (key === undefined) return { group: null, part: sentence('part.settings_organization'), devices: sql`true` };
  const group = required(await lockGroupForUpdate(tx, scope, key), 'group.not_found', { field: 'group' });
  return { group, part: group.name, devices: sql`d.group_key = ${group.key}` };
}

async function begin(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  { group, part, devices }: Level,
  input: SettingsRollout,
  now: Date,
): Promise<{ readonly id: string; readonly routers: number }> {
  const { organizationId } = scope;
  const { version, savedAt } = await findNewestSettings(tx, scope, group?.key ?? null);
  if (version !== input.version) throw new DomainError('binding.settings', { field: 'version' });
  if (input.window) await rejectUnfitWindow(tx, scope, input.window);
  const content = contentOf(await withStoredFirst(tx, scope, input));
  const ofLevel = group === null ? sql`b.group_key is null` : sql`b.group_key = ${group.key}`;
  await endBindingsWhere(tx, scope, sql`b.kind = 'settings' and ${ofLevel}`, now);
  const id = newId(now.getTime());
  // What is saved later is not sent: the clock of another process may be a little ahead.
  const begunAt = savedAt !== null && savedAt > now ? savedAt : now;
  await insertBinding(tx, scope, id, group?.key ?? null, content, actor.email, begunAt);
  const { count, names, digest } = await findUpdated(tx, scope, devices);
  const routers = await insertTargets(tx, scope, devices, count, now, sql`b.id = ${id}::uuid`);
  await arrangeWaves(tx, scope, id, content, now);
  const act = sentence('approval.act_settings', part, version);
  await requireApproval(tx, scope, {
    rule: 'rollouts',
    acts: [act],
    routers: count,
    names,
    // Routers get what all levels say: another one that is saved meanwhile is to be approved as well.
    touches: [group?.key ?? null, digest, version, await digestSettings(tx, scope, devices)],
  });
  for (const topic of ['groups', 'settings'] as const) await announce(tx, scope, topic, []);
  await announce(tx, scope, 'rollouts', [id]);
  const { failureThreshold, canaries, waves, window } = content;
  const event = {
    action: sentence('settings.rolled_out', part, version),
    subject: group === null ? { kind: 'organization', id: organizationId } : { kind: 'group', id: group.key },
    detail: { version, routers, failureThreshold, canaries, ...(waves ? { waves } : {}), ...(window ? { window } : {}) },
  };
  await recordAudit(tx, organizationId, actor, event, now);
  return { id, routers };
}

function contentOf({
  version,
  failureThreshold,
  canaries = rollouts.DEFAULT_CANARIES,
  ...input
}: SettingsRollout): BindingContent<'settings'> {
  return {
    kind: 'settings',
    fileId: '',
    number: version,
    label: String(version),
    schedule: 'immediate',
    postponeUntil: null,
    failureThreshold: failureThreshold ?? rollouts.DEFAULT_FAILURE_THRESHOLD,
    canaries,
    waves: waveRulesOf(input, canaries),
    window: input.window ?? null,
  };
}
