import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { manyOf, type Fragment } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Log } from '../../platform/ports/log.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { nameOf } from './rollout-name.ts';
import { wakeBinding } from './targets.store.ts';
import { dropUnsupportedCanaries, openDueWaves, type OpenedWave } from './open-waves.job.queries.ts';
import { chooseCanaries } from './waves.store.ts';

const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

/**
 * Let the next wave of rollouts begin where their rule is met (WIN-01), and other routers go first where canaries have no command for the file.
 * @param bindingIds only these; undefined = all of the installation
 */
export async function openWaves(
  { database, log }: { readonly database: Database; readonly log: Log },
  bindingIds: readonly string[] | undefined,
  now: Date,
): Promise<void> {
  if (bindingIds?.length === 0) return;
  const which = bindingIds === undefined ? sql`true` : sql`b.id in ${manyOf(bindingIds, 'uuid')}`;
  for (const { id, organization_id: organization, wave_open: wave, last } of await database.write(async (tx) => {
    await replaceCanaries(tx, which, now);
    return openIn(tx, which, now);
  }))
    log.info({ rollout: id, organization, wave: wave + 1, waves: last + 1 }, 'The next wave of a rollout has begun.');
}

/** As `openWaves`, of one binding within a transaction, and as often as its rule is met. */
export async function openWavesOf(tx: Tx, bindingId: string, now: Date): Promise<void> {
  while ((await openIn(tx, sql`b.id = ${bindingId}::uuid`, now)).length > 0);
}

async function replaceCanaries(tx: Tx, which: Fragment, now: Date): Promise<void> {
  for (const { id, organization_id: organizationId, main_account_id: mainAccountId, canaries } of await dropUnsupportedCanaries(
    tx,
    which,
  )) {
    const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
    await chooseCanaries(tx, scope, id, canaries, now);
    await wakeBinding(tx, scope, id, now, sql`t.is_canary`);
    await announce(tx, scope, 'rollouts', [id]);
  }
}

async function openIn(tx: Tx, which: Fragment, now: Date): Promise<OpenedWave[]> {
  const opened = await openDueWaves(tx, which, now);
  for (const { id, organization_id: organizationId, main_account_id: mainAccountId, ...rollout } of opened) {
    const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
    await wakeBinding(tx, scope, id, now, sql`t.wave <= ${rollout.wave_open}`);
    await announce(tx, scope, 'rollouts', [id]);
    const { label, wave_open: wave, last } = rollout;
    const action = sentence('rollout.continued_itself', nameOf(rollout), wave + 1, last + 1);
    const event = { action, subject: { kind: 'rollout', id }, detail: { label, wave: wave + 1, waves: last + 1 } };
    await recordAudit(tx, organizationId, itself, event, now);
  }
  return opened;
}
