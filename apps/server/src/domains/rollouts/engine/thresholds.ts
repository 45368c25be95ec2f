import { sql } from 'kysely';
import { announce } from '../../../platform/outbox/announce.ts';
import { manyOf } from '../../../platform/listing/index.ts';
import type { Database } from '../../../platform/ports/database.ts';
import type { Log } from '../../../platform/ports/log.ts';
import { type AuditActor, recordAudit, sentence } from '../../logs/index.ts';
import type { Row } from '../../../platform/ports/tables.ts';
import { nameOf } from '../rollout-name.ts';
import { wakeChosen } from '../targets.store.ts';

/** With fewer finished routers the failure rate means nothing. */
const LEAST_FINISHED = 5;

const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

interface Paused
  extends Row<'bindings', 'id' | 'organization_id' | 'group_key' | 'kind' | 'label'>, Row<'organizations', 'main_account_id'> {
  readonly finished: number;
  readonly failed: number;
}

/**
 * As `pauseFailing`, of the rollouts with failures since then: the process that recorded them may have ended before it paused them, and the next
 * claim would give their places to more routers.
 */
export async function pauseFailingSince(deps: Parameters<typeof pauseFailing>[0], since: Date, now: Date): Promise<void> {
  const { rows } = await sql<Row<'bindings', 'id'>>`select b.id from bindings b where b.ended_at is null and b.state = 'running'
    and exists (select 1 from rollout_targets t where t.binding_id = b.id and t.state in ('failed', 'rolled-back')
      and t.updated_at >= greatest(b.counted_from, ${since}::timestamptz))`.execute(deps.database.read);
  const failing = rows.map(({ id }) => id);
  await pauseFailing(deps, failing, now);
}

/**
 * Pause the rollouts with more failures than their threshold allows. Only routers that were sent something count, and after a
 * manual resume only those that finished since.
 */
export async function pauseFailing(
  { database, log }: { readonly database: Database; readonly log: Log },
  bindingIds: readonly string[],
  now: Date,
): Promise<void> {
  if (bindingIds.length === 0) return;
  const paused = await database.write(async (tx) => {
    const { rows } = await sql<Paused>`
      update bindings b set state = 'paused', paused_reason = 'threshold' from (
        select t.binding_id, count(*)::int as finished,
          (count(*) filter (where t.state in ('failed', 'rolled-back')))::int as failed
        from rollout_targets t join bindings c on c.id = t.binding_id
        where t.binding_id in ${manyOf(bindingIds, 'uuid')} and t.attempt > 0 and t.updated_at >= c.counted_from
          and t.state in ('successful', 'failed', 'rolled-back')
        group by 1
      ) n, organizations o
      where b.id = n.binding_id and o.id = b.organization_id and b.ended_at is null and b.state = 'running'
        and n.finished >= ${LEAST_FINISHED} and n.failed * 100 > n.finished * b.failure_threshold
      returning b.id, b.organization_id, o.main_account_id, b.group_key, b.kind, b.label, n.finished, n.failed`.execute(tx);
    for (const { id, organization_id: organizationId, main_account_id: mainAccountId, ...rollout } of rows) {
      const scope = { kind: 'organization', mainAccountId, organizationId } as const;
      await wakeChosen(tx, scope, id, now);
      await announce(tx, scope, 'rollouts', [id]);
      if (rollout.group_key !== null) await announce(tx, scope, 'groups', [rollout.group_key]);
      const { label, finished, failed } = rollout;
      const action = sentence('rollout.paused_itself', nameOf(rollout), failed, finished);
      const event = { action, subject: { kind: 'rollout', id }, detail: { label, finished, failed } };
      await recordAudit(tx, organizationId, itself, event, now);
    }
    return rows;
  });
  for (const { id, organization_id: organization, finished, failed } of paused)
    log.warn({ rollout: id, organization, finished, failed }, 'A rollout paused itself, since too many routers failed.');
}
