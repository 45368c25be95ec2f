import type { inventory } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, type Actor, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

type ModelSettings = inventory.ModelSettings;

/** Models of the inventory and those with settings, by name; the index is searched once per model, not per router. */
export async function listModelSettings(queries: Queries, scope: MainScope, most: number): Promise<ModelSettings[]> {
  const next = (after: ReturnType<typeof sql>) => sql`(select r.model collate "C" as model from routers r
    where r.main_account_id = ${scope.mainAccountId}::uuid ${after} order by r.model collate "C" limit 1)`;
  const { rows } = await sql<{ model: string; seconds: number | null }>`with recursive known as (
      select model, 1 as place from ${next(sql`and r.model collate "C" > ''`)} as first
      union all
      select n.model, k.place + 1 from known k,
        lateral ${next(sql`and r.model collate "C" > k.model`)} as n where k.place < ${most}::int
    ), own as (select model, report_seconds from router_models where main_account_id = ${scope.mainAccountId}::uuid)
    select coalesce(k.model, o.model) as model, o.report_seconds as seconds from known k full join own o on o.model = k.model
    order by 1 limit ${most}::int`.execute(queries);
  return rows.map(({ model, seconds }) => ({ model, reportSeconds: seconds }));
}

/**
 * Seconds between two reports, of the routers whose model sets it. For connected routers, which is why there is no scope.
 * @returns by router
 */
export async function readModelSeconds(queries: Queries, routerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Row<'routers', 'id'> & { seconds: number }>`select r.id, m.report_seconds as seconds
    from routers r join router_models m on m.main_account_id = r.main_account_id and m.model = r.model collate "C"
    where r.id = any (${[...routerIds]}::uuid[])`.execute(queries);
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}

/**
 * Set how often routers of models report, all or none. A save that changes nothing is not logged.
 * @throws DomainError `not_found` for a model that neither the inventory nor the settings have
 */
export async function saveModelSettings(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  scope: MainScope,
  actor: Actor,
  desired: readonly ModelSettings[],
): Promise<void> {
  await database.write(async (tx) => {
    const now = clock.now();
    const before = await lockSettings(tx, scope);
    const requested = new Map(desired.map(({ model, reportSeconds }) => [model, reportSeconds]));
    const changed = [...requested].filter(([model, seconds]) => (before.get(model) ?? null) !== seconds);
    await rejectUnknown(
      tx,
      scope,
      [...requested.keys()].filter((model) => !before.has(model)),
    );
    if (changed.length === 0) return;
    for (const [model, seconds] of changed) await write(tx, scope, model, seconds, now);
    await announce(tx, scope, 'inventory', []);
    const models = changed.map(([model]) => model);
    const valuesOf = (of: ReadonlyMap<string, number | null>) =>
      Object.fromEntries(models.map((model) => [model, of.get(model) ?? null]));
    const event = {
      action:
        models.length === 1 ? sentence('model.interval_changed', models[0]!) : sentence('models.interval_changed', models.length),
      subject: { kind: 'model', id: models.length === 1 ? models[0]! : 'many' },
      detail: { before: valuesOf(before), after: valuesOf(requested) },
    };
    await recordAudit(tx, scope.mainAccountId, actor, event, now);
  });
}

async function lockSettings(tx: Tx, scope: MainScope): Promise<Map<string, number>> {
  // Serializes saves of one main account, also of models that have no row yet.
  await sql`select pg_advisory_xact_lock(hashtext('router_models'), hashtext(${scope.mainAccountId}))`.execute(tx);
  const rows = await tx
    .selectFrom('router_models')
    .select(['model', 'report_seconds'])
    .where('main_account_id', '=', scope.mainAccountId)
    .execute();
  return new Map(rows.map(({ model, report_seconds }) => [model, report_seconds]));
}

async function rejectUnknown(tx: Tx, scope: MainScope, models: readonly string[]): Promise<void> {
  const { rows } = await sql<{ model: string }>`select m.model from unnest(${[...models]}::text[]) m (model)
    where not exists (select from routers r
      where r.main_account_id = ${scope.mainAccountId}::uuid and r.model collate "C" = m.model) limit 1`.execute(tx);
  const [unknown] = rows;
  if (unknown !== undefined)
    throw new DomainError('not_found', { message: `No router of the inventory has the model ${unknown.model}.`, field: 'model' });
}

async function write(tx: Tx, scope: MainScope, model: string, seconds: number | null, now: Date): Promise<void> {
  if (seconds === null) {
    await tx.deleteFrom('router_models').where('main_account_id', '=', scope.mainAccountId).where('model', '=', model).execute();
    return;
  }
  await tx
    .insertInto('router_models')
    .values({ main_account_id: scope.mainAccountId, model, report_seconds: seconds, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['main_account_id', 'model']).doUpdateSet({ report_seconds: seconds, updated_at: now }),
    )
    .execute();
}
